import HTTPAgreement
import HTTPSemantics
import Testing

/// Parts of one representation (RFC 9111, sections 3.3 and 3.4).
@Suite struct RepresentationPartsTests {
    @Test("parts in any order, overlapping or not, are an array of bytes with holes", arguments: 0..<300)
    func anyOrder(seed: UInt64) throws {
        var maker = InputMaker(seed: seed)
        let length = 1 + maker.below(40)
        let bytes = (0..<length).map { _ in UInt8(maker.below(256)) }
        var parts = try #require(RepresentationParts(length: length))
        var known = [UInt8?](repeating: nil, count: length)
        for _ in 0..<maker.below(12) {
            let start = maker.below(length)
            let end = min(length, start + 1 + maker.below(10))
            let isAdded = parts.add(Array(bytes[start..<end]), at: start)
            #expect(isAdded)
            for place in start..<end { known[place] = bytes[place] }
            #expect(Self.bytes(of: parts) == known)
            #expect(parts.byteCount == known.compactMap { $0 }.count)
            #expect(parts.whole == (known.contains(nil) ? nil : bytes))
            // One range from the first unknown byte to the last, unless that is all.
            let unknown = known.indices.filter { known[$0] == nil }
            let range = unknown.first.flatMap { first in unknown.last.map { first..<$0 + 1 } }
            #expect(parts.missing == (range?.count == length ? nil : range))
            // No two of them touch.
            for (part, next) in zip(parts.parts, parts.parts.dropFirst()) {
                #expect(part.offset + part.bytes.count < next.offset)
            }
            #expect(parts.encoded.withUnsafeBytes { RepresentationParts(decoding: $0) } == parts)
        }
    }

    @Test("bytes that contradict known ones drop all parts before") func contradiction() throws {
        var parts = try #require(RepresentationParts(length: 10))
        _ = parts.add([1, 2, 3], at: 0)
        _ = parts.add([9], at: 8)
        let isAdded = parts.add([7, 4], at: 2)
        #expect(isAdded)
        #expect(parts.parts.map(\.offset) == [2] && parts.parts.first?.bytes == [7, 4])
    }

    @Test(
        "bytes that do not lie inside the representation are refused",
        arguments: [(0, 11), (10, 1), (11, 0), (-1, 1), (0, 0), (Int.max, 1)])
    func outside(offset: Int, count: Int) throws {
        var parts = try #require(RepresentationParts(length: 10))
        let isAdded = parts.add([UInt8](repeating: 0, count: count), at: offset)
        #expect(!isAdded)
        #expect(parts.parts.isEmpty)
    }

    @Test("damaged bytes decode to nothing, or to parts that encode to the same bytes", arguments: 0..<40)
    func damage(seed: UInt64) throws {
        var maker = InputMaker(seed: seed)
        var parts = try #require(RepresentationParts(length: 30))
        _ = parts.add([1, 2, 3], at: 0)
        _ = parts.add([4, 5], at: 10)
        for _ in 0..<50 {
            var bytes = parts.encoded
            for _ in 0...maker.below(3) { bytes[maker.below(bytes.count)] ^= UInt8(1 << maker.below(8)) }
            if maker.chance(30) { bytes.removeLast(maker.below(bytes.count)) }
            if let decoded = bytes.withUnsafeBytes({ RepresentationParts(decoding: $0) }) {
                #expect(decoded.encoded == bytes)
            }
        }
    }

