import Platform

/// A subject's keys by their numbers, made untimed and kept: beforehand as far as that takes no more than a moment (a
/// slow subject gets to a handful of operations, and should not wait for 65,536 keys), the others when they are needed.
@usableFromInline
struct KeyTable<Subject: CacheSubject> {
    @usableFromInline let ids: [UInt64]
    @usableFromInline var keys: [Subject.Key?]
    @usableFromInline let subject: CheckedSubject<Subject>

    /// How many keys were made beforehand, from the first on; at least one of any.
    @usableFromInline private(set) var prepared = 0

    /// The keys of the objects `ids`.
    @inlinable
    init(_ ids: [UInt64], of subject: CheckedSubject<Subject>, nanoseconds: UInt64 = 200_000_000) throws {
        self.ids = ids
        self.subject = subject
        keys = Array(repeating: nil, count: ids.count)
        let deadline = FixedSurroundings.isUnhurried ? .max : threadCPUNanoseconds() + nanoseconds
        for position in keys.indices {
            keys[position] = try subject.key(ids[position])
            prepared += 1
            if threadCPUNanoseconds() > deadline { break }
        }
    }

    /// The key at a position; `nil` when the subject refuses the URL.
    @inlinable
    mutating func key(at position: Int) -> Subject.Key? {
        if let key = keys[position] { return key }
        keys[position] = try? subject.key(ids[position])
        return keys[position]
    }
}
