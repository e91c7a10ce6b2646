import CacheTiers
import Platform

/// Runs operations that bytes describe on a disk log over a storage in memory, and judges every answer by a model.
///
/// The promises that are judged (those of `DiskTier`):
/// - an answer is exactly what was stored last under the key, or nothing;
/// - after a kill: the newest version whose store returned, or that of the store it was killed in, or nothing; what was
///   removed or cleared, with the call returned, stays gone;
/// - after a power cut: what the last `flush` covered or a later version, or nothing; what it covered is there, if
///   nothing was evicted since; what was removed before it stays gone;
/// - a store that failed leaves nothing of the version before, unless it says that not even that could be written;
/// - the file never exceeds the capacity; usage is what the records found add up to, and tombstones;
/// - closing and opening changes nothing.
///
/// Records wait in memory whenever they may, so that a death of the process loses them; a log that is let go without
/// being closed is a process that died.
package struct DiskTrial {
    /// Which operations the bytes may ask for.
    package enum Scope: Sendable {
        /// Stores, lookups, removals, other capacities, closing and opening.
        case operations
        /// Failing operations, kills and power cuts, too.
        case faults
    }

    let scope: Scope
    var input: ByteReader
    let storage: MemoryStorage
    var log: DiskLog<MemoryStorage>
    var capacity: Int
    var keys = [KeyModel](repeating: KeyModel(), count: Self.keyCount)
    var nextVersion = 1
    var nonceSeed: UInt64 = 3
    var evictionsAtFlush: UInt64 = 0
    var forcedClearings: UInt64 = 0
    /// When the process dies the power goes, too, and this chooses what of the file is left.
    var laterCut: UInt64?

    static let keyCount = Version.keyCount
    /// Time stands still, so that all stores are of one burst; what waits does so until the program says otherwise.
    static let alwaysBurst = StageTiming(now: { 1 }, later: { _, _ in })
    static let capacities = [16 << 10, 20 << 10, 24 << 10, 40 << 10, 64 << 10, 300 << 10, 2 << 20, 0]

    /// Runs the operations.
    ///
    /// - Returns: the promise that was broken; `nil` when all held.
    package static func run(_ bytes: UnsafeRawBufferPointer, _ scope: Scope) -> String? {
        var input = ByteReader(bytes)
        let capacity = Self.capacities[Int(input.next() % 5)]
        let storage = MemoryStorage()
        let opened = try? DiskLog(
            storage, capacity: capacity, seed: KeySeed(1, 2), nonceSeed: 2, timing: Self.alwaysBurst)
        guard let log = opened else { return "a new log could not be begun" }
        var trial = DiskTrial(scope: scope, input: input, storage: storage, log: log, capacity: capacity)
        do throws(BrokenPromise) {
            try trial.run()
            return nil
        } catch {
            return error.message
        }
    }

    private init(
        scope: Scope, input: ByteReader, storage: MemoryStorage, log: DiskLog<MemoryStorage>, capacity: Int
    ) {
        self.scope = scope
        self.input = input
        self.storage = storage
        self.log = log
        self.capacity = capacity
    }

    mutating func run() throws(BrokenPromise) {
        while let operation = input.nextIfAny() {
            switch operation % 32 {
            case 0..<12: try store()
            case 12..<18: try lookUp(Int(input.next()) % Self.keyCount)
            case 18..<21: try remove()
            case 21: try removeAll()
            case 22: try removeSince()
            case 23: try flush()
            case 24: try reopen()
            case 25: try changeCapacity()
            case 26, 27: try storeMany()
            case 28: fail()
            case 29: try kill()
            case 30: try cutPower()
            case 31 where operation == 127: cutPowerLater()
            default:
                // The moment for which records may wait has passed, or the end of the program has come early.
                if operation < 128 { try check() } else { log.writeStage() }
            }
            if storage.isKilled { try succeedTheDead() }
            noteClearings()
            try checkSize()
        }
        try check()
    }

    // MARK: Operations

    /// With `DISK_TRIAL_TRACE` in the environment, says on the standard output what is done.
    private static let isTraced = getenv("DISK_TRIAL_TRACE") != nil

    func trace(_ line: @autoclosure () -> String) {
        guard Self.isTraced else { return }
        print(line())
        fflush(nil)
    }

    private mutating func store() throws(BrokenPromise) {
        let number = Int(input.next()) % Self.keyCount
        let size = Int(input.next())
        try store(number, bodyCount: size * (size % 4 == 0 ? 64 : 6))
    }

    /// Enough to go round the ring now and then.
    private mutating func storeMany() throws(BrokenPromise) {
        let first = Int(input.next())
        for step in 0..<20 where !storage.isKilled {
            try store((first + step) % Self.keyCount, bodyCount: 300 + step)
            noteClearings()
        }
    }

    private mutating func store(_ number: Int, bodyCount: Int) throws(BrokenPromise) {
        let version = Version(number: nextVersion, bodyCount: bodyCount)
        nextVersion += 1
        let isForbidden = nextVersion % 37 == 0
        guard let entry = version.entry(ofKey: number, policy: isForbidden ? .allowedInMemoryOnly : .allowed) else {
            throw BrokenPromise("no entry of \(version)")
        }
        let fits = version.payloadCount(ofKey: number) <= capacity / 20 && capacity >= 16 << 10
        let result = attempt { () throws(DiskTierError) in try log.store(entry) }
        trace("store key \(number) \(version): \(result)")
        noteClearings()
        switch result {
        case .success(.stored):
            guard fits, !isForbidden else { throw BrokenPromise("\(version) was taken at capacity \(capacity)") }
            keys[number].stored(version)
        case .success(.refused):
            guard !fits || isForbidden else { throw BrokenPromise("\(version) was refused at capacity \(capacity)") }
            keys[number].removed()
        case .failure(let error):
            try mayFail(error)
            keys[number].failedToStore(version, mayReturn: storage.isKilled || log.isSuspended)
        }
    }

    private mutating func lookUp(_ number: Int) throws(BrokenPromise) {
        guard let entry = find(number) else {
            // A read that fails may be taken for damage, and the record removed.
            keys[number].mustSurvivePowerCut = false
            return trace("look up key \(number): nothing")
        }
        trace("look up key \(number): version \(entry.storedAt)")
        if let current = keys[number].current, current.matches(entry, ofKey: number) { return }
        throw BrokenPromise(
            "key \(number) gave \(entry.storedAt), \(entry.bodyCount) bytes; right is \(keys[number].current as Any)")
    }

    func find(_ number: Int) -> StoredEntry? {
        Version.key(number).withUnsafeBytes { log.lookup($0, hash: Version.hash(number)) }
    }

    private mutating func remove() throws(BrokenPromise) {
        let number = Int(input.next()) % Self.keyCount
        let result = attempt { () throws(DiskTierError) in try log.remove(Version.hash(number)) }
        trace("remove key \(number): \(result)")
        noteClearings()
        switch result {
        case .success: keys[number].removed()
        case .failure(let error):
            try mayFail(error)
            keys[number].mustSurvivePowerCut = false
        }
        guard !storage.isKilled, find(number) != nil else { return }
        throw BrokenPromise("key \(number) is found after its removal")
    }

    private mutating func removeAll() throws(BrokenPromise) {
        let result = attempt { () throws(DiskTierError) in try log.removeAll() }
        trace("remove all: \(result)")
        switch result {
        case .success: for number in keys.indices { keys[number].removed() }
        case .failure(let error):
            try mayFail(error)
            for number in keys.indices { keys[number].mustSurvivePowerCut = false }
        }
    }

    private mutating func removeSince() throws(BrokenPromise) {
        let date = max(0, nextVersion - Int(input.next() % 16))
        let result = attempt { () throws(DiskTierError) in try log.removeAll(since: Int64(date)) }
        trace("remove since \(date): \(result)")
        if case .failure(let error) = result { try mayFail(error) }
        for number in keys.indices {
            guard let current = keys[number].current else { continue }
            if current.number > date, case .success = result { keys[number].removed() }
            keys[number].mustSurvivePowerCut = false
        }
    }

    private mutating func flush() throws(BrokenPromise) {
        let result = attempt { () throws(DiskTierError) in try log.flush() }
        trace("flush: \(result)")
        switch result {
        case .failure(let error): try mayFail(error)
        case .success:
            noteClearings()
            // Before the lookups: dropping what they find damaged may evict others.
            evictionsAtFlush = log.statistics.evictions
            storage.withoutFaults {
                for number in keys.indices {
                    let damaged = log.statistics.damagedRecords
                    let isFound = find(number) != nil
                    keys[number].flushed(isFound: isFound, isDropped: log.statistics.damagedRecords > damaged)
                }
            }
        }
    }

    private mutating func changeCapacity() throws(BrokenPromise) {
        let wanted = Self.capacities[Int(input.next()) % Self.capacities.count]
        for number in keys.indices { keys[number].mustSurvivePowerCut = false }
        let result = attempt { () throws(DiskTierError) in try log.setCapacity(wanted) }
        trace("capacity \(wanted): \(result)")
        switch result {
        case .success:
            capacity = wanted
            if wanted < 16 << 10 { for number in keys.indices { keys[number].removed() } }
        case .failure(let error): try mayFail(error)
        }
    }
}
