import Platform

extension SubjectBenchmarks {
    /// The rows of the memory stage, at 1,000, 10,000 and 100,000 entries of 256 bytes: `memory/hit/…`, `miss`, `store`
    /// of an existing key, `grow` (stores into an empty cache, at 1,000 entries only), `store-evict` (subjects with a
    /// capacity), `truncate` (subjects that can be resized), and on several threads `hits` and `zipf` (subjects that
    /// allow threads, for `zipf` with a capacity). None for a subject without a memory tier.
    ///
    /// By default, the rows at 10,000 entries (for growth), `truncate` and those on threads are only in the suite
    /// `full`.
    ///
    /// - Parameters:
    ///   - isPeer: whether to only count a wrong answer, instead of ending the run.
    ///   - reference: the subject whose time the ratio column divides by.
    @inlinable
    package static func memory<Subject: CacheSubject>(
        _ type: Subject.Type, isPeer: Bool, reference: String = "tiered",
        suites: @escaping (_ name: String) -> Set<String> = defaultMemorySuites
    ) -> [Benchmark] {
        let has = Subject.capabilities.contains
        guard has(.memory) else { return [] }
        let hasCapacity = has(.capacity) || has(.entryLimit)
        var rows: [Benchmark] = []
        for (label, entries) in memorySizes {
            let work = { (operation: String) in
                let name = "\(operation)/\(label)"
                var work = SubjectCase(
                    "memory", name, tier: .memory, bodyCount: memoryBodyCount, entries: entries,
                    suites: suites(name), reference: reference, isPeer: isPeer)
                work.memoryCapacity = roomyCapacity(entries)
                return work
            }
            rows.append(batchedHit(type, work("hit")))
            rows.append(miss(type, work("miss")))
            rows.append(batchedStore(type, work("store")))
            if entries == 1_000 { rows.append(grow(type, work("grow"))) }
            if hasCapacity { rows.append(batchedStoreEvict(type, work("store-evict"))) }
            if has(.resize) { rows.append(truncate(type, work("truncate"))) }
            guard has(.threads), entries != 10_000 else { continue }
            for threads in ThreadCounts.possible {
                let suffix = ThreadCounts.label(threads)
                var (hits, zipf) = (work("hits"), work("zipf"))
                hits.name += "/\(suffix)"
                zipf.name += "/\(suffix)"
                (hits.suites, zipf.suites) = ([], [])
                rows.append(threadedHits(type, hits, threads: threads))
                if hasCapacity { rows.append(threadedZipf(type, zipf, threads: threads)) }
            }
        }
        return rows
    }

    /// The default suite has the smallest and largest size, without `truncate`. `memory` has no rows on threads.
    @usableFromInline
    package static func defaultMemorySuites(_ name: String) -> Set<String> {
        name.hasSuffix("/10k") || name.hasPrefix("truncate/") ? [] : ["default"]
    }

    /// Sizes of the memory rows: three, to show growth.
    @usableFromInline package static let memorySizes: [(label: String, entries: Int)] = [
        ("1k", 1_000), ("10k", 10_000), ("100k", 100_000),
    ]

    /// Bytes of each body: few, so that an operation is the cache's work rather than a copy.
    @usableFromInline package static let memoryBodyCount = 256

    /// A capacity that holds all entries, whatever a subject adds to each, bytes.
    @usableFromInline
    package static func roomyCapacity(_ entries: Int) -> Int { entries * 8 * memoryBodyCount }
}
