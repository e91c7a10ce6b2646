import Testing

@testable import CacheTiers

/// The buffer of the records that wait.
@Suite struct RecordStageTests {
    @Test("behind a record there are zeros up to the next, and nothing of what the buffer held before")
    func padding() {
        var stage = RecordStage()
        append([UInt8](repeating: 0xFF, count: 512), [], length: 512, at: 0, to: &stage)
        stage.empty()
        append([1, 1, 1], [2, 2], length: 64, at: 4_096, to: &stage)
        append([3], [], length: 128, at: 4_160, to: &stage)
        let expected: [UInt8] = [1, 1, 1, 2, 2] + zeros(59) + [3] + zeros(127)
        let (bytes, start) = (Array(stage.run), stage.start)
        #expect(bytes == expected && start == 4_096)
        let (first, last) = (stage.holds(4_096), stage.holds(4_287))
        let (before, behind) = (stage.holds(4_095), stage.holds(4_288))
        #expect(first && last && !before && !behind)
    }

    @Test("a full buffer takes no more, nor does one that would not go on where the record belongs")
    func room() {
        var stage = RecordStage()
        let most = RecordStage.mostRecordBytes
        let (takesMost, takesMore) = (stage.takes(most, at: 0), stage.takes(most + 1, at: 0))
        #expect(takesMost && !takesMore)
        for number in 0..<8 {
            let (takesNext, takesOther) = (stage.takes(8_192, at: number << 13), stage.takes(64, at: number << 13 + 64))
            #expect(takesNext && takesOther == (number == 0))
            append(zeros(8_192), [], length: 8_192, at: number << 13, to: &stage)
        }
        let takesBeyond = stage.takes(64, at: 8 << 13)
        stage.empty()
        let (isEmpty, takesAgain) = (stage.isEmpty, stage.takes(64, at: 8 << 13))
        #expect(!takesBeyond && isEmpty && takesAgain)
    }

    private func zeros(_ count: Int) -> [UInt8] { [UInt8](repeating: 0, count: count) }

    private func append(
        _ first: [UInt8], _ second: [UInt8], length: Int, at offset: Int, to stage: inout RecordStage
    ) {
        first.withUnsafeBytes { first in
            second.withUnsafeBytes { stage.append(at: offset, length, first, $0) }
        }
    }
}
