import GaugeMeasurement

extension SubjectBenchmarks {
    /// Stores of keys that are there, in random order and in batches: each replaces an entry by its next version. The
    /// last body of each batch is looked up and checked, untimed.
    @inlinable
    package static func batchedStore<Subject: CacheSubject>(
        _ type: Subject.Type, _ work: SubjectCase, isPeer: Bool
    ) -> Benchmark {
        benchmark(type, work, isPeer: isPeer) { context in
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

    /// Stores of keys that are not there into a full tier, in batches: each one causes an eviction, at once or when a
    /// later store makes room. A key comes again only after more keys than fit.
    @inlinable
    package static func batchedStoreEvict<Subject: CacheSubject>(
        _ type: Subject.Type, _ work: SubjectCase, isPeer: Bool
    ) -> Benchmark {
        benchmark(type, work, isPeer: isPeer) { context in
            let tight = try tight(type, work, context)
            let resident = work.residentCount(context)
            let ids = (0..<UInt64(resident + max(1_024, resident / 8))).map { $0 }
            let checked = try filled(type, tight, context, ids: ids)
            let stores = try PreparedStores(ids, version: 1, count: work.bodyCount, of: checked)
            var next = 0
            return PreparedBenchmark(
                .batched { operations in
                    for _ in 0..<operations {
                        stores.store(next)
                        next = next + 1 == ids.count ? 0 : next + 1
                    }
                    // A cache may refuse to admit a body for which another would have to go.
                    stores.checkLast(isKept: false)
                }, outcome: .storeEvict)
        }
    }
}
