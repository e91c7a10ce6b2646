import GaugeTraces
import Platform

/// Tries whether the heap grows with the number of operations.
///
/// Stores, finds, replaces, misses and removes keys for some time, and then for as long again, up to three times. Usage
/// rises and falls within the capacity, so the least heap in use at the end of each part is compared. First each key is
/// new, so that the cache is full; then there are only a few keys, since many caches tidy up only when they evict.
struct HeapGrowth {
    /// Small, so that growth shows against it.
    private static let capacity = 1 << 18
    /// Enough to fill the cache.
    private static let fewest = 600
    private static let most = 100_000
    private static let blocks = 40
    /// The heap must have grown in each of so many parts.
    private static let parts = 3
    private static let longest = 2_000

    /// Few enough that all fit.
    private static let few = 16

    private let trial: Trial
    /// How many keys there are; `nil` if each is new.
    private let keys: Int?
    private let buffer = PayloadBuffer(capacity: longest)
    private var number = 0
    /// The remaining operations are then left out: a machine that has become slow shows less growth, but doesn't hang.
    private let deadline: UInt64

    private init(_ trial: Trial, keys: Int?) {
        (self.trial, self.keys) = (trial, keys)
        deadline = monotonicNanoseconds() + UInt64(trial.model.heapSeconds * 1e9)
    }

    private var isInTime: Bool { monotonicNanoseconds() < deadline }

    /// - Throws: ``PromiseBroken``, ``PromiseNotApplicable``; errors of the subject.
    static func check(_ trial: Trial, onDisk: Bool) throws {
        try require(trial.heapInUse() != nil, "this system does not report the heap in use")
        for keys in [nil, few] {
            try trial.begin(memory: onDisk ? 0 : capacity, disk: onDisk ? capacity : 0)
            trial.note(
                "store, look up, replace and remove \(keys.map { "\($0) keys again and again" } ?? "keys, each of which is new")"
            )
            var growth = HeapGrowth(trial, keys: keys)
            try growth.check()
            trial.clean()
        }
    }

    private mutating func check() throws {
        let end = monotonicNanoseconds() + UInt64(trial.model.seconds / 8 * 1e9)
        while number < Self.most, number < Self.fewest || monotonicNanoseconds() < end { try step() }
        let part = number
        var before = try leastHeap(over: part / 4)
        var grown = 0
        // The allocator's memory for each thread of the cache grows too, but not in every part.
        for _ in 0..<Self.parts {
            for _ in 0..<part where isInTime { try step() }
            let after = try leastHeap(over: part / 4)
            // The capacity again for what rises and falls, and 5 bytes for each operation.
            if after - before <= Self.capacity + 5 * part { return }
            grown += after - before
            before = after
        }
        throw PromiseBroken("the heap in use grew by \(grown) bytes between operation \(part) and operation \(number)")
    }

    /// Carries out some operations; returns the least heap in use between them.
    private mutating func leastHeap(over operations: Int) throws -> Int {
        var least = Int.max
        for _ in 0..<Self.blocks {
            for _ in 0..<max(1, operations / Self.blocks) where isInTime { try step() }
            least = min(least, trial.heapInUse() ?? 0)
        }
        return least
    }

    private mutating func step() throws {
        number += 1
        let subject = try trial.driven()
        let request = request(number)
        try store(request, version: 1)
        _ = try subject.body(of: request)
        _ = try subject.body(of: self.request(-number))
        if number.isMultiple(of: 4) { try store(request, version: 2) }
        if number.isMultiple(of: 8) { try subject.removeEntry(request) }
        if number.isMultiple(of: 16) { try subject.removeEntry(self.request(-number)) }
    }

    private func store(_ request: SubjectRequest, version: UInt64) throws {
        let count = 100 + Int(SplitMix64.mix(UInt64(number)) % UInt64(Self.longest - 100))
        try trial.driven().store(request, buffer.body(key: Trial.id(request), version: version, count: count))
    }

    /// Long enough that you notice a kept key.
    private func request(_ number: Int) -> SubjectRequest {
        SubjectRequest(
            "https://a.example/\(keys.map { number % $0 } ?? number)/one-of-many-keys-that-are-never-asked-for-again")
    }
}
