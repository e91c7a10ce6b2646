import Foundation
import Testing

@testable import GaugeTraces

/// Compressed traces, each of two members or frames.
@Suite("Compressed traces") struct CompressedTraceTests {
    private static let text = "key,size,time\n" + (0..<12).map { "\($0 % 3),\(5 + $0 % 3),\($0)\n" }.joined()
    private static let gzip = Data(
        base64Encoded: "H4sIAAAAAAACA8tOrdQpzqxK1SnJzE3lMtAx1THgMtQx0zHkMtIx1zECixgDRQDz88T+KAAAAB+LCAAAAAAAAgMz0z"
            + "HhMtIx1zHlMtAx1THjMtQx0zEHi1iARSzBIoYGYCFDQy4ADMHlgTAAAAA=")
    private static let zstd = Data(
        base64Encoded: "KLUv/SAoQQEAa2V5LHNpemUsdGltZQowLDUsMAoxLDYsMQoyLDcsMgowLDUsMwoxLCi1L/0gMF0BABQCNiw0CjIsNy"
            + "w1CjAsNSw2CjEsNiw3ODkxMAoyLDcsMTEKAwQCQMBdkwk=")

    private func bytes(_ compression: Compression) -> [UInt8] {
        Array((compression == .gzip ? Self.gzip : Self.zstd) ?? Data())
    }

    @Test(
        "a trace reads the same as compressed by gzip or zstd, whole and in pieces",
        arguments: [Compression.gzip, .zstd])
    func same(compression: Compression) throws {
        guard compression.decoder() != nil else { return }
        let plain = try TraceReading.all(Array(Self.text.utf8), nil)
        for pieces in [0, 1, 7] {
            let read = try TraceReading.all(bytes(compression), nil, pieces: pieces)
            #expect(read.requests == plain.requests && read.requests.count == 12)
            #expect(read.reader.digest == plain.reader.digest)
        }
    }

    @Test("a frame that zstd skips may come first, as pzstd writes it") func skippableFrame() throws {
        guard Compression.zstd.decoder() != nil else { return }
        let frame: [UInt8] = [0x50, 0x2A, 0x4D, 0x18, 4, 0, 0, 0, 1, 2, 3, 4]
        #expect(try TraceReading.all(frame + bytes(.zstd), nil).requests.count == 12)
    }

    @Test("damage that keeps a format from being recognised is told, and not taken for an unknown format")
    func damageBeforeRecognition() {
        guard Compression.gzip.decoder() != nil else { return }
        // A stored block (RFC 1951, 3.2.4) of "x\n", followed by a block of no kind.
        let file: [UInt8] = [0x1F, 0x8B, 8, 0, 0, 0, 0, 0, 0, 3, 0, 2, 0, 0xFD, 0xFF, 0x78, 0x0A, 6]
        #expect(TraceReading.message(file, nil).contains("the gzip data is damaged"))
    }

    @Test(
        "a compressed trace that was cut or changed is an error, not a short trace",
        arguments: [Compression.gzip, .zstd])
    func damage(compression: Compression) {
        let name = compression.name
        guard compression.decoder() != nil else { return }
        let whole = bytes(compression)
        let cut = TraceReading.message(Array(whole.dropLast(3)), .csv)
        #expect(cut.contains("the \(name) data ends in the middle"), "\(cut)")
        for place in 6..<whole.count {
            var changed = whole
            changed[place] ^= 0x10
            _ = TraceReading.message(changed, .csv)
        }
        let skipped = try? TraceReading.all(Array(whole.dropLast(3)), .csv, skipping: .damage)
        #expect(skipped.map { $0.reader.skipped == 1 && $0.reader.digest == nil } == true)
        let padded = TraceReading.message(whole + [0, 0, 0], .csv)
        #expect(compression == .zstd || padded == "read 12", "\(padded)")
        // As when the beginning of a further member is damaged: its requests must not be missing in silence.
        let followed = TraceReading.message(whole + [0, 0x1E] + whole, .csv)
        #expect(followed.contains("the \(name) data is"), "\(followed)")
    }

    @Test("of a damaged gzip file, every whole line before the damage is read, and then the damage is told")
    func linesBeforeDamage() throws {
        guard Compression.gzip.decoder() != nil else { return }
        // Stored blocks (RFC 1951, 3.2.4), so that the place of each byte is known: a header of 10 bytes, and 5 before
        // the text.
        let text = Array((0..<200).map { "1 \($0) 10\n" }.joined().utf8)
        func block(_ bytes: ArraySlice<UInt8>, kind: UInt8) -> [UInt8] {
            let count = UInt16(bytes.count)
            return [kind] + [count, ~count].flatMap { [UInt8(truncatingIfNeeded: $0), UInt8($0 >> 8)] } + bytes
        }
        let file = [0x1F, 0x8B, 8, 0, 0, 0, 0, 0, 0, 3] + block(text[..<1000], kind: 0) + block(text[1000...], kind: 6)
        let lines = text[..<1000].count { $0 == UInt8(ascii: "\n") }
        for pieces in [0, 1, 700] {
            let input = TraceReading.input(file, pieces: pieces)
            var reader = try TraceReader(input, format: .webcachesim, skipping: .damage)
            var count = 0
            while try reader.next() != nil { count += 1 }
            #expect(count == lines && reader.skipped == 1, "\(pieces)")
            #expect(reader.firstSkipped?.reason.contains("the gzip data is damaged") == true)
            var strict = try TraceReader(TraceReading.input(file, pieces: pieces), format: .webcachesim)
            for _ in 0..<lines { _ = try strict.next() }
            #expect(throws: TraceError.self) { try strict.next() }
        }
    }
}
