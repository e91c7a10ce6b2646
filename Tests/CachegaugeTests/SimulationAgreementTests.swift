import CacheTiers
import TestSupport
import Testing

@testable import GaugeMeasurement
@testable import GaugeKit
@testable import GaugeSupport
@testable import GaugeTraces
@testable import cachegauge

/// The memory tier alone and its simulation decide alike about every request.
@Suite("Agreement of simulation and replay") struct SimulationAgreementTests {
    private func simulate(
        _ bytes: [UInt8], _ format: TraceFormat, _ unit: MissRatioCurve.Unit, _ capacities: [Int],
        _ changes: SizeChanges = .version
    ) throws -> MissRatioCurve {
        var reader = try TraceReader(TraceInput(name: "t", bytes: bytes), format: format)
        var rules = AccessRules(sizes: BodySizes(.oneSize, seed: 1), urls: RequestURLs(seed: 1))
        rules.caching = ReferenceRules()
        rules.admission = TieredSubject.admission
        rules.sizeChanges = changes
        rules.countsBytes = unit == .bytes
        let isHTTP = [.har, .squid, .combined, .jsonLog, .w3c].contains(format)
        var maker = MissRatioCurveMaker(
            unit: unit, capacities: capacities, admission: rules.admission, usesDistances: !isHTTP)
        let first = try #require(try reader.next())
        try maker.read(&reader, first: first, &rules) { false }
        return maker.curve()
    }

    private func replay(
        _ bytes: [UInt8], _ format: TraceFormat, _ unit: MissRatioCurve.Unit, _ capacity: Int,
        _ changes: SizeChanges = .version
    ) throws -> HitCounts {
        var reader = try TraceReader(TraceInput(name: "t", bytes: bytes), format: format)
        let scratch = try ScratchDirectory()
        var settings = ReplaySettings(
            configuration: SubjectConfiguration(
                memoryCapacity: unit == .bytes ? capacity : 0, diskCapacity: 0, directory: scratch.path,
                entryLimit: unit == .entries ? capacity : nil), seed: 1)
        settings.rules = ReferenceRules()
        settings.sizeChanges = changes
        let answers = Answers()
        let result = try Replay.run(TieredSubject.self, &reader, settings: settings, answers: answers)
        #expect(answers.count == 0 && result.counts.wrong == 0)
        if let bounds = result.bounds, changes == .version {
            #expect(bounds.infinite.hits >= result.counts.hits, "the bound of \(format)")
        }
        return result.counts
    }

    @Test("spellings of a URL that the cache takes for one key are one object, and all others several")
    func spellings() throws {
        var urls: [String] = []
        for scheme in ["http", "HTTPS", "https"] {
            for host in ["a.example", "A.Example", "[::1]", "[::A]", "[::a]"] {
                for port in ["", ":", ":80", ":443", ":0443", ":8080", ":08080"] {
                    for rest in ["", "/", "/#f", "#f", "/x", "/X", "/x?q", "?q", "/?q", "/x#g?h", "/a:80/b//c"] {
                        urls.append("\(scheme)://\(host)\(port)\(rest)")
                    }
                }
            }
        }
        var objects: [[UInt8]: Set<UInt64>] = [:]
        for url in urls {
            let bytes = Array("url,size\n\(url),1000\n".utf8)
            var reader = try TraceReader(TraceInput(name: "t", bytes: bytes), format: .csv)
            let id = try #require(try reader.next()).id
            let key = try Array(url.utf8).withUnsafeBytes { try CanonicalURL.withBytes(of: $0) { Array($0) } }
            objects[key, default: []].insert(id)
        }
        #expect(objects.values.allSatisfy { $0.count == 1 })
        #expect(Set(objects.values.flatMap(\.self)).count == objects.count)
        let trace = Array(("url,size\n" + (urls + urls).map { "\($0),1000\n" }.joined()).utf8)
        for point in try simulate(trace, .csv, .bytes, [30_000, 1_000_000]).points {
            #expect(try replay(trace, .csv, .bytes, point.capacity).hits == point.sum.hits)
        }
    }

