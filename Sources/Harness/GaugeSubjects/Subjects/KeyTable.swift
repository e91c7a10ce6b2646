import GaugeMeasurement
import Platform

/// A subject's keys by their numbers, made untimed and kept. Keys are made in advance for a limited time, and the rest
/// on demand: a slow subject completes few operations, and should not wait for 65,536 keys.
@usableFromInline
package struct KeyTable<Subject: CacheSubject> {
    @usableFromInline package let ids: [UInt64]
    @usableFromInline package var keys: [Subject.Key?]
    @usableFromInline package let subject: CheckedSubject<Subject>

    /// How many keys were made in advance, from the first on; at least one unless `ids` is empty.
    @usableFromInline package private(set) var prepared = 0

    /// The keys of the objects `ids`.
    @inlinable
    package init(_ ids: [UInt64], of subject: CheckedSubject<Subject>, nanoseconds: UInt64 = 200_000_000) throws {
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
    package mutating func key(at position: Int) -> Subject.Key? {
        if let key = keys[position] { return key }
        keys[position] = try? subject.key(ids[position])
        return keys[position]
    }
}
