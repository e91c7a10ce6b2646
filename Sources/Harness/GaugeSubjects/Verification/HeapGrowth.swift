import GaugeMeasurement
import GaugeSupport
import GaugeTraces
import Platform

/// Tries whether the heap of a full cache grows with the number of operations.
///
/// New keys are stored, found, replaced, missed and removed for some time, and then for as long again. The least heap in
/// use at the ends of both parts is compared, since usage rises and falls within the capacity.
struct HeapGrowth {
    /// Small, so that growth shows against it.
    private static let capacity = 1 << 18
    /// So many that the cache is full.
    private static let fewest = 600
    private static let most = 100_000
    private static let blocks = 40
    private static let longest = 2_000

    private let trial: Trial
    private let buffer = PayloadBuffer(capacity: longest)
    private var number = 0

    private init(_ trial: Trial) { self.trial = trial }

    /// - Throws: ``PromiseBroken``, ``PromiseNotApplicable``; errors of the subject.
    static func check(_ trial: Trial, onDisk: Bool) throws {
        guard trial.heapInUse() != nil else {
            throw PromiseNotApplicable(description: "this system does not report the heap in use")
        }
        try trial.begin(memory: onDisk ? 0 : capacity, disk: onDisk ? capacity : 0)
        trial.tell("store, look up, replace and remove keys, each of which is new")
        var growth = HeapGrowth(trial)
        let end = monotonicNanoseconds() + UInt64(trial.model.seconds / 4 * 1e9)
        while growth.number < most, growth.number < fewest || monotonicNanoseconds() < end { try growth.step() }
        let half = growth.number
        let before = try growth.leastHeap(over: half / 4)
        for _ in 0..<half { try growth.step() }
        let after = try growth.leastHeap(over: half / 4)
        // As much as the capacity again for what rises and falls, and not more than 5 bytes for each operation.
        try expect(
            after - before <= capacity + 5 * half,
            "the heap in use grew by \(after - before) bytes between operation \(half) and operation \(2 * half)")
    }

    /// Carries out some operations, and returns the least heap in use between them.
    private mutating func leastHeap(over operations: Int) throws -> Int {
        var least = Int.max
        for _ in 0..<Self.blocks {
            for _ in 0..<max(1, operations / Self.blocks) { try step() }
            least = min(least, trial.heapInUse() ?? 0)
        }
        return least
    }

    private mutating func step() throws {
        number += 1
        let subject = try trial.driven()
        let request = Self.request(number)
        try store(request, version: 1)
        _ = try subject.lookUp(request)
        _ = try subject.lookUp(Self.request(-number))
        if number.isMultiple(of: 4) { try store(request, version: 2) }
        if number.isMultiple(of: 8) { try subject.remove(request) }
        if number.isMultiple(of: 16) { try subject.remove(Self.request(-number)) }
    }

    private func store(_ request: SubjectRequest, version: UInt64) throws {
        let count = 100 + Int(SplitMix64.mix(UInt64(number)) % UInt64(Self.longest - 100))
        try trial.driven().store(request, buffer.body(key: Trial.id(request), version: version, count: count))
    }

    /// Long enough that a key that is kept is noticed.
    private static func request(_ number: Int) -> SubjectRequest {
        SubjectRequest("https://a.example/\(number)/one-of-many-keys-that-are-never-asked-for-again")
    }
}
