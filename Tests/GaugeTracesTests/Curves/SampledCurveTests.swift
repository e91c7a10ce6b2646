import Foundation
import TestSupport
import Testing

@testable import GaugeSupport
@testable import GaugeTraces

@Suite("Curves of a sample") struct SampledCurveTests {
    private static let policies = PolicyKind.all.filter { ["lru", "gdsf"].contains($0.name) }
    /// 100,000 requests for 20,000 objects.
    private static let keys: [UInt64] = {
        var stream = ZipfKeys(objects: 20_000, exponent: 0.9, seed: 3)
        return stream.draw(100_000)
    }()
    private static func size(of key: UInt64) -> Int { 1_000 + Int(key &* 7_919 % 9_000) }
    private static let capacities = [8 << 20, 32 << 20]

    private static func curve(_ sample: KeySample?) -> MissRatioCurve {
        var rules = AccessRules(sizes: BodySizes(.oneSize, seed: 1), urls: RequestURLs(seed: 1))
        var maker = MissRatioCurveMaker(unit: .bytes, capacities: capacities, policies: policies, sample: sample)
        for key in keys {
            let size = size(of: key)
            if let hash = maker.hash(of: key) {
                maker.add(rules.access(TraceRequest(id: key, size: size)), hash: hash)
            } else {
                maker.pass(size: size)
            }
        }
        return maker.curve()
    }

    private static let exact = curve(nil)

    /// The differences of hit ratios from those of all keys.
    private static func differences(_ curve: MissRatioCurve) -> [Double] {
        zip(curve.points, exact.points).map { Double($0.sum.hits - $1.sum.hits) / Double(keys.count) }
    }

    @Test("a sample of all keys has the exact hits") func whole() {
        let curve = Self.curve(KeySample(seed: 1, rate: 1))
        #expect(curve.points.map(\.sum) == Self.exact.points.map(\.sum))
        #expect(curve.requests == Self.exact.requests && curve.requestedBytes == Self.exact.requestedBytes)
    }

    @Test("a sample that holds no key is right within 100 %, and no error is more") func withoutKeys() throws {
        func curve(_ keys: [UInt64]) -> MissRatioCurve {
            let sample = KeySample(seed: 1, rate: 0.5)
            var maker = MissRatioCurveMaker(unit: .bytes, capacities: [1 << 20], sample: sample)
            var rules = AccessRules(sizes: BodySizes(.oneSize, seed: 1), urls: RequestURLs(seed: 1))
            for key in keys {
                guard let hash = maker.hash(of: key) else {
                    maker.pass(size: 1)
                    continue
                }
                maker.add(rules.access(TraceRequest(id: key, size: 1)), hash: hash)
            }
            return maker.curve()
        }
        let inSample = try #require((0..<100).first { curve([$0]).objects == 1 })
        let outside = try #require((0..<100).first { curve([$0]).objects == 0 })
        let without = try #require(curve([outside, outside]).points[0].estimate)
        #expect(without.error == 1 && without.byteError == 1)
        // One key is in one group of eight, so the groups differ by more than the whole.
        let one = try #require(curve([inSample, outside]).points[0].estimate)
        #expect(one.error == 1 && one.byteError == 1)
    }

    @Test("over 20 seeds the mean error is at most a point, and the stated error covers 19 of 20") func accuracy() {
        var (sum, covered, coveredBytes, count) = (0.0, 0, 0, 0)
        let allBytes = Double(Self.exact.requestedBytes)
        for seed in 0..<20 as Range<UInt64> {
            let curve = Self.curve(KeySample(seed: seed, rate: 0.15))
            for (point, difference) in zip(curve.points, Self.differences(curve)) {
                sum += abs(difference)
                count += 1
                if abs(difference) <= point.estimate?.error ?? 0 { covered += 1 }
            }
            for (point, exact) in zip(curve.points, Self.exact.points) {
                let difference = Double(point.sum.bytes - exact.sum.bytes) / allBytes
                if abs(difference) <= point.estimate?.byteError ?? 0 { coveredBytes += 1 }
            }
        }
        #expect(sum / Double(count) < 0.01)
        #expect(covered * 20 >= count * 19, "\(covered) of \(count)")
        #expect(coveredBytes * 20 >= count * 19, "bytes: \(coveredBytes) of \(count)")
    }

    @Test("a sample of a fixed size keeps no more keys, and its rate falls") func fixedSize() throws {
        let curve = Self.curve(KeySample(seed: 2, mostKeys: 2_000))
        let rate = try #require(curve.sample?.rate)
        #expect(rate < 0.2 && rate > 0.05)
        for (point, difference) in zip(curve.points, Self.differences(curve)) {
            #expect(abs(difference) < 0.03, "\(point.policy) at \(point.capacity)")
        }
    }

    @Test("shards have no key in common, and all together have every key") func shards() {
        let samples = (0..<7).map { KeySample(seed: 9, rate: 1, shard: $0, of: 7) }
        for key in 0..<5_000 as Range<UInt64> {
            #expect(samples.count { $0.hash(of: key) != nil } == 1)
        }
        let tenth = (0..<7).map { KeySample(seed: 9, rate: 0.1, shard: $0, of: 7) }
        let kept = (0..<20_000 as Range<UInt64>).count { key in tenth.contains { $0.hash(of: key) != nil } }
        #expect(abs(kept - 2_000) < 200)
    }