    @Test(
        "places near the end of an Int decode to nothing, or to parts that encode to the same bytes", arguments: 0..<200
    )
    func extremes(seed: UInt64) {
        var maker = InputMaker(seed: seed)
        let numbers: [UInt64] = [0, 1, UInt64(Int.max) - 1, UInt64(Int.max), 1 << 63, .max]
        // A length, two parts, and where they are.
        let whole = [numbers[3], 2, 0, 1, numbers[2], 1]
        #expect(Self.decoded(whole) != nil)
        #expect(Self.decoded([numbers[3], 2, numbers[2], 1, 0, 1]) == nil)
        for _ in 0..<50 {
            var words = whole
            for _ in 0...maker.below(3) { words[maker.below(6)] = numbers[maker.below(6)] }
            if let decoded = Self.decoded(words) { #expect(decoded.encoded == Self.encoded(words)) }
        }
    }

    private static func encoded(_ words: [UInt64]) -> [UInt8] {
        words.flatMap { word in (0..<8).map { UInt8(truncatingIfNeeded: word >> (8 * $0)) } } + [1, 2]
    }

    private static func decoded(_ words: [UInt64]) -> RepresentationParts? {
        encoded(words).withUnsafeBytes { RepresentationParts(decoding: $0) }
    }

    @Test(
        "a part needs a known range, a strong validator and a body that is not coded (C11)",
        arguments: [
            ("ETag: \"x\"\nContent-Range: bytes 2-4/10", true), ("ETag: W/\"x\"\nContent-Range: bytes 2-4/10", false),
            ("Content-Range: bytes 2-4/10", false), ("ETag: \"x\"\nContent-Range: bytes 2-4/*", false),
            ("ETag: \"x\"\nContent-Range: bytes */10", false), ("ETag: \"x\"", false),
            ("ETag: \"x\"\nContent-Type: multipart/byteranges", false),
            ("ETag: \"x\"\nContent-Range: bytes 2-4/10\nContent-Encoding: gzip", false),
            ("ETag: \"x\"\nContent-Range: bytes 2-4/10\nAccept-Ranges: none", false),
            ("Date: {0}\nLast-Modified: {-60}\nContent-Range: bytes 2-4/10", true),
            ("Date: {0}\nLast-Modified: {-59}\nContent-Range: bytes 2-4/10", false),
            ("ETag: W/\"x\"\nDate: {0}\nLast-Modified: {-60}\nContent-Range: bytes 2-4/10", false),
        ])
    func partialResponse(fields: String, isPart: Bool) {
        let part = PartialResponse(response(fields, status: 206), responseTime: receipt)
        #expect((part != nil) == isPart)
        if let part { #expect(part.offset == 2 && part.count == 3 && part.length == 10) }
    }

    @Test("the beginning of a 200 of known length is a part") func beginning() {
        let part = PartialResponse(response("ETag: \"x\"\nContent-Length: 10\nA: 1"), responseTime: receipt)
        #expect(part?.offset == 0 && part?.count == 10 && part?.fields == header("ETag: \"x\"\nA: 1"))
        #expect(PartialResponse(response("ETag: \"x\""), responseTime: receipt) == nil)
        #expect(PartialResponse(response("ETag: \"x\"\nContent-Length: 0"), responseTime: receipt) == nil)
        #expect(PartialResponse(response("ETag: \"x\"\nContent-Length: 9", status: 404), responseTime: receipt) == nil)
    }

    @Test("parts are combined only under the same strong validator, and take the newer fields (C11)")
    func combining() throws {
        let fields = "ETag: \"x\"\nContent-Range: bytes 2-4/10\nA: 2"
        let part = try #require(PartialResponse(response(fields, status: 206), responseTime: receipt))
        let combined = part.fields(combinedWith: header("ETag: \"x\"\nA: 1\nB: 1"), responseTime: receipt)
        #expect(combined == header("B: 1\nETag: \"x\"\nA: 2"))
        for other in ["ETag: \"y\"", "ETag: W/\"x\"", "A: 1", "Date: {0}\nLast-Modified: {-100}"] {
            #expect(part.fields(combinedWith: header(other), responseTime: receipt) == nil)
        }
    }

    private static func bytes(of parts: RepresentationParts) -> [UInt8?] {
        var bytes = [UInt8?](repeating: nil, count: parts.length)
        for part in parts.parts {
            for (place, byte) in part.bytes.enumerated() { bytes[part.offset + place] = byte }
        }
        return bytes
    }
}
