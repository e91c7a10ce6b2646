import Testing

@testable import CacheTiers

/// The buffer of the records that wait.
@Suite struct WriteBufferTests {
    @Test("behind a record there are zeros up to the next, and nothing of what the buffer held before") func padding() {
        var buffer = WriteBuffer()
        append([UInt8](repeating: 0xFF, count: 512), [], length: 512, at: 0, to: &buffer)
        buffer.empty()
        append([1, 1, 1], [2, 2], length: 64, at: 4_096, to: &buffer)
        append([3], [], length: 128, at: 4_160, to: &buffer)
        let expected: [UInt8] = [1, 1, 1, 2, 2] + zeros(59) + [3] + zeros(127)
        let (bytes, start) = (Array(buffer.run), buffer.start)
        #expect(bytes == expected && start == 4_096)
        let (first, last) = (buffer.holds(4_096), buffer.holds(4_287))
        let (before, behind) = (buffer.holds(4_095), buffer.holds(4_288))
        #expect(first && last && !before && !behind)
    }

    @Test("a full buffer takes no more, nor does one that would not go on where the record belongs") func room() {
        var buffer = WriteBuffer()
        let most = WriteBuffer.mostRecordBytes
        let (takesMost, takesMore) = (buffer.takes(most, at: 0), buffer.takes(most + 1, at: 0))
        #expect(takesMost && !takesMore)
        for number in 0..<8 {
            let (takesNext, takesOther) = (
                buffer.takes(8_192, at: number << 13), buffer.takes(64, at: number << 13 + 64)
            )
            #expect(takesNext && takesOther == (number == 0))
            append(zeros(8_192), [], length: 8_192, at: number << 13, to: &buffer)
        }
        let takesBeyond = buffer.takes(64, at: 8 << 13)
        buffer.empty()
        let (isEmpty, takesAgain) = (buffer.isEmpty, buffer.takes(64, at: 8 << 13))
        #expect(!takesBeyond && isEmpty && takesAgain)
    }

    private func zeros(_ count: Int) -> [UInt8] { [UInt8](repeating: 0, count: count) }

    private func append(
        _ first: [UInt8], _ second: [UInt8], length: Int, at offset: Int, to buffer: inout WriteBuffer
    ) {
        first.withUnsafeBytes { first in
            second.withUnsafeBytes { buffer.append(at: offset, length, first, $0) }
        }
    }
}
