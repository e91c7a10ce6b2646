import Platform

/// Sends the requests of a workload to a subject, and what it misses into it.
///
/// A subject knows no header fields, so that of a header class only `no-store` means anything here. Time does not go
/// by: requests follow each other as the loop has it. Every answer has to be the version that was stored last, since
/// one thread sends them all.
@usableFromInline
final class WorkloadPlayer<Subject: CacheSubject> {
    @usableFromInline let checked: CheckedSubject<Subject>
    @usableFromInline let workload: Workload
    @usableFromInline var stream: any KeyStream
    @usableFromInline var keys: KeyTable<Subject>
    /// The versions that are not the first.
    @usableFromInline var versions: [UInt64: UInt64] = [:]
    @usableFromInline var random: Xoshiro256
    @usableFromInline let hasUnstorable: Bool

    /// Fills a subject with what an LRU cache would hold by now.
    @usableFromInline
    init(_ type: Subject.Type, _ tier: SubjectTier, _ workload: Workload, _ context: RunContext) throws {
        self.workload = workload
        stream = workload.keys()
        random = Xoshiro256(seed: workload.seed, "operations")
        hasUnstorable = workload.plan.headers.contains { $0.noStore }
        checked = CheckedSubject(
            try Subject(tier.configuration(context)), answers: context.answers, urls: RequestURLs(seed: context.seed),
            longest: workload.sizes.longest)
        let resident = workload.resident(
            after: 50_000, of: &stream, capacity: tier.capacity(context) / 10 * 9,
            overhead: SubjectCase.assumedOverhead)
        keys = try KeyTable((0..<UInt64(workload.objects)).map { $0 }, of: checked)
        let storable = resident.filter { !isUnstorable($0) }
        try checked.subject.fill(with: FillEntries(storable, urls: checked.urls, size: workload.sizes.size(of:)))
    }

    /// The next request.
    @inlinable
    func request(_ counts: inout HitCounts, _ recorder: inout LatencyRecorder) {
        let id = stream.next()
        // A scan goes beyond the objects of the table.
        guard let key = id < UInt64(keys.ids.count) ? keys.key(at: Int(id)) : try? checked.key(id) else { return }
        let operations = workload.plan.operations
        switch operations.isReadOnly ? .read : operations.operation(at: random.nextUnit()) {
        case .read: read(key, id, &counts, &recorder)
        case .store:
            versions[id, default: 1] += 1
            store(key, id, &recorder)
        case .remove:
            // A version that nobody stores is what may be found now: none.
            versions[id, default: 1] += 1
            checked.remove(key, id: id, &recorder)
        }
    }

    @inlinable
    func read(_ key: Subject.Key, _ id: UInt64, _ counts: inout HitCounts, _ recorder: inout LatencyRecorder) {
        let duplicates = workload.plan.duplicates
        let times = duplicates > 0 && random.nextUnit() < duplicates ? 2 : 1
        let count = workload.sizes.size(of: id)
        var missed = 0
        // Of two requests at one moment both are asked before either is answered by the origin.
        for _ in 0..<times {
            let answer = checked.lookUp(key, id: id, version: versions[id] ?? 1, count: count, &recorder)
            counts.count(answer, bytes: count)
            if case .hit = answer { continue }
            missed += 1
        }
        for _ in 0..<missed { store(key, id, &recorder) }
    }

    @inlinable
    func store(_ key: Subject.Key, _ id: UInt64, _ recorder: inout LatencyRecorder) {
        guard !isUnstorable(id) else { return }
        checked.store(key, id: id, version: versions[id] ?? 1, count: workload.sizes.size(of: id), &recorder)
    }

    @usableFromInline
    func isUnstorable(_ id: UInt64) -> Bool { hasUnstorable && workload.headers(of: id).noStore }
}
