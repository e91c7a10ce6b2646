import GaugeTraces

/// Keys and bodies ready to be stored, so that a row measures only the subject's store.
///
/// Invariant: `bodies` holds `count` bytes for each id, in order. It is written only in `init` and freed in `deinit`;
/// slices are lent to the subject only during a call.
@usableFromInline
package final class PreparedStores<Subject: CacheSubject> {
    @usableFromInline package let checked: CheckedSubject<Subject>
    @usableFromInline package let ids: [UInt64]
    @usableFromInline package let keys: [Subject.Key]
    @usableFromInline package let version: UInt64
    @usableFromInline package let count: Int
    @usableFromInline package let bodies: UnsafeMutableRawBufferPointer
    @usableFromInline package var last = 0

    @inlinable
    package init(_ ids: [UInt64], version: UInt64, count: Int, of checked: CheckedSubject<Subject>) throws {
        (self.checked, self.ids, self.version, self.count) = (checked, ids, version, count)
        keys = try ids.map { try checked.key($0) }
        bodies = .allocate(byteCount: ids.count * count, alignment: 64)
        for (position, id) in ids.enumerated() {
            let body = UnsafeMutableRawBufferPointer(rebasing: bodies[position * count..<(position + 1) * count])
            Payload.write(body, key: id, version: version)
        }
    }

    deinit { bodies.deallocate() }

    @inlinable
    package func body(_ position: Int) -> UnsafeRawBufferPointer {
        UnsafeRawBufferPointer(rebasing: bodies[position &* count..<(position &+ 1) &* count])
    }

    @inlinable
    package func store(_ position: Int) {
        last = position
        do {
            blackHole(try checked.subject.store(body(position), for: keys[position]).ordinal)
        } catch {
            _ = checked.reportError(error, id: ids[position], expected: "a store")
        }
    }

    /// Looks up the last key and checks its body, outside the measured region. Another version is wrong; so is a miss,
    /// if the subject has to keep every body.
    @inlinable
    package func checkLast(isKept: Bool) {
        MeasuredRegion.pause()
        defer { MeasuredRegion.resume() }
        let answer = checked.check(keys[last], id: ids[last], version: version, count: count)
        guard isKept, case .miss = answer else { return }
        checked.answers.wrong(
            key: checked.urls.url(for: ids[last]), expected: "the version that was stored last", got: "a miss")
    }
}

extension SubjectBenchmarks {
    /// Stores of existing keys, in random order and in batches: each replaces an entry by its next version. The last
    /// body of each batch is looked up and checked, untimed.
    @inlinable
    package static func batchedStore<Subject: CacheSubject>(_ type: Subject.Type, _ work: SubjectCase) -> Benchmark {
        benchmark(type, work) { context in
            let ids = (0..<UInt64(work.residentCount(context))).map { $0 }
            let checked = try filled(type, work, context, ids: ids)
            let order = randomOrder(below: ids.count, seed: context.seed)
            let stores = try PreparedStores(ids, version: 2, count: work.bodyCount, of: checked)
            var next = 0
            return PreparedBenchmark(
                .batched { operations in
                    for _ in 0..<operations {
                        stores.store(order[next])
                        next = next + 1 == order.count ? 0 : next + 1
                    }
                    stores.checkLast(isKept: true)
                }, outcome: .store)
        }
    }

    /// Stores of new keys into a full tier, in batches: each causes an eviction, at once or when a later store makes
    /// room. A key comes again only after more keys than fit.
    @inlinable
    package static func batchedStoreEvict<Subject: CacheSubject>(_ type: Subject.Type, _ work: SubjectCase) -> Benchmark
    {
        benchmark(type, work) { context in
            let tight = try tight(type, work, context)
            let resident = work.residentCount(context)
            let ids = (0..<UInt64(resident + max(1_024, resident / 8))).map { $0 }
            let checked = try overfilled(type, tight, context, ids: ids)
            let stores = try PreparedStores(ids, version: 1, count: work.bodyCount, of: checked)
            var next = 0
            return PreparedBenchmark(
                .batched { operations in
                    for _ in 0..<operations {
                        stores.store(next)
                        next = next + 1 == ids.count ? 0 : next + 1
                    }
                    // A cache may refuse a body that would evict another.
                    stores.checkLast(isKept: false)
                }, outcome: .storeEvict)
        }
    }
}

extension SubjectBenchmarks {
    /// Stores of new keys into an empty memory tier, each timed alone: the most expensive ones enlarge a table. After
    /// `work.entries` stores a new subject replaces the full one, untimed.
    @inlinable
    package static func grow<Subject: CacheSubject>(_ type: Subject.Type, _ work: SubjectCase) -> Benchmark {
        benchmark(type, work) { context in
            let ids = (0..<UInt64(work.residentCount(context))).map { $0 }
            func empty() throws -> PreparedStores<Subject> {
                let checked = try filled(type, work, context, ids: [])
                return try PreparedStores(ids, version: 1, count: work.bodyCount, of: checked)
            }
            var stores = try empty()
            var next = 0
            return PreparedBenchmark(
                .timed { operations, recorder in
                    for _ in 0..<operations {
                        if next == ids.count {
                            MeasuredRegion.pause()
                            stores.checkLast(isKept: true)
                            if let fresh = try? empty() { stores = fresh }
                            next = 0
                            MeasuredRegion.resume()
                        }
                        let start = LatencyRecorder.now()
                        stores.store(next)
                        recorder.record(.store, nanoseconds: stores.checked.own(LatencyRecorder.now() &- start))
                        next += 1
                    }
                })
        }
    }
}

extension SubjectBenchmarks {
    /// Halves the capacity of a full memory tier and restores it, as an application does when memory is short. Between
    /// operations, the entries are stored again, untimed.
    @inlinable
    package static func truncate<Subject: CacheSubject>(_ type: Subject.Type, _ work: SubjectCase) -> Benchmark {
        benchmark(type, work) { context in
            let tight = try tight(type, work, context)
            let configuration = tight.configuration(context, for: Subject.capabilities)
            let capacity = configuration.entryLimit ?? configuration.memoryCapacity
            let ids = (0..<UInt64(work.residentCount(context))).map { $0 }
            let checked = try filled(type, tight, context, ids: ids)
            let stores = try PreparedStores(ids, version: 1, count: work.bodyCount, of: checked)
            return PreparedBenchmark(
                .timed { operations, recorder in
                    for _ in 0..<operations {
                        MeasuredRegion.pause()
                        for position in ids.indices { stores.store(position) }
                        MeasuredRegion.resume()
                        do {
                            try recorder.time {
                                try checked.subject.resize(memory: capacity / 2, disk: 0)
                                try checked.subject.resize(memory: capacity, disk: 0)
                                return .remove
                            }
                        } catch {
                            context.answers.wrong(
                                key: "a capacity of \(capacity)", expected: "half of it, and all of it again",
                                got: "the error: \(error)")
                        }
                    }
                })
        }
    }
}