    @Test("merged shards estimate better than each, in any order, and say so") func merging() throws {
        let curves = (0..<4).map { Self.curve(KeySample(seed: 5, rate: 0.4, shard: $0, of: 4)) }
        let merged = try curves[0].merged(with: curves[3]).merged(with: curves[1].merged(with: curves[2]))
        #expect(merged.sample?.shards == [0, 1, 2, 3] && abs((merged.sample?.rate ?? 0) - 0.4) < 1e-9)
        for (index, difference) in Self.differences(merged).enumerated() {
            let error = try #require(merged.points[index].estimate?.error)
            #expect(abs(difference) < 0.01)
            #expect(curves.allSatisfy { error < $0.points[index].estimate?.error ?? 0 })
        }
    }

    @Test("requested bytes of results are averaged by their rates, whatever numbers a file has")
    func extremeBytes() throws {
        func curve(_ bytes: Int, rate: Double, shard: Int) -> MissRatioCurve {
            MissRatioCurve(
                unit: .entries, disk: nil, points: [], requests: 1, requestedBytes: bytes, objects: 0,
                sample: SampleSummary(rate: rate, seed: 1, shards: [shard], of: 2))
        }
        for (one, two, rates, merged) in [
            (100, 300, (0.25, 0.25), 200), (100, 300, (0.1, 0.3), 250), (0, .max, (1e-300, 1), 1 << 62),
            (.max, 0, (1e-300, 1), .max - (1 << 62)), (.max, .max, (0.5, 0.5), .max),
        ] as [(Int, Int, (Double, Double), Int)] {
            let result = try curve(one, rate: rates.0, shard: 0).merged(with: curve(two, rate: rates.1, shard: 1))
            #expect(result.requestedBytes == merged)
        }
    }

