import GaugeTraces
import Platform

extension SubjectBenchmarks {
    /// How close a subject's eviction comes to LRU, and at what cost: requests for 20,000 objects of one size by Zipf's
    /// law, about a quarter of which fit.
    ///
    /// Figures: the hit ratio beside that of an exact LRU on the same requests and capacity, with an entry counted as
    /// body, key and 64 bytes; and the bytes written per stored byte. Counting starts when an LRU of that size is warm,
    /// before anything is timed.
    ///
    /// - Parameters:
    ///   - exponent: how steeply popularity falls.
    ///   - warm: requests before counting.
    @inlinable
    package static func reclaim<Subject: CacheSubject>(
        _ type: Subject.Type, _ work: SubjectCase, exponent: Double, warm: Int = 60_000,
        counted: Int = 100_000
    ) -> Benchmark {
        benchmark(type, work) { context in
            let ids = (0..<UInt64(reclaimObjects)).map { $0 }
            let checked = try filled(type, work, context, ids: [])
            let keyBytes = checked.urls.url(for: 0).utf8.count
            let capacity = work.tier.capacity(context)
            var keys = try KeyTable(ids, of: checked, nanoseconds: .max / 4)
            var stream = ZipfKeys(objects: ids.count, exponent: exponent, seed: context.seed)
            var exact = ExactLRU(capacity: .bytes(capacity, largest: capacity))
            var counts = HitCounts()
            var exactHits = 0
            var untimed = LatencyRecorder()
            func request(_ recorder: inout LatencyRecorder) {
                let id = stream.next()
                guard let key = keys.key(at: Int(id)) else { return }
                let answer = checked.lookUp(key, id: id, version: 1, count: work.bodyCount, &recorder)
                counts.count(answer, bytes: work.bodyCount)
                if exact.access(id, size: work.bodyCount + keyBytes + recordOverhead) { exactHits += 1 }
                if case .hit = answer { return }
                checked.store(key, id: id, version: 1, count: work.bodyCount, as: .storeEvict, &recorder)
            }
            for _ in 0..<warm { request(&untimed) }
            let amplification = WriteAmplification(checked.subject.counters)
            counts = HitCounts()
            exactHits = 0
            for _ in 0..<counted { request(&untimed) }
            let figures =
                [
                    Figure("hit ratio", counts.hitRatio, .ratio),
                    Figure("exact LRU", Double(exactHits) / Double(max(1, counts.requests)), .ratio),
                ] + amplification.figures(at: checked.subject.counters)
            return PreparedBenchmark(
                .timed { operations, recorder in for _ in 0..<operations { request(&recorder) } },
                figures: { figures })
        }
    }

    @usableFromInline package static let reclaimObjects = 20_000
    @usableFromInline package static let recordOverhead = 64
}

extension SubjectBenchmarks {
    /// The hardest case for a cache that reclaims space: nearly all entries are in use. The hot part has nine tenths of
    /// the entries that fit, all requested equally often. One request in twenty stores a new entry that isn't requested
    /// again.
    ///
    /// To keep the hot entries, a cache must rewrite them or find room beside them. If it doesn't, it will miss them,
    /// and the store after such a miss counts as one with eviction. Before anything is timed, enough requests are sent
    /// to replace the whole capacity. Figures: the hit ratio of the hot part and the bytes written per stored byte,
    /// over the second half of these requests.
    ///
    /// - Parameters:
    ///   - untimed: requests before anything is timed.
    ///   - nanoseconds: limit of the processor time for these requests.
    @inlinable
    package static func hot<Subject: CacheSubject>(
        _ type: Subject.Type, _ work: SubjectCase, untimed: Int = 200_000,
        nanoseconds: UInt64 = 4_000_000_000
    ) -> Benchmark {
        benchmark(type, work) { context in
            // 4,500 entries where 5,000 of 4 KiB fit into 20 MiB.
            let fitting = work.tier.capacity(context) / (work.bodyCount + hotOverhead)
            let hot = max(1, fitting / 10 * 9)
            let ids = (0..<UInt64(hot + 4 * max(1, fitting))).map { $0 }
            let checked = try filled(type, work, context, ids: Array(ids[..<hot]))
            var keys = try KeyTable(ids, of: checked)
            var random = Xoshiro256(seed: context.seed, "hot")
            var nextNew = hot
            var counts = HitCounts()
            func request(_ recorder: inout LatencyRecorder) {
                if random.next(below: 20) == 0 {
                    // By then the oldest ids have been evicted, and count as new.
                    defer { nextNew = nextNew + 1 == ids.count ? hot : nextNew + 1 }
                    guard let key = keys.key(at: nextNew) else { return }
                    checked.store(key, id: ids[nextNew], version: 1, count: work.bodyCount, as: .store, &recorder)
                    return
                }
                let position = Int(random.next(below: UInt64(hot)))
                guard let key = keys.key(at: position) else { return }
                let answer = checked.lookUp(key, id: ids[position], version: 1, count: work.bodyCount, &recorder)
                counts.count(answer, bytes: work.bodyCount)
                if case .hit = answer { return }
                checked.store(key, id: ids[position], version: 1, count: work.bodyCount, as: .storeEvict, &recorder)
            }
            var discarded = LatencyRecorder()
            let deadline = FixedSurroundings.isUnhurried ? .max : threadCPUNanoseconds() + nanoseconds
            var sent = 0
            while sent < untimed / 2, threadCPUNanoseconds() < deadline {
                request(&discarded)
                sent += 1
            }
            let amplification = WriteAmplification(checked.subject.counters)
            counts = HitCounts()
            while sent < untimed, threadCPUNanoseconds() < deadline {
                request(&discarded)
                sent += 1
            }
            let figures =
                [Figure("hit ratio", counts.hitRatio, .ratio)] + amplification.figures(at: checked.subject.counters)
            return PreparedBenchmark(
                .timed { operations, recorder in for _ in 0..<operations { request(&recorder) } },
                figures: { figures })
        }
    }

    /// Assumed bytes of an entry beside its body.
    @usableFromInline package static let hotOverhead = 96
}

/// Bytes that a subject writes per byte that it should store, from its counters.
@usableFromInline
package struct WriteAmplification {
    private let before: [String: Int]

    /// The counters' names: bytes of the stored entries, and all bytes written for them.
    package static let stored = "stored bytes"
    package static let written = "written bytes"

    @usableFromInline
    package init(_ counters: [String: Int]) { before = counters }

    /// The ratio since then; empty if the subject has no such counters, or stored nothing.
    @usableFromInline
    package func figures(at counters: [String: Int]) -> [Figure] {
        guard let stored = change(Self.stored, counters), let written = change(Self.written, counters), stored > 0
        else { return [] }
        return [Figure("write amplification", Double(written) / Double(stored))]
    }

    private func change(_ name: String, _ counters: [String: Int]) -> Int? {
        guard let first = before[name], let last = counters[name] else { return nil }
        return last - first
    }
}
