import TestSupport
import Testing

@testable import GaugeSupport
@testable import GaugeTraces

@Suite("Curves of traces read in blocks") struct PlainReadingTests {
    /// 9,000 requests for 700 objects, some of which change their size, as oracleGeneral.
    private static let trace: [UInt8] = {
        var stream = ZipfKeys(objects: 700, exponent: 0.8, seed: 2)
        var random = SplitMix64(seed: 2)
        return stream.draw(9_000).enumerated().flatMap { number, key -> [UInt8] in
            let size = UInt32(key % 90 * 40 + (random.next() % 20 == 0 ? 7 : 0))
            return Self.bytes(UInt32(number)) + Self.bytes(key) + Self.bytes(size) + Self.bytes(Int64(-1))
        }
    }()

    private static func bytes<Number: FixedWidthInteger>(_ number: Number) -> [UInt8] {
        withUnsafeBytes(of: number.littleEndian) { Array($0) }
    }

    private static func rules(_ changes: SizeChanges) -> AccessRules {
        var rules = AccessRules(sizes: BodySizes(.oneSize, seed: 1), urls: RequestURLs(seed: 1))
        rules.sizeChanges = changes
        rules.admission = AdmissionRule(
            keyBytes: { $0.utf8.count % 9 == 0 ? nil : $0.utf8.count }, overhead: 30, share: 20)
        return rules
    }

    @Test(
        "have the hits of the same requests one by one, of sizes that change, and with objects that are refused",
        arguments: SizeChanges.allCases, [0, 1, 1_000])
    func together(changes: SizeChanges, pieces: Int) throws {
        for format in [TraceFormat.oracleGeneral, .be32] {
            let most = [0: nightly(216_000, else: 24_000), 1: 2_400][pieces] ?? nightly(48_000, else: 12_000)
            let bytes = Array(Self.trace.prefix(most))
            var rules = Self.rules(changes)
            var maker = MissRatioCurveMaker(
                unit: .bytes, capacities: [0, 20_000, 200_000], policies: PolicyKind.all, admission: rules.admission)
            var reader = try TraceReader(TraceReading.input(bytes, pieces: pieces), format: format)
            let first = try #require(try reader.next())
            try maker.read(&reader, first: first, &rules) { false }

            var otherRules = Self.rules(changes)
            var other = MissRatioCurveMaker(
                unit: .bytes, capacities: [0, 20_000, 200_000], policies: PolicyKind.all, admission: rules.admission)
            let (requests, otherReader) = try TraceReading.all(bytes, format)
            for request in requests { other.add(otherRules.access(request)) }
            let (curve, expected) = (maker.curve(), other.curve())
            #expect(curve.points == expected.points)
            #expect(curve.requests == expected.requests && curve.requestedBytes == expected.requestedBytes)
            #expect(curve.objects == expected.objects)
            #expect(reader.count == otherReader.count && reader.digest == otherReader.digest)
        }
    }

    @Test("a trace that is cut inside a record is told, with all requests before it counted") func cut() throws {
        var rules = Self.rules(.version)
        var maker = MissRatioCurveMaker(unit: .bytes, capacities: [1_000])
        var reader = try TraceReader(
            TraceInput(name: "t", bytes: Array(Self.trace.dropLast(5))), format: .oracleGeneral, skipping: .damage)
        let first = try #require(try reader.next())
        try maker.read(&reader, first: first, &rules) { false }
        #expect(maker.curve().requests == 8_999 && reader.skipped == 1)
        var strict = try TraceReader(
            TraceInput(name: "t", bytes: Array(Self.trace.dropLast(5))), format: .oracleGeneral, skipping: .nothing)
        let again = try #require(try strict.next())
        #expect(throws: TraceError.self) { try maker.read(&strict, first: again, &rules) { false } }
    }
}
