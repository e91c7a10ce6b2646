/// A subject's keys by their numbers, each made when it is first asked for (untimed) and kept.
///
/// Made one by one, since a slow subject gets to a handful of operations and should not wait for 65,536 keys.
@usableFromInline
struct KeyTable<Subject: CacheSubject> {
    @usableFromInline let ids: [UInt64]
    @usableFromInline var keys: [Subject.Key?]
    @usableFromInline let subject: CheckedSubject<Subject>

    /// No keys yet, of the objects `ids`.
    @inlinable
    init(_ ids: [UInt64], of subject: CheckedSubject<Subject>) {
        self.ids = ids
        self.subject = subject
        keys = Array(repeating: nil, count: ids.count)
    }

    /// Makes keys from the first on, until all are there or the time is over; at least one.
    ///
    /// - Returns: how many there are.
    @inlinable
    mutating func prepare(nanoseconds: UInt64) throws -> Int {
        let deadline = LatencyRecorder.now() + nanoseconds
        for position in keys.indices {
            keys[position] = try subject.key(ids[position])
            if LatencyRecorder.now() > deadline { return position + 1 }
        }
        return keys.count
    }

    /// The key at a position; `nil` when the subject refuses the URL.
    @inlinable
    mutating func key(at position: Int) -> Subject.Key? {
        if let key = keys[position] { return key }
        keys[position] = try? subject.key(ids[position])
        return keys[position]
    }
}
