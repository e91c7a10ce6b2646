extension SubjectBenchmarks {
    /// The case with a capacity for about `work.entries` entries.
    @inlinable
    package static func tight<Subject: CacheSubject>(
        _ type: Subject.Type, _ work: SubjectCase, _ context: RunContext
    ) throws -> SubjectCase {
        var tight = work
        tight.memoryEntries = work.entries
        if !Subject.capabilities.countsEntries { tight.memoryCapacity = try tightCapacity(type, work, context) }
        return tight
    }

    /// The capacity for about `work.entries` entries by the subject's own rule of cost, bytes: from its usage, or if
    /// that isn't known, from how many of too many entries it keeps.
    @inlinable
    package static func tightCapacity<Subject: CacheSubject>(
        _ type: Subject.Type, _ work: SubjectCase, _ context: RunContext
    ) throws -> Int {
        let entries = work.entries ?? 1
        let few = 64
        let used = try usage(type, work, context, entries: few)
        let more = try usage(type, work, context, entries: 2 * few) - used
        // What doesn't grow is a fixed part, e.g. of a table.
        if more >= few { return entries * (more / few) + max(0, used - more) }
        var probe = work
        let sample = min(entries, 10_000)
        probe.memoryCapacity = sample * (work.bodyCount + SubjectCase.assumedOverhead)
        // More bytes of bodies than that.
        let tooMany = sample * (work.bodyCount + SubjectCase.assumedOverhead) / max(1, work.bodyCount) + sample
        let ids = (0..<UInt64(tooMany)).map { $0 }
        let checked = try filled(type, probe, context, ids: ids)
        try checked.subject.settle()
        let kept = try ids.count { try checked.isKept($0) }
        return entries * (probe.memoryCapacity ?? 0) / max(1, kept == 0 ? sample : kept)
    }

    /// The bytes of memory that a roomy subject says it uses for so many entries; 0 if it doesn't say.
    @inlinable
    package static func usage<Subject: CacheSubject>(
        _ type: Subject.Type, _ work: SubjectCase, _ context: RunContext, entries: Int
    ) throws -> Int {
        try filled(type, work, context, ids: (0..<UInt64(entries)).map { $0 }).subject.usage.memoryBytes ?? 0
    }

    /// A subject that was filled with more entries than fit.
    ///
    /// - Throws: ``GaugeError`` if it holds them all: a row of evictions would tell of stores that evict nothing.
    @inlinable
    package static func overfilled<Subject: CacheSubject>(
        _ type: Subject.Type, _ work: SubjectCase, _ context: RunContext, ids: [UInt64]
    ) throws -> CheckedSubject<Subject> {
        let checked = try filled(type, work, context, ids: ids)
        try checked.subject.settle()
        if try ids.allSatisfy({ try checked.isKept($0) }) {
            let capacity = Subject.capabilities.countsEntries ? work.memoryEntries : work.memoryCapacity
            throw nothingEvicted(
                of: ids.count, type.name, capacity: capacity ?? 0, isEntries: Subject.capabilities.countsEntries)
        }
        return checked
    }

    @usableFromInline
    package static func nothingEvicted(of count: Int, _ name: String, capacity: Int, isEntries: Bool) -> any Error {
        GaugeError(
            """
            \(name) holds all \(count) entries in a capacity of \(capacity) \(isEntries ? "entries" : "bytes"), so that \
            stores evict nothing; keep to the capacity, or let `usage` say what an entry takes
            """)
    }
}

extension CheckedSubject {
    /// Whether the subject finds an id's body, right or wrong.
    @inlinable
    package func isKept(_ id: UInt64) throws -> Bool {
        let key = try key(id)
        var isFound = false
        _ = try? subject.lookUp(key) { _ in isFound = true }
        return isFound
    }
}
