import GaugeTraces

extension SubjectBenchmarks {
    /// The rows of an asynchronous subject. They share the names and the work of other subjects' rows, so that one
    /// table has them all: one thread there is one task here.
    @inlinable
    package static func rows<Subject: AsyncCacheSubject>(
        asynchronous type: Subject.Type, isPeer: Bool, reference: String
    ) -> [Benchmark] {
        let bridged = AsyncSubject<Subject>.self
        let disk = disk(bridged, isPeer: isPeer, reference: reference).map { row in
            guard row.name.case == "miss" else { return row }
            let work = SubjectCase(
                "disk", "miss", tier: .disk, bodyCount: 1 << 12, reference: reference, isPeer: isPeer)
            return asyncMiss(type, work)
        }
        return asyncMemory(type, isPeer: isPeer, reference: reference) + disk
            + workloads(bridged, isPeer: isPeer, reference: reference)
    }

    /// The rows of the memory stage; see ``memory(_:isPeer:reference:suites:)``.
    @inlinable
    package static func asyncMemory<Subject: AsyncCacheSubject>(
        _ type: Subject.Type, isPeer: Bool, reference: String
    ) -> [Benchmark] {
        let has = Subject.capabilities.contains
        guard has(.memory) else { return [] }
        let bridged = AsyncSubject<Subject>.self
        let hasCapacity = has(.capacity) || has(.entryLimit)
        var rows: [Benchmark] = []
        for (label, entries) in memorySizes {
            let work = { (operation: String, suites: Set<String>?) in
                let name = "\(operation)/\(label)"
                var work = SubjectCase(
                    "memory", name, tier: .memory, bodyCount: memoryBodyCount, entries: entries,
                    suites: suites ?? defaultMemorySuites(name), reference: reference, isPeer: isPeer)
                work.memoryCapacity = roomyCapacity(entries)
                return work
            }
            rows += [asyncHit(type, work("hit", nil)), asyncMiss(type, work("miss", nil))]
            rows.append(asyncStore(type, work("store", nil)))
            if entries == 1_000 { rows.append(grow(bridged, work("grow", nil))) }
            if hasCapacity { rows.append(asyncStoreEvict(type, work("store-evict", nil))) }
            if has(.resize) { rows.append(truncate(bridged, work("truncate", nil))) }
            guard entries != 10_000 else { continue }
            for tasks in taskCounts {
                for isZipf in hasCapacity ? [false, true] : [false] {
                    // Small, with hits only: they show what concurrent tasks cost.
                    var row = work(isZipf ? "zipf" : "hits", entries == 1_000 && !isZipf ? ["default"] : [])
                    row.name += "/\(tasks)-task\(tasks == 1 ? "" : "s")"
                    rows.append(asyncTasks(type, row, tasks: tasks, isZipf: isZipf))
                }
            }
        }
        return rows
    }

    /// Task counts of the rows with several tasks. The largest is more than any machine here has threads.
    @usableFromInline package static let taskCounts = [1, 2, 64]

    /// Lookups of stored keys in random order, by one task.
    @inlinable
    package static func asyncHit<Subject: AsyncCacheSubject>(_ type: Subject.Type, _ work: SubjectCase) -> Benchmark {
        benchmark(AsyncSubject<Subject>.self, work) { context in
            let ids = (0..<UInt64(work.residentCount(context))).map { $0 }
            let entries = try AsyncEntries<Subject>(work, context, filled: ids, ids: ids, version: nil)
            let order = randomOrder(below: ids.count, seed: context.seed)
            let thread = CallingThread()
            for number in ids.indices { entries.check(number, isKept: true, wrong: 0, on: thread) }
            var next = 0
            return PreparedBenchmark(
                .batched { operations in
                    let start = next
                    next = (next + operations) % order.count
                    let right = entries.run(on: thread) {
                        await $0.lookUp(order, from: start, operations: operations)
                    }
                    entries.check(
                        order[(next + order.count - 1) % order.count], isKept: true, wrong: operations - (right ?? 0),
                        on: thread)
                }, outcome: .memoryHit)
        }
    }

    /// Lookups of keys that were never stored, by one task.
    @inlinable
    package static func asyncMiss<Subject: AsyncCacheSubject>(_ type: Subject.Type, _ work: SubjectCase) -> Benchmark {
        benchmark(AsyncSubject<Subject>.self, work) { context in
            let resident = UInt64(work.residentCount(context))
            let entries = try AsyncEntries<Subject>(
                work, context, filled: (0..<resident).map { $0 },
                ids: (resident..<resident + UInt64(mixCount)).map { $0 }, version: nil)
            let order = Array(0..<mixCount)
            let thread = CallingThread()
            var next = 0
            return PreparedBenchmark(
                .batched { operations in
                    let start = next
                    next = (next + operations) % mixCount
                    let answers = entries.run(on: thread) {
                        await $0.answers(order, from: start, operations: operations)
                    }
                    if answers != 0 {
                        context.answers.wrong(
                            key: "one of \(mixCount) never stored", expected: "a miss", got: "a body or an error")
                    }
                }, outcome: .miss)
        }
    }

    /// Stores of existing keys, by one task: each replaces an entry by its next version.
    @inlinable
    package static func asyncStore<Subject: AsyncCacheSubject>(_ type: Subject.Type, _ work: SubjectCase) -> Benchmark {
        benchmark(AsyncSubject<Subject>.self, work) { context in
            let ids = (0..<UInt64(work.residentCount(context))).map { $0 }
            let entries = try AsyncEntries<Subject>(work, context, filled: ids, ids: ids, version: 2)
            return stores(entries, in: randomOrder(below: ids.count, seed: context.seed), isKept: true, as: .store)
        }
    }

    /// Stores of new keys into a full tier, by one task. A key comes again only after more keys than fit.
    @inlinable
    package static func asyncStoreEvict<Subject: AsyncCacheSubject>(_ type: Subject.Type, _ work: SubjectCase)
        -> Benchmark
    {
        benchmark(AsyncSubject<Subject>.self, work) { context in
            let tight = try tight(AsyncSubject<Subject>.self, work, context)
            let resident = work.residentCount(context)
            let ids = (0..<UInt64(resident + max(1_024, resident / 8))).map { $0 }
            let entries = try AsyncEntries<Subject>(tight, context, filled: ids, ids: ids, version: 1, isOverfull: true)
            return stores(entries, in: Array(ids.indices), isKept: false, as: .storeEvict)
        }
    }

    @inlinable
    package static func stores<Subject: AsyncCacheSubject>(
        _ entries: AsyncEntries<Subject>, in order: [Int], isKept: Bool, as outcome: Outcome
    ) -> PreparedBenchmark {
        let thread = CallingThread()
        var next = 0
        return PreparedBenchmark(
            .batched { operations in
                let start = next
                next = (next + operations) % order.count
                let wrong = entries.run(on: thread) { await $0.store(order, from: start, operations: operations) }
                entries.check(
                    order[(next + order.count - 1) % order.count], isKept: isKept, wrong: wrong ?? operations,
                    on: thread)
            }, outcome: outcome)
    }
}

extension AsyncEntries {
    /// How many lookups were hits, or threw.
    @inlinable
    package func answers(_ numbers: [Int], from start: Int, operations: Int) async -> Int {
        var (answers, place) = (0, start)
        for _ in 0..<operations {
            let key = keys[numbers[place]]
            place = place + 1 == numbers.count ? 0 : place + 1
            do {
                if try await subject.lookUp(key) != nil { answers += 1 }
            } catch {
                answers += 1
            }
        }
        return answers
    }
}
