import Foundation
import TestSupport
import Testing

@testable import GaugeSupport
@testable import GaugeTraces

@Suite("Miss ratio curve") struct MissRatioCurveTests {
    private var rules: AccessRules { AccessRules(sizes: BodySizes(.oneSize, seed: 1), urls: RequestURLs(seed: 1)) }

    @Test("by entries a trace that expires is simulated, at the same capacities as one that does not") func ladder() {
        var stream = ZipfKeys(objects: 40, exponent: 0.7, seed: 3)
        let keys = stream.draw(1000)
        var (simulated, distances) = (
            MissRatioCurveMaker(unit: .entries, capacities: nil, usesDistances: false),
            MissRatioCurveMaker(unit: .entries, capacities: nil)
        )
        var rules = rules
        rules.countsBytes = false
        for key in keys {
            let access = rules.access(TraceRequest(id: key))
            simulated.add(access)
            distances.add(access)
        }
        #expect(simulated.curve().points.map(\.capacity) == [1, 2, 4, 8, 16, 32, 64])
        #expect(simulated.curve().points.map(\.sum.hits) == distances.curve().points.map(\.sum.hits))
    }

    @Test("by entries the curve is that of exact LRU at every capacity", arguments: [1, 2, 3] as [UInt64])
    func exact(seed: UInt64) {
        var stream = ZipfKeys(objects: 300, exponent: 0.7, seed: seed)
        let keys = stream.draw(4000)
        let capacities = [0, 1, 2, 3, 5, 16, 100, 299, 300, 1000]
        var maker = MissRatioCurveMaker(unit: .entries, capacities: capacities)
        var rules = rules
        for key in keys { maker.add(rules.access(TraceRequest(id: key))) }
        for point in maker.curve().points {
            var lru = ExactLRU(capacity: .entries(point.capacity))
            let hits = keys.count { lru.access($0) }
            #expect(point.sum.hits == hits, "capacity \(point.capacity)")
        }
    }

    @Test("a short line is moved together as often as needed, and changes nothing", arguments: [2, 3, 64])
    func compaction(length: Int) {
        var short = StackDistances(length: length)
        var long = StackDistances(length: 100_000)
        var random = SplitMix64(seed: 9)
        for _ in 0..<3000 {
            let key = random.next() % 50
            #expect(short.access(key) == long.access(key))
        }
    }

    @Test("by bytes each capacity is simulated, and a change of size is a miss") func bytes() {
        var maker = MissRatioCurveMaker(unit: .bytes, capacities: [10, 100])
        var rules = rules
        for (key, size) in [(1, 10), (2, 10), (1, 10), (1, 11), (1, 11), (3, 200), (3, 200)] as [(UInt64, Int)] {
            maker.add(rules.access(TraceRequest(id: key, size: size)))
        }
        #expect(maker.curve().points.map(\.sum) == [HitSum(hits: 0, bytes: 0), HitSum(hits: 2, bytes: 21)])
        #expect(maker.curve().requests == 7 && maker.curve().requestedBytes == 452 && maker.curve().objects == 3)
    }

