import CacheTiers
import Platform

/// A promise of the disk tier that did not hold.
struct BrokenPromise: Error {
    var message: String

    init(_ message: String) { self.message = message }
}

extension DiskTrial {
    /// Lets one of the next operations of the storage fail, or fills the disk.
    func fail(_ kind: Int, _ after: Int) {
        guard scope == .faults else { return }
        trace("fault \(kind % 4) (\(kind)) after \(after)")
        switch kind % 4 {
        case 0: storage.schedule(.error(EIO), after: after)
        case 1: storage.schedule(.error(ENOSPC), after: after)
        // The last of these does all that it should, and fails.
        case 2: storage.schedule(.short(kind == 254 ? .max : kind), after: after)
        default: storage.limit(to: kind > 128 ? nil : kind * 256)
        }
    }

    /// Lets the process die in one of the next operations of the storage, or at once.
    mutating func kill(_ prefix: Int, _ after: Int) throws(BrokenPromise) {
        guard scope == .faults else { return }
        if after == 31 {
            trace("killed between two operations")
            return try succeedTheDead()
        }
        trace("kill at byte \(prefix) after \(after)")
        storage.schedule(.kill(prefix), after: after)
    }

    /// A failure is right only if one was asked for.
    func mayFail(_ error: DiskTierError) throws(BrokenPromise) {
        if scope == .operations { throw BrokenPromise("it failed, but the storage did not: \(error)") }
    }

    func attempt<Success>(_ operation: () throws(DiskTierError) -> Success) -> Result<Success, DiskTierError> {
        do throws(DiskTierError) {
            return .success(try operation())
        } catch {
            return .failure(error)
        }
    }

    /// Takes note of entries given up because a removal could not be written.
    mutating func noteClearings() {
        if storage.isKilled { return }
        // Without a failure nothing is given up or cleared.
        guard wasSuspended || storage.failureCount != failuresNoted else { return }
        failuresNoted = storage.failureCount
        wasSuspended = log.isSuspended
        let clearings = log.statistics.forcedClearings
        if wasSuspended {
            for number in keys.indices { keys[number].suspended() }
        } else if clearings > forcedClearings {
            for number in keys.indices { keys[number].cleared() }
        }
        forcedClearings = clearings
    }

    // MARK: Opening again

    /// Closes and opens, sometimes with another capacity.
    mutating func reopen(_ choice: Int) throws(BrokenPromise) {
        if log.isSuspended { storage.forgiveLostWrites() }
        log.close()
        // Closing may have given up entries for the place of the saved index. The copy may have entries that were
        // removed by date.
        if scope == .operations { log.finishRemovals() }
        let before = (log.count, log.currentUsage)
        let isSame = choice % 4 != 0
        if !isSame {
            capacity = Self.capacities[choice / 4 % Self.capacities.count]
            for number in keys.indices { keys[number].mustSurvivePowerCut = false }
        }
        if scope == .operations || choice % 8 < 4 { storage.recover() }
        try open()
        if scope == .operations { log.finishRemovals() }
        if scope == .operations, isSame, (log.count, log.currentUsage) != before {
            throw BrokenPromise("opening changed entries and usage from \(before) to \((log.count, log.currentUsage))")
        }
        try settleDeath()
    }

    mutating func succeedTheDead() throws(BrokenPromise) {
        if let state = laterCut { return try cutPower(state) }
        storage.recover()
        storage.forgiveLostWrites()
        try open()
        try settleDeath()
    }

    /// Lets the power go in one of the next operations of the storage, which may be in the middle of one of the log's.
    mutating func cutPowerLater(_ prefix: Int, _ after: Int, _ choice: UInt64) {
        guard scope == .faults else { return }
        trace("power cut at byte \(prefix) after \(after)")
        storage.schedule(.kill(prefix), after: after)
        laterCut = choice
    }

    /// Loses what is not synchronised, and opens.
    mutating func cutPower(_ choice: UInt64, losesLength: Bool = false) throws(BrokenPromise) {
        var state = choice
        laterCut = nil
        trace("power cut")
        // Also in the operation that the power cut has come into.
        let hasEvicted =
            log.statistics.evictions != evictionsAtFlush || log.statistics.forcedClearings > forcedClearings
        storage.recover()
        let choose = { (limit: Int) in
            state = Version.scramble(state)
            return Int(state % UInt64(limit + 1))
        }
        storage.cutPower(choose)
        if losesLength {
            storage.loseLength(choose)
            return try settleDamage()
        }
        try open()
        for number in keys.indices {
            // Looking up a damaged record removes it, which may evict others.
            let mustBeFound = keys[number].mustSurvivePowerCut && !hasEvicted && log.statistics.evictions == 0
            let expected = keys[number].flushed
            let found = try found(number) { model, version in model.mayBeFoundAfterPowerCut(version) }
            if mustBeFound, found != expected {
                throw BrokenPromise(
                    "key \(number) was flushed as \(expected as Any), and the power cut left \(found as Any)")
            }
            keys[number].resumedAfterPowerCut(with: found)
        }
    }

