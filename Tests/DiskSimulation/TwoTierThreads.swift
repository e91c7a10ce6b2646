import CacheTiers
import Platform

/// Three threads that use one cache of two tiers, stopped and let go on at every step as an input says, and judged by
/// whether one order of their calls explains every answer.
///
/// The first 12 bytes are operations, four for each thread; the rest is the schedule.
package enum TwoTierThreads {
    fileprivate static let threadCount = 3
    private static let operationsEach = 4
    private static let keyCount = 2

    /// One operation. Its version, which is also its date, is its place in the input.
    package enum Operation: Sendable {
        case store(key: Int, version: Int)
        case lookup(key: Int)
        case remove(key: Int)
        case removeAbove(version: Int)
        case removeAll
        /// Empties the memory tier as a lack of room would.
        case evict

        init(_ byte: UInt8, version: Int) {
            let key = Int(byte >> 3) % keyCount
            switch byte % 8 {
            case 0, 1: self = .store(key: key, version: version)
            case 2...4: self = .lookup(key: key)
            case 5: self = .remove(key: key)
            case 6: self = byte >> 4 == 0 ? .removeAll : .removeAbove(version: Int(byte >> 4) - 1)
            default: self = .evict
            }
        }
    }

    /// The operations of an input, by thread.
    package static func operations(_ bytes: UnsafeRawBufferPointer) -> [[Operation]] {
        (0..<threadCount).map { thread in
            (0..<operationsEach).compactMap { position in
                let place = thread * operationsEach + position
                return place < bytes.count ? Operation(bytes[place], version: place + 1) : nil
            }
        }
    }

    /// - Returns: the history that no order explains; `nil` if one does.
    package static func run(_ bytes: UnsafeRawBufferPointer) -> String? {
        let calls = history(bytes)
        guard !CacheHistory(start: ThreadedRun.start, calls: calls).isLinearizable else { return nil }
        let lines = calls.sorted { $0.called < $1.called }.map { "\($0.called)–\($0.returned) \($0.event)" }
        return "no order explains these answers:\n" + lines.joined(separator: "\n")
    }

    /// The calls of an input and their answers.
    package static func history(_ bytes: UnsafeRawBufferPointer) -> [CacheHistory.Call] {
        let operations = operations(bytes)
        let schedule = StepSchedule(
            threads: threadCount, choices: Array(bytes.dropFirst(threadCount * operationsEach))[...])
        guard let run = ThreadedRun(schedule) else { return [] }
        schedule.run { thread in for operation in operations[thread] { run.make(operation) } }
        return run.calls
    }
}

/// A cache and the calls to it.
///
/// `@unchecked Sendable`: the stored variables belong to the one thread that the schedule lets run.
private final class ThreadedRun: @unchecked Sendable {
    /// The first key has a version, on disk alone.
    static let start: [Int?] = [0, nil]
    private static let memoryCapacity = 1 << 20

    private let schedule: StepSchedule
    private let cache: TwoTierCache
    private let storage: SteppedStorage
    private(set) var calls: [CacheHistory.Call] = []
    private var moments = 0

    init?(_ schedule: StepSchedule) {
        self.schedule = schedule
        let storage = SteppedStorage(schedule)
        self.storage = storage
        let opened = try? DiskTier(storage, capacity: 256 << 10, seed: KeySeed(1, 2), nonceSeed: 3)
        guard let disk = opened, let memory = try? MemoryTier(capacity: Self.memoryCapacity, stripes: 1),
            let entry = Version(number: 0, bodyCount: 40).entry(ofKey: 0), (try? disk.store(entry)) != nil
        else { return nil }
        cache = TwoTierCache(
            memory: memory, disk: disk, hasher: KeyHasher(seed: KeySeed(1, 2)), pause: { schedule.pause() })
    }

    /// Runs an operation, and notes when it was called and returned.
    func make(_ operation: TwoTierThreads.Operation) {
        schedule.pause()
        moments += 1
        let called = moments
        let event = answer(operation)
        moments += 1
        if let event { calls.append(CacheHistory.Call(event, called: called, returned: moments)) }
    }

    private func answer(_ operation: TwoTierThreads.Operation) -> CacheHistory.Event? {
        switch operation {
        case .store(let key, let version):
            if let entry = Version(number: version, bodyCount: 40).entry(ofKey: key) { cache.store(entry) }
            return .store(key: key, version: version)
        case .lookup(let key):
            storage.lookups[schedule.running] = true
            let found = Version.key(key).withUnsafeBytes { cache.lookup($0, hash: Version.hash(key)) }
            storage.lookups[schedule.running] = false
            return .lookup(key: key, found: found.map { Int($0.entry.storedAt) })
        case .remove(let key):
            _ = try? Version.key(key).withUnsafeBytes { try cache.remove($0, hash: Version.hash(key)) }
            return .remove(key: key)
        case .removeAbove(let version):
            try? cache.removeAll(since: Int64(version))
            return .removeAbove(version: version)
        case .removeAll:
            try? cache.removeAll()
            return .removeAbove(version: -1)
        case .evict:
            try? cache.memory.setCapacity(0)
            try? cache.memory.setCapacity(Self.memoryCapacity)
            return nil
        }
    }
}

/// Storage in memory whose reading by a lookup, which holds no lock, can be overtaken by other threads.
///
/// `@unchecked Sendable`: as `ThreadedRun`.
private final class SteppedStorage: DiskStorage, @unchecked Sendable {
    private let schedule: StepSchedule
    private let memory = MemoryStorage()
    /// Which threads are looking something up.
    var lookups = [Bool](repeating: false, count: TwoTierThreads.threadCount)

    init(_ schedule: StepSchedule) { self.schedule = schedule }

    func read(at offset: Int, into bytes: UnsafeMutableRawBufferPointer) throws(StorageError) -> Int {
        if lookups[schedule.running] { schedule.pause() }
        let count = try memory.read(at: offset, into: bytes)
        if lookups[schedule.running] { schedule.pause() }
        return count
    }

    func byteCount() throws(StorageError) -> Int { try memory.byteCount() }
    func allocatedByteCount() throws(StorageError) -> Int { try memory.allocatedByteCount() }
    func reserve(_ byteCount: Int) throws(StorageError) { try memory.reserve(byteCount) }
    func resize(to byteCount: Int) throws(StorageError) { try memory.resize(to: byteCount) }
    func synchronize() throws(StorageError) { try memory.synchronize() }

    func write(at offset: Int, _ first: UnsafeRawBufferPointer, _ second: UnsafeRawBufferPointer) throws(StorageError) {
        try memory.write(at: offset, first, second)
    }
}
