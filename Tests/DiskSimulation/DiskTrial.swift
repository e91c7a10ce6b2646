import CacheTiers
import Platform

/// Runs operations that bytes describe on a disk log over a storage in memory, and judges every answer by a model.
///
/// The promises that are judged (those of `DiskTier`):
/// - an answer is exactly what was stored last under the key, or nothing;
/// - after a kill: the newest version whose store returned, or that of the store it was killed in, or nothing;
///   a removal or clearing that returned is final;
/// - after a power cut: the version that the last `flush` covered, a later one, or nothing; a covered version is found
///   if nothing was evicted since; a removal before the `flush` is final;
/// - after a power cut that takes the file's length, too: any version that was ever stored, whole, or nothing;
/// - after a failed synchronisation, versions that a later one covers are found: the log was given up;
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
    let storage: MemoryStorage
    var log: DiskTier
    var capacity: Int
    var keys = [KeyModel](repeating: KeyModel(), count: Self.keyCount)
    /// The attempts to store, by number from 1 on.
    private var attempts: [Attempt] = []
    var nonceSeed: UInt64 = 3
    var evictionsAtFlush: UInt64 = 0
    var forcedClearings: UInt64 = 0
    /// What `noteClearings` saw last.
    var wasSuspended = false
    var failuresNoted = 0
    /// When the process dies the power goes, too, and this chooses what of the file is left.
    var laterCut: UInt64?
    let putOff: PutOff

    /// The work that a process has put off: time stands still, so that all stores are of one burst, and records wait
    /// until the program writes them.
    ///
    /// `@unchecked Sendable`: used by the trial's thread alone.
    final class PutOff: @unchecked Sendable {
        var work: [@Sendable () -> Void] = []

        var schedule: WriteSchedule {
            WriteSchedule(
                now: { 1 },
                later: { _, work in
                    self.work.append(work)
                    return true
                })
        }

        /// Does what has been put off so far.
        func run() {
            let due = work
            work = []
            for one in due { one() }
        }
    }

    /// Bytes of an operation; before the first one stands a byte that chooses the capacity.
    package static let operationBytes = DiskOperation.width
    static let keyCount = Version.keyCount
    /// So little that removals by date are often still under way at the next operation.
    static let sweptAtOnce = 2 << 10
    static let capacities = [16 << 10, 20 << 10, 24 << 10, 40 << 10, 64 << 10, 300 << 10, 2 << 20, 0]

    /// A version of a key, and whether the log had to take it.
    private struct Attempt {
        var key: Int
        var version: Version
        var isRefused: Bool
    }

    /// Runs the operations: of the first byte capacity and policy follow, of every four behind it an operation.
    ///
    /// - Returns: the promise that was broken; `nil` when all held.
    package static func run(_ bytes: UnsafeRawBufferPointer, _ scope: Scope) -> String? {
        let capacity = Self.capacities[Int(bytes.first ?? 0) % 5]
        let policies = EvictionPolicy.allCases
        let policy = policies[Int(bytes.first ?? 0) / 5 % policies.count]
        let (storage, putOff) = (MemoryStorage(), PutOff())
        // What is never done holds the log, which holds the clock.
        defer { putOff.work = [] }
        let opened = try? DiskTier(
            storage, capacity: capacity, seed: KeySeed(1, 2), nonceSeed: 2, schedule: putOff.schedule,
            leastSavedCount: 1, policy: policy, sweptAtOnce: Self.sweptAtOnce)
        guard let log = opened else { return "a new log could not be begun" }
        var trial = DiskTrial(scope: scope, storage: storage, log: log, capacity: capacity, putOff: putOff)
        do throws(BrokenPromise) {
            for start in stride(from: 1, through: bytes.count - DiskOperation.width, by: DiskOperation.width) {
                try trial.run(DiskOperation((bytes[start], bytes[start + 1], bytes[start + 2], bytes[start + 3])))
            }
            try trial.check()
            return nil
        } catch {
            return error.message
        }
    }

    private init(scope: Scope, storage: MemoryStorage, log: DiskTier, capacity: Int, putOff: PutOff) {
        self.putOff = putOff
        self.scope = scope
        self.storage = storage
        self.log = log
        self.capacity = capacity
    }

    private mutating func run(_ operation: DiskOperation) throws(BrokenPromise) {
        switch operation {
        case .store(let key, let bodyCount): try store(key, bodyCount: bodyCount)
        case .storeMany(let first, let count):
            for step in 0..<count where !storage.isKilled {
                try store((first + step) % Self.keyCount, bodyCount: 300 + step)
            }
        case .lookUp(let key): try lookUp(key)
        case .remove(let key): try remove(key)
        case .removeAll: try removeAll()
        case .removeSince(let versions): try removeSince(versions)
        case .flush: try flush()
        case .reopen(let choice): try reopen(choice)
        case .changeCapacity(let number): try changeCapacity(Self.capacities[number % Self.capacities.count])
        case .writeStage:
            log.writeWaiting()
            putOff.run()
        case .erase: try erase()
        case .eraseRemoved(let isWanted): log.erasesRemoved = isWanted
        case .check: try check()
        case .fail(let kind, let after): fail(kind, after)
        case .kill(let prefix, let after): try kill(prefix, after)
        case .cutPower(let choice, let losesLength):
            if scope == .faults { try cutPower(choice, losesLength: losesLength) }
        case .cutPowerLater(let prefix, let after, let choice): cutPowerLater(prefix, after, choice)
        }
        if storage.isKilled { try succeedTheDead() }
        noteClearings()
        try checkSize()
    }

    // MARK: Operations

    /// With `DISK_TRIAL_TRACE` in the environment, says on the standard output what is done.
    private static let isTraced = getenv("DISK_TRIAL_TRACE") != nil

    func trace(_ line: @autoclosure () -> String) {
        guard Self.isTraced else { return }
        print(line())
        fflush(nil)
    }

    private mutating func store(_ number: Int, bodyCount: Int) throws(BrokenPromise) {
        let version = Version(number: attempts.count + 1, bodyCount: bodyCount)
        let isForbidden = version.number % 37 == 36
        guard let entry = version.entry(ofKey: number, policy: isForbidden ? .allowedInMemoryOnly : .allowed) else {
            throw BrokenPromise("no entry of \(version)")
        }
        let fits = version.payloadCount(ofKey: number) <= capacity / 20 && capacity >= 16 << 10
        let result = attempt { () throws(DiskTierError) in try log.store(entry) }
        trace("store key \(number) \(version): \(result)")
        attempts.append(Attempt(key: number, version: version, isRefused: !fits || isForbidden))
        noteClearings()
        switch result {
        case .success(.stored):
            guard fits, !isForbidden else { throw BrokenPromise("\(version) was taken at capacity \(capacity)") }
            keys[number].stored(version.number)
        case .success(.refused(.notWorthwhile)) where log.policy == .greedyDualSizeFrequency:
            keys[number].removed()
        case .success(.refused):
            guard !fits || isForbidden else { throw BrokenPromise("\(version) was refused at capacity \(capacity)") }
            keys[number].removed()
        case .failure(let error):
            try mayFail(error)
            keys[number].failedToStore(version.number, mayReturn: storage.isKilled || log.isSuspended)
        }
    }

    private mutating func lookUp(_ number: Int) throws(BrokenPromise) {
        guard let entry = find(number) else {
            // A read that fails may be taken for damage, and the record removed.
            keys[number].mustSurvivePowerCut = false
            return trace("look up key \(number): nothing")
        }
        trace("look up key \(number): version \(entry.storedAt)")
        if isCurrent(entry, ofKey: number) { return }
        throw BrokenPromise(
            "key \(number) gave \(entry.storedAt), \(entry.bodyCount) bytes; right is \(keys[number].current as Any)")
    }

    /// Which version of the key `entry` is, to the last byte; `nil` if the log cannot have taken it.
    func version(_ entry: StoredEntry, ofKey number: Int) -> Int? {
        guard entry.storedAt > 0, entry.storedAt <= attempts.count else { return nil }
        let attempt = attempts[Int(entry.storedAt) - 1]
        guard attempt.key == number, !attempt.isRefused, attempt.version.matches(entry, ofKey: number) else {
            return nil
        }
        return attempt.version.number
    }

    func isCurrent(_ entry: StoredEntry, ofKey number: Int) -> Bool {
        keys[number].current.map { version(entry, ofKey: number) == $0 } ?? false
    }

    func find(_ number: Int) -> StoredEntry? {
        Version.key(number).withUnsafeBytes { log.lookup($0, hash: Version.hash(number)) }
    }

    private mutating func remove(_ number: Int) throws(BrokenPromise) {
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

    private mutating func removeSince(_ versions: Int) throws(BrokenPromise) {
        let date = max(0, attempts.count + 1 - versions)
        let result = attempt { () throws(DiskTierError) in try log.removeAll(since: Int64(date)) }
        trace("remove since \(date): \(result)")
        if case .failure(let error) = result { try mayFail(error) }
        for number in keys.indices {
            guard let current = keys[number].current else { continue }
            if current > date, case .success = result { keys[number].removed() }
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
            var damaged = log.statistics.damagedRecords
            storage.withoutFaults {
                for number in keys.indices {
                    let isFound = find(number) != nil
                    // Counted only where it can have changed, since that is slow.
                    let damagedNow = isFound ? damaged : log.statistics.damagedRecords
                    keys[number].flushed(isFound: isFound, isDropped: damagedNow > damaged, lastVersion: attempts.count)
                    damaged = damagedNow
                }
            }
        }
    }

    private mutating func erase() throws(BrokenPromise) {
        let result = attempt { () throws(DiskTierError) in try log.erase() }
        trace("erase: \(result)")
        if case .failure(let error) = result {
            try mayFail(error)
            // A write that failed may have come to nothing but the dead; the log may have been given up all the same.
            for number in keys.indices { keys[number].mustSurvivePowerCut = false }
        }
    }

    private mutating func changeCapacity(_ wanted: Int) throws(BrokenPromise) {
        for number in keys.indices { keys[number].mustSurvivePowerCut = false }
        let before = capacity
        let result = attempt { () throws(DiskTierError) in try log.setCapacity(wanted) }
        trace("capacity \(wanted): \(result)")
        switch result {
        case .success:
            capacity = wanted
            if wanted < 16 << 10 { for number in keys.indices { keys[number].removed() } }
        case .failure(let error):
            try mayFail(error)
            // A file that could neither be made longer nor emptied again is within the new capacity alone.
            if capacity < 16 << 10 { capacity = log.capacity }
            guard log.capacity == capacity, [before, wanted].contains(capacity) else {
                throw BrokenPromise("capacity \(log.capacity) after \(before) could not be changed to \(wanted)")
            }
        }
    }
}
