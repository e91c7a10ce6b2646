import Platform
import Testing

@Suite(.enabled(if: Inflater.isAvailable, "zlib cannot be loaded"))
struct InflaterTests {
    /// "hi" in one stored block (RFC 1951, section 3.2.4).
    private static let stored: [UInt8] = [0x01, 0x02, 0x00, 0xFD, 0xFF, 0x68, 0x69]

    @Test("A call that can neither read nor write is no damage, and the stream goes on after it")
    func noProgress() throws {
        let inflater = try #require(Inflater(.rawDeflate))
        var output = [UInt8](repeating: 0, count: 8)
        for input in [[], Self.stored] {
            let (read, written, isAtEnd) = try input.withUnsafeBytes { input in
                try output.withUnsafeMutableBytes { try inflater.inflate(input, into: $0) }
            }
            if isAtEnd {
                #expect(read == Self.stored.count && output[..<written] == [0x68, 0x69])
                return
            }
            #expect(read == 0 && written == 0)
        }
        Issue.record("the stream has no end")
    }

    @Test("What follows the end of a stream is not read") func bytesBehindTheEnd() throws {
        let inflater = try #require(Inflater(.rawDeflate))
        var output = [UInt8](repeating: 0, count: 8)
        let (read, written, isAtEnd) = try (Self.stored + [1, 2, 3, 4, 5]).withUnsafeBytes { input in
            try output.withUnsafeMutableBytes { try inflater.inflate(input, into: $0) }
        }
        #expect(isAtEnd && read == Self.stored.count && written == 2)
    }

    @Test("Damage tells how many bytes were decoded before it") func written() throws {
        let inflater = try #require(Inflater(.rawDeflate))
        var output = [UInt8](repeating: 0, count: 8)
        // The block is not the last one, and after it comes one of the reserved type 3.
        let damaged = [0x00] + Self.stored.dropFirst() + [0x06]
        let error = #expect(throws: Inflater.Corrupt.self) {
            try damaged.withUnsafeBytes { input in
                try output.withUnsafeMutableBytes { try inflater.inflate(input, into: $0) }
            }
        }
        #expect(error?.written == 2 && output[..<2] == [0x68, 0x69])
    }

    @Test("Bytes of another coding are damage") func corrupt() throws {
        let inflater = try #require(Inflater(.gzip))
        var output = [UInt8](repeating: 0, count: 8)
        #expect(throws: Inflater.Corrupt.self) {
            try Self.stored.withUnsafeBytes { input in
                try output.withUnsafeMutableBytes { try inflater.inflate(input, into: $0) }
            }
        }
    }

    @Test("A part of the input, or room for a part of the output, gives what was read and what was written of each")
    func parts() throws {
        // The header of the block is five bytes, behind it come the two of its content.
        for (available, room, read, written) in [(3, 8, 3, 0), (6, 8, 6, 1), (7, 1, 6, 1), (7, 2, 7, 2)] {
            let inflater = try #require(Inflater(.rawDeflate))
            var output = [UInt8](repeating: 0, count: room)
            let result = try Self.stored.prefix(available).withUnsafeBytes { input in
                try output.withUnsafeMutableBytes { try inflater.inflate(input, into: $0) }
            }
            #expect(result.written == written, "\(available) bytes into \(room)")
            #expect(result.read == read, "\(available) bytes into \(room)")
            #expect(Array(output.prefix(written)) == Array([0x68, 0x69].prefix(written)))
        }
    }
}
