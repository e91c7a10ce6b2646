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
        let padded = TraceReading.message(whole + [0, 0, 0], .csv)
        #expect(compression == .zstd || padded == "read 12", "\(padded)")
    }
}