    private mutating func open() throws(BrokenPromise) {
        nonceSeed += 1
        putOff.work = []
        do throws(StorageError) {
            log = try DiskTier(
                storage, capacity: capacity, seed: KeySeed(1, 2), nonceSeed: nonceSeed, schedule: putOff.schedule,
                leastSavedCount: 1, policy: log.policy, sweptAtOnce: Self.sweptAtOnce)
        } catch {
            guard scope == .faults else { throw BrokenPromise("opening failed, but the storage did not: \(error)") }
            storage.recover()
            // An opening that could neither synchronise nor start over cannot tell the next one of the loss.
            storage.forgiveLostWrites()
            do throws(StorageError) {
                log = try DiskTier(
                    storage, capacity: capacity, seed: KeySeed(1, 2), nonceSeed: nonceSeed, schedule: putOff.schedule,
                    leastSavedCount: 1, policy: log.policy, sweptAtOnce: Self.sweptAtOnce)
            } catch {
                throw BrokenPromise("opening failed, but the storage did not: \(error)")
            }
        }
        trace("opened at \(capacity): \(log.count) entries, \(log.startReason as Any)")
        forcedClearings = 0
        evictionsAtFlush = .max
    }

    private mutating func settleDeath() throws(BrokenPromise) {
        for number in keys.indices {
            var version: Int?
            var failures: UInt64
            repeat {
                failures = log.statistics.failures
                version = try found(number) { model, version in model.mayBeFoundAfterDeath(version) }
                // An entry that a failing read hid is found by the next.
            } while version == nil && log.statistics.failures != failures && !storage.isKilled
            if version == nil, storage.isKilled || log.isSuspended { continue }
            keys[number].resumed(with: version)
        }
    }

    /// After damage any version may be found, but no wrong or torn one. A found version is on the disk.
    private mutating func settleDamage() throws(BrokenPromise) {
        try open()
        for number in keys.indices { keys[number].resumedAfterDamage(with: try found(number) { _, _ in true }) }
    }

    private func found(_ number: Int, _ isAllowed: (KeyModel, Int) -> Bool) throws(BrokenPromise) -> Int? {
        guard let entry = find(number) else { return nil }
        if let version = version(entry, ofKey: number), isAllowed(keys[number], version) { return version }
        throw BrokenPromise(
            "key \(number) came back as version \(entry.storedAt), \(entry.bodyCount) bytes; the model is \(keys[number])"
        )
    }

    // MARK: Invariants

    func checkSize() throws(BrokenPromise) {
        let count = (try? storage.byteCount()) ?? 0
        guard count <= capacity else {
            throw BrokenPromise("the file has \(count) bytes at capacity \(capacity)")
        }
    }

    /// Looks every key up, and adds up what is found.
    mutating func check() throws(BrokenPromise) {
        storage.recover()
        noteClearings()
        // Looking up a damaged record removes it, which writes a tombstone and may evict others: the sums are of a look
        // at which nothing was damaged any more.
        var damaged = log.statistics.damagedRecords
        var (count, sum) = try lookAtAll()
        while log.statistics.damagedRecords != damaged {
            damaged = log.statistics.damagedRecords
            (count, sum) = try lookAtAll()
        }
        guard log.count == count, log.currentUsage == sum else {
            throw BrokenPromise(
                "\(log.count) entries in \(log.currentUsage) bytes; found \(count) in \(sum), tombstones included")
        }
    }

    /// How many keys are found, and the bytes of their records and of the tombstones.
    private func lookAtAll() throws(BrokenPromise) -> (count: Int, sum: Int) {
        var count = 0
        var sum = 0
        for number in keys.indices {
            guard let entry = find(number) else { continue }
            guard isCurrent(entry, ofKey: number) else {
                throw BrokenPromise("key \(number) gave \(entry.storedAt); right is \(keys[number].current as Any)")
            }
            sum += (64 + entry.keyCount + entry.metadataCount + entry.bodyCount + 7) / 8 * 8
            count += 1
        }
        return (count, sum + log.tombstoneUsage)
    }
}