    @Test("each shard has the weight of its part of the keys, whatever was merged first") func weights() throws {
        let curves = (0..<3).map { Self.curve(KeySample(seed: 5, rate: 0.4, shard: $0, of: 4)) }
        let merged = try curves[0].merged(with: curves[1]).merged(with: curves[2])
        for (index, point) in merged.points.enumerated() {
            let misses = try curves.map { try #require($0.points[index].estimate?.misses) }
            let mean = misses.reduce(0, +) / 3
            #expect(abs(try #require(point.estimate?.misses) - mean) <= 1e-9 * mean)
            // Those of the choice of keys add as squares, less for the 30 % of the keys that are in the samples; those
            // of small caches have a mean.
            for (error, scale) in [(\.error, \.scaleError), (\.byteError, \.byteScaleError)]
                as [((SampleEstimate) -> Double, (SampleEstimate) -> Double)]
            {
                let estimates = try curves.map { try #require($0.points[index].estimate) }
                let squares = estimates.reduce(0) { $0 + pow(error($1) - scale($1), 2) }
                let expected =
                    (squares / 9 * 0.7 / 0.9).squareRoot() + estimates.reduce(0) { $0 + scale($1) } / 3
                #expect(abs(error(try #require(point.estimate)) - expected) <= 1e-6 * expected)
            }
        }
        #expect(merged.objects == curves.reduce(0) { $0 + $1.objects })
    }

    @Test("the command merges the results of shards, and refuses the same shard, another trace and pieces of one")
    func command() throws {
        let scratch = try ScratchDirectory()
        func path(_ name: String) -> String { "\(scratch.path)/\(name)" }
        func write(_ name: String, _ keys: ArraySlice<UInt64>) throws {
            let lines = keys.enumerated().map { "\($0) \($1) \(Self.size(of: $1))\n" }
            try Data(lines.joined().utf8).write(to: URL(filePath: path(name)))
        }
        try write("trace", Self.keys.prefix(4_000))
        try write("half", Self.keys.prefix(2_000))
        func shard(_ result: String, of trace: String, _ shard: String) throws {
            let run = try ChildRun(
                "PlantedGauge",
                [
                    "mrc", "--trace-format=webcachesim", "--format=json", "--shard=\(shard)", "--policy=lru,gdsf",
                    "--capacities=1MiB,4MiB", path(trace),
                ])
            #expect(run.status == 0, "\(run.errors)")
            try Data(run.output.utf8).write(to: URL(filePath: path(result)))
        }
        try shard("one", of: "trace", "1/2")
        try shard("two", of: "trace", "2/2")
        try shard("piece", of: "half", "2/2")
        func merge(_ names: String...) throws -> ChildRun {
            try ChildRun("PlantedGauge", ["mrc", "--merge"] + names.map(path))
        }
        let both = try merge("one", "two")
        #expect(both.status == 0 && both.output.contains("from 100 % of the keys"), "\(both.output)\(both.errors)")
        #expect(try merge("one", "one").errors.contains("both results hold shard 1/2"))
        #expect(try merge("one", "piece").errors.contains("pieces cut by time cannot be merged"))
        #expect(try merge("one", "trace").errors.contains("is not JSON"))
        #expect(try merge("one").status == 64)
    }

    @Test("the command refuses a sample without a key, and says what to do; a shard without one is unsure")
    func emptySamples() throws {
        let scratch = try ScratchDirectory()
        let trace = "\(scratch.path)/trace"
        try Data("1 7 100\n2 7 100\n".utf8).write(to: URL(filePath: trace))
        func run(_ arguments: String...) throws -> ChildRun {
            try ChildRun(
                "PlantedGauge",
                ["mrc", "--trace-format=webcachesim", "--capacities=1MiB", "--format=csv"] + arguments + [trace])
        }
        let refused = try run("--sample=1e-9")
        #expect(refused.status == 1 && refused.output.isEmpty)
        #expect(
            refused.errors.contains("the sample holds none of the trace's keys, so it says nothing; raise --sample"))
        let shards = try (1...8).map { try run("--shard=\($0)/8") }
        #expect(shards.allSatisfy { $0.status == 0 && $0.output.hasSuffix(",1.0,1.0\n") }, "\(shards.map(\.output))")
    }

    /// The log of a server most of whose requests are confirmed, which states no size for those.
    private static let log: [UInt8] = {
        var stream = ZipfKeys(objects: 1_000, exponent: 0.7, seed: 4)
        var random = SplitMix64(seed: 4)
        let lines = stream.draw(6_000).map { key in
            let response = random.next() % 4 == 0 ? "200 \(10 * size(of: key))" : "304 -"
            return "h - - [10/Oct/2000:13:55:36 -0700] \"GET /\(key) HTTP/1.1\" \(response)\n"
        }
        return Array(lines.joined().utf8)
    }()

    private static func logCurve(_ sample: KeySample?) throws -> MissRatioCurve {
        var reader = try TraceReader(TraceInput(name: "t", bytes: log), format: .combined)
        var rules = AccessRules(sizes: BodySizes(.oneSize, seed: 1), urls: RequestURLs(seed: 1))
        let lru = PolicyKind.all.filter { $0.name == "lru" }
        var maker = MissRatioCurveMaker(unit: .bytes, capacities: [8 << 20, 1 << 30], policies: lru, sample: sample)
        let first = try #require(try reader.next())
        try maker.read(&reader, first: first, &rules) { false }
        return maker.curve()
    }

    @Test("the ratio of bytes is not biased where requests do not state the size of their object")
    func unstatedSizes() throws {
        func ratio(_ curve: MissRatioCurve, _ index: Int) -> Double {
            Double(curve.points[index].sum.bytes) / Double(curve.requestedBytes)
        }
        let exact = try Self.logCurve(nil)
        let whole = try Self.logCurve(KeySample(seed: 1, rate: 1))
        #expect(whole.points.map(\.sum) == exact.points.map(\.sum) && whole.requestedBytes == exact.requestedBytes)
        var (sums, covered) = ([0.0, 0.0], 0)
        for seed in 0..<12 as Range<UInt64> {
            let curve = try Self.logCurve(KeySample(seed: seed, rate: 0.3))
            for index in 0..<2 {
                let difference = ratio(curve, index) - ratio(exact, index)
                sums[index] += difference
                if abs(difference) <= curve.points[index].estimate?.byteError ?? 0 { covered += 1 }
            }
        }
        #expect(sums.allSatisfy { abs($0 / 12) < 0.02 }, "\(sums)")
        #expect(covered >= 21, "\(covered) of 24")
        let shards = try (0..<3).map { try Self.logCurve(KeySample(seed: 2, shard: $0, of: 3)) }
        let merged = try shards[0].merged(with: shards[1]).merged(with: shards[2])
        #expect(abs(merged.requestedBytes - exact.requestedBytes) <= 3)
        #expect(merged.requests == exact.requests)
    }

    @Test("the results of shards of a log with confirmed responses can be merged") func mergedLogs() throws {
        let scratch = try ScratchDirectory()
        let lines = ["a 200 100000", "a 304 -", "b 200 50000", "b 304 -"].map { line in
            let parts = line.split(separator: " ", maxSplits: 1)
            return "h - - [10/Oct/2000:13:55:36 -0700] \"GET /\(parts[0]) HTTP/1.1\" \(parts[1])\n"
        }
        let path = "\(scratch.path)/access.log"
        try Data(lines.joined().utf8).write(to: URL(filePath: path))
        for shard in 1...2 {
            let run = try ChildRun(
                "PlantedGauge", ["mrc", "--shard=\(shard)/2", "--capacities=4MiB", "--format=json", path])
            try Data(run.output.utf8).write(to: URL(filePath: "\(scratch.path)/\(shard)"))
        }
        let merged = try ChildRun(
            "PlantedGauge", ["mrc", "--merge", "--format=json", "\(scratch.path)/1", "\(scratch.path)/2"])
        #expect(merged.status == 0 && merged.output.contains("\"requested_bytes\" : 300000"), "\(merged.errors)")
    }
}