    private func expectAgreement(_ trace: RandomTrace, _ format: TraceFormat, _ changes: SizeChanges = .version) throws
    {
        let bytes = trace.bytes(format)
        for (unit, capacities) in [(.bytes, [0, 9000, 40_000, 400_000]), (.entries, [1, 7, 30, 1000])]
            as [(MissRatioCurve.Unit, [Int])]
        {
            let curve = try simulate(bytes, format, unit, capacities, changes)
            for point in curve.points {
                let counts = try replay(bytes, format, unit, point.capacity, changes)
                #expect(counts.hits == point.sum.hits, "\(format), \(point.capacity) \(unit), \(changes)")
                #expect(counts.requests == curve.requests && counts.requestedBytes == curve.requestedBytes)
                if unit == .bytes { #expect(counts.hitBytes == point.sum.bytes) }
            }
        }
    }

    /// All but those whose lines need a layout.
    static let readable = TraceFormat.allCases.filter { $0 != .textLog }

    @Test("in every format both have the same hits at every capacity", arguments: readable)
    func formats(format: TraceFormat) throws {
        try expectAgreement(RandomTrace(seed: 3), format)
    }

    @Test(
        "over generated logs, twelve each night, both have the same hits",
        arguments: 1...nightly(12, else: 3) as ClosedRange<UInt64>)
    func logs(seed: UInt64) throws {
        let formats: [TraceFormat] = [.combined, .squid, .har]
        try expectAgreement(RandomTrace(seed: 100 + seed), formats[Int(seed % 3)])
    }

    @Test("requests whose URL the cache refuses are misses, whether entries or bytes are counted")
    func refusedURLs() throws {
        let refused = ["ftp://a.example/f", "https://u:p@a.example/", "data:text/plain;x"]
        var random = SplitMix64(seed: 6)
        let lines = (0..<400).map { _ in
            let object = Int(random.next() % 20)
            return "\(object < refused.count ? refused[object] : "https://a.example/\(object)"),1000\n"
        }
        let bytes = Array(("url,size\n" + lines.joined()).utf8)
        for (unit, capacities) in [(.bytes, [9000, 400_000]), (.entries, [1, 3, 7, 17, 1000])]
            as [(MissRatioCurve.Unit, [Int])]
        {
            for point in try simulate(bytes, .csv, unit, capacities).points {
                #expect(try replay(bytes, .csv, unit, point.capacity).hits == point.sum.hits, "\(point)")
            }
        }
    }

    @Test("whatever a changed size means, both have the same hits", arguments: [SizeChanges.ignore, .update])
    func sizes(changes: SizeChanges) throws {
        for format in [TraceFormat.csv, .squid] { try expectAgreement(RandomTrace(seed: 8), format, changes) }
    }

    @Test("the first size that a log states for an object is no change of its assumed size") func assumedSize() throws {
        func log(_ responses: (status: Int, size: String)...) -> [UInt8] {
            let lines = responses.map {
                "h - - [10/Oct/2000:13:55:36 -0700] \"GET /logo HTTP/1.1\" \($0.status) \($0.size)\n"
            }
            return Array(lines.joined().utf8)
        }
        let first = log((304, "-"), (200, "20000"))
        // The error has a size, but the entry keeps the assumed one.
        let later = log((304, "-"), (500, "900"), (200, "20000"), (304, "-"), (200, "20000"), (200, "30000"))
        for (bytes, hits, hitBytes) in [(first, 1, 20_000), (later, 4, 64_096)] {
            let curve = try simulate(bytes, .combined, .bytes, [4 << 20])
            #expect(curve.points.map(\.sum) == [HitSum(hits: hits, bytes: hitBytes)])
            let counts = try replay(bytes, .combined, .bytes, 4 << 20)
            #expect(counts.hits == hits && counts.hitBytes == hitBytes)
        }
        // As soon as the size is known, the entry is too large for the cache.
        let large = log((304, "-"), (200, "20000"), (200, "20000"))
        #expect(try simulate(large, .combined, .bytes, [200_000]).points.map(\.sum.hits) == [1])
        #expect(try replay(large, .combined, .bytes, 200_000).hits == 1)
    }

    @Test("a request that no cache answers does not hide that the next one changes the size of the entry")
    func sizeAfterPassedRequest() throws {
        let lines = [(200, 0), (206, 22_480), (200, 22_480), (200, 22_480)].enumerated().map { index, response in
            "\(1000 + index).000 5 c T/\(response.0) \(response.1) GET http://a.example/ - D/- t\n"
        }
        let bytes = Array(lines.joined().utf8)
        // The larger body is above 5 % of the capacity, so the hit that makes the entry so large removes it.
        let curve = try simulate(bytes, .squid, .bytes, [200_000], .update)
        #expect(curve.points.map(\.sum.hits) == [1])
        #expect(try replay(bytes, .squid, .bytes, 200_000, .update).hits == 1)
    }

    @Test("the length of a generated URL is known without making it") func lengths() {
        var random = SplitMix64(seed: 4)
        for seed in 0..<4 as Range<UInt64> {
            let urls = RequestURLs(seed: seed)
            for _ in 0..<2000 {
                let key = random.next() >> (random.next() % 64)
                #expect(urls.count(of: key) == urls.url(for: key).utf8.count)
                #expect(TieredSubject.admission.keyBytes?(urls.url(for: key)) == urls.count(of: key))
            }
        }
    }
}