    @Test("the command takes a trace from the standard input, and writes text, JSON and CSV") func command() throws {
        let scratch = try ScratchDirectory()
        let trace = "\(scratch.path)/trace"
        try Data("1 1 10\n2 2 20\n3 1 10\n".utf8).write(to: URL(filePath: trace))
        let text = try ChildRun("PlantedGauge", ["mrc", "--trace-format=webcachesim", "--by=entries", trace])
        #expect(text.status == 0 && text.output.contains("LRU by number of entries: exact"), "\(text.errors)")
        let planted = RunningChild.path(of: "PlantedGauge")
        let csv = try ChildRun(
            "sh",
            [
                "-c",
                "cat '\(trace)' | '\(planted)' mrc --trace-format webcachesim --format csv --capacities '10,1KiB' -",
            ])
        #expect(
            csv.output
                == """
                policy,capacity_bytes,hits,hit_ratio,miss_ratio,byte_hit_ratio,byte_miss_ratio
                lru,10,1,\(1.0 / 3),\(2.0 / 3),0.25,0.75
                lru,1024,1,\(1.0 / 3),\(2.0 / 3),0.25,0.75

                """)
        let json = try ChildRun("PlantedGauge", ["mrc", "--trace-format=webcachesim", "--format=json", trace])
        struct Document: Decodable {
            struct Point: Decodable { let capacity, hits: Int }
            let requests, objects: Int
            let exact: Bool
            let points: [Point]
        }
        let document = try JSONDecoder().decode(Document.self, from: Data(json.output.utf8))
        #expect(document.requests == 3 && document.objects == 2 && !document.exact && document.points.count == 11)
    }

    @Test("of a trace without sizes objects are counted, or bytes of the bodies of --sizes, of 4 KiB unless said")
    func sizes() throws {
        let scratch = try ScratchDirectory()
        let trace = "\(scratch.path)/keys"
        try Data([1, 2, 1].flatMap { [0, 0, 0, $0] as [UInt8] }).write(to: URL(filePath: trace))
        func curve(_ arguments: String...) throws -> String {
            let run = try ChildRun("PlantedGauge", ["mrc", "--trace-format=be32"] + arguments + [trace])
            #expect(run.status == 0 && run.errors == "", "\(run.errors)")
            return run.output
        }
        #expect(
            try curve("--format=csv")
                == "policy,capacity_entries,hits,hit_ratio,miss_ratio\nlru,1,0,0.0,1.0\nlru,2,1,\(1.0 / 3),\(2.0 / 3)\n"
        )
        let header = "policy,capacity_bytes,hits,hit_ratio,miss_ratio,byte_hit_ratio,byte_miss_ratio\n"
        let line = "1,\(1.0 / 3),\(2.0 / 3),\(1.0 / 3),\(2.0 / 3)\n"
        #expect(
            try curve("--format=csv", "--by=bytes", "--capacities=8191,8192") == header
                + "lru,8191,0,0.0,1.0,0.0,1.0\nlru,8192,\(line)"
        )
        #expect(
            try curve("--format=csv", "--sizes=constant,bytes=10", "--capacities=19,20")
                == header + "lru,19,0,0.0,1.0,0.0,1.0\nlru,20,\(line)")
        #expect(try curve("--by=bytes").contains("body sizes      where the trace has none: 4096 bytes each\n"))
        #expect(try !curve().contains("body sizes"))
        #expect(
            try curve("--format=json", "--sizes=constant,bytes=10").contains(
                #""body_sizes" : "where the trace has none: 10 bytes each""#))
    }

    @Test("the size of a response that passes the cache by is not that of the object") func passedBy() throws {
        let scratch = try ScratchDirectory()
        let trace = "\(scratch.path)/log"
        let answers = [("GET", "200 1000"), ("POST", "200 50"), ("GET", "304 -"), ("GET", "304 -")]
        let lines = answers.map { method, answer in
            #"127.0.0.1 - - [10/Oct/2026:13:55:36 +0000] "\#(method) /a HTTP/1.1" \#(answer)"#
        }
        try Data((lines.joined(separator: "\n") + "\n").utf8).write(to: URL(filePath: trace))
        let run = try ChildRun(
            "PlantedGauge",
            ["mrc", "--trace-format=combined", "--by=bytes", "--capacities=500,2000", "--format=csv", trace])
        #expect(run.status == 0, "\(run.errors)")
        #expect(
            run.output.split(separator: "\n").dropFirst().map { $0.prefix { $0 != "." } } == [
                "lru,500,0,0", "lru,2000,1,0",
            ])
    }

    @Test(
        "what is wrong with the command line or the trace is told",
        arguments: [
            (["mrc"], 64, "mrc needs FILE"), (["mrc", "--capacities", "1,x", "-"], 64, "size 'x' is not a number"),
            (["mrc", "--sizes=constant", "-"], 64, "--sizes: line 1, column 1: sizes lacks 'bytes'"),
            (["mrc", "--sizes=constant,bytes=9", "--by=entries", "-"], 64, "leave out --sizes"),
            (["mrc", "--trace-format=be32", "/dev/null"], 1, "holds no request"),
            (["mrc", "--trace-format=be32", "/"], 1, "is a directory; name the files in it, such as"),
            (["mrc", ""], 64, "the name of a file is empty; name a file, or - for standard input"),
            (["mrc", "/nonexistent"], 1, "cannot be opened"),
        ] as [([String], Int32, String)])
    func errors(arguments: [String], status: Int32, told: String) throws {
        let run = try ChildRun("PlantedGauge", arguments)
        #expect(run.status == status && run.errors.contains(told), "\(run.errors)")
    }
}
