import Testing

@testable import GaugeKit
@testable import GaugeSupport
@testable import GaugeTraces

/// Each bound in its own place, as parts of all requests.
@Suite("Report of the bounds") struct BoundsReportTests {
    /// 80 requests for 13 objects.
    private static func log(_ size: (Int) -> Int) -> ReuseLog {
        var log = ReuseLog()
        var random = Xoshiro256(seed: 6)
        var numbers: [Int: Int] = [:]
        var pasts: [ReuseLog.Past] = []
        for _ in 0..<80 {
            let key = Int(min(random.next(below: 13), random.next(below: 13)))
            let object = numbers[key, default: pasts.count]
            numbers[key] = object
            if object == pasts.count { pasts.append(ReuseLog.Past()) }
            log.note(
                &pasts[object], object: object, size: size(key), isChanged: false, now: 0, mayBeAnswered: true,
                expiry: .infinity)
        }
        return log
    }

    /// 20 requests of 1,000 bytes in all, so that 3 hits are 15 %.
    private static let counts: HitCounts = {
        var counts = HitCounts()
        (counts.memoryHits, counts.diskHits, counts.misses, counts.wrong) = (2, 1, 16, 1)
        (counts.requestedBytes, counts.hitBytes) = (1_000, 250)
        return counts
    }()

    @Test("by bytes: each bound in parts of the replay's requests and bytes") func bytes() throws {
        let bounds = try #require(Bounds(Self.log { 10 + 37 * $0 % 90 }, capacity: .bytes(120)))
        let (heuristic, upper) = (try #require(bounds.beladyBySize), try #require(bounds.footprint))
        #expect(heuristic != upper && upper != bounds.infinite && bounds.optimum == nil)
        let report = BoundsReport(bounds, of: Self.counts)
        func line(_ name: String, _ sum: HitSum) -> String {
            let cells = [Quantity.percent(Double(sum.hits) / 20), Quantity.percent(Double(sum.bytes) / 1_000)]
            return "  \(name)".padded(to: 44) + cells[0].leftPadded(to: 11) + cells[1].leftPadded(to: 16) + "\n"
        }
        let lines = [
            "bounds for 120 bytes of bodies".padded(to: 44) + "  hit ratio  byte hit ratio\n",
            "  this replay".padded(to: 44) + "     15.0 %          25.0 %\n",
            line("Belady by size (heuristic)", heuristic), line("PFOO-L (upper bound)", upper),
            line("infinite cache", bounds.infinite),
        ]
        #expect(report.text.split(separator: "\n").dropFirst() == lines.joined().split(separator: "\n").dropFirst())
        for (name, sum) in [("belady_by_size", heuristic), ("pfoo_l", upper), ("infinite", bounds.infinite)] {
            let object = try #require(report.json[name])
            #expect(object["hits"]?.double == Double(sum.hits) && object["hit_bytes"]?.double == Double(sum.bytes))
            #expect(object["hit_ratio"]?.double == Double(sum.hits) / 20)
            #expect(object["byte_hit_ratio"]?.double == Double(sum.bytes) / 1_000)
        }
        #expect(report.json["bytes"]?.double == 120 && report.json["entries"] == nil)
    }

    @Test("by entries: MIN, without bytes") func entries() throws {
        let bounds = try #require(Bounds(Self.log { _ in 10 }, capacity: .entries(2)))
        let optimum = try #require(bounds.optimum)
        let report = BoundsReport(bounds, of: Self.counts)
        #expect(report.text.hasPrefix("bounds for 2 entries"))
        #expect(report.text.contains("Belady's MIN (optimum)"))
        #expect(report.json["belady_min"]?["hits"]?.double == Double(optimum.hits))
        #expect(report.json["belady_min"]?["hit_bytes"] == nil && report.json["entries"]?.double == 2)
    }

    @Test("where answers expire, no bound is the optimum") func expiry() throws {
        var log = ReuseLog()
        var past = ReuseLog.Past()
        for now in [0.0, 1, 2] {
            log.note(&past, object: 0, size: 10, isChanged: false, now: now, mayBeAnswered: true, expiry: now + 5)
        }
        let report = BoundsReport(try #require(Bounds(log, capacity: .entries(2))), of: Self.counts)
        let lines = report.text.split(separator: "\n").map { $0.prefix(44).reversed().drop { $0 == " " }.reversed() }
        #expect(
            lines.map { String($0) }.filter { $0.contains("bound") } == [
                "bounds for 2 entries, with expiry", "  Belady's MIN (upper bound)",
                "  infinite cache (upper bound)",
            ], "\(report.text)")
    }
}
