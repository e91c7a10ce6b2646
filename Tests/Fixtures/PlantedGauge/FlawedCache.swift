import Foundation
import GaugeKit
import Platform

/// A cache in memory and in files, least recently used first out, that keeps every promise except for the one that its
/// flaw breaks.
///
/// `@unchecked Sendable`: all mutable state is read and written only while `lock` is held, except for the halves of
/// a torn body, which are two constants.
package final class FlawedCache: CacheSubject, @unchecked Sendable {
    package static let name = "flawed"
    package static let capabilities: SubjectCapabilities = [
        .memory, .disk, .capacity, .entryLimit, .persistence, .requests, .userInfo, .resize, .threads, .removalSince,
        .storagePolicy, .collisions, .keyHook, .shared, .counters, .expiry, .removalOfAll,
    ]
    package static let limits = SubjectLimits.urlCache
    package static let diskOrder = SubjectOrder.lru

    package typealias Key = FlawedKey

    /// An entry in memory.
    struct Held {
        var entry: FlawedEntry
        /// The second half of a torn body.
        var tail: [UInt8]?
        var place: Int
    }

    let flaw = Flaw.current
    let collides: Bool
    let lock = Lock()
    private var memoryCapacity: Int
    private let firstCapacity: Int
    private let entryLimit: Int?
    private let keyField: String?
    private let lifetime: Double
    private let opened = FlawedClock.now()
    private static let firstShared = Locked<FlawedCache?>(nil)
    private(set) var held: [String: Held] = [:]
    private var heldBytes = 0
    private var place = 0
    private var promoted: Set<String> = []
    private var removed = 0
    private var removals = 0
    private var removedDates: [String: Double] = [:]
    private var isResized = false
    private var isOff = false
    private var older: [String: FlawedEntry] = [:]
    private var evicted: [[UInt8]] = []
    private var evictions = 0
    private var hasSwept = false
    private var isTrimming = false
    private var locks: [String: NSLock] = [:]
    private var missed: Set<String> = []
    /// What is written to files later.
    var waiting: [(entry: FlawedEntry, slot: String)] = []
    var files: FlawedFiles

    package init(_ configuration: SubjectConfiguration) throws {
        let capacity = configuration.memoryCapacity
        memoryCapacity = flaw == .negativeCapacity ? abs(capacity) : max(0, capacity)
        firstCapacity = memoryCapacity
        entryLimit = configuration.entryLimit
        lifetime = flaw == .neverExpires ? .infinity : configuration.lifetime ?? .infinity
        collides = configuration.collides
        keyField = flaw == .ignoresHook ? nil : configuration.keyField
        files = try FlawedFiles(configuration.directory, capacity: configuration.diskCapacity, flaw: flaw)
        tidyOnRunLoop()
        guard configuration.isShared, flaw == .keepsShared else { return }
        let first = Self.firstShared.withLock { first in
            defer { first = first ?? self }
            return first
        }
        held = first?.held ?? [:]
    }

    package func key(for url: String) throws -> FlawedKey { try key(for: SubjectRequest(url)) }
    package func key(for request: SubjectRequest) throws -> FlawedKey {
        try FlawedKey(request, flaw, keyField: keyField)
    }

    // MARK: Lookups

    package func lookUp(_ key: FlawedKey, _ read: (UnsafeRawBufferPointer) -> Void) -> Outcome {
        guard key.isStorable else { return .miss }
        if flaw == .tornBody, let body = torn(key) {
            body.withUnsafeBytes(read)
            return .memoryHit
        }
        if flaw == .sleepsWhenOff, lock.withLock({ isOff }) { return .miss }
        let found = flaw == .promotionRace ? raced(key) : lock.withLock { find(key) }
        guard let (entry, outcome) = found, flaw != .losesEmpty || !entry.body.isEmpty else { return .miss }
        entry.body.withUnsafeBytes(read)
        return outcome
    }

    package func changeBody(for key: FlawedKey) throws -> [UInt8]? {
        lock.withLock {
            guard let (entry, _) = find(key) else { return nil }
            let changed = FlawedEntry(entry.key, entry.body.map { $0 ^ 0xFF }, userInfo: entry.userInfo)
            if flaw == .lendsEntry, held[slot(key)] != nil { held[slot(key)]?.entry = changed }
            return flaw == .lendsEntry ? changed.body : entry.body
        }
    }

    /// The two halves, read one after the other.
    private func torn(_ key: FlawedKey) -> [UInt8]? {
        guard let head = lock.withLock({ held[slot(key)]?.entry.body }) else { return nil }
        sched_yield()
        let tail = lock.withLock { held[slot(key)]?.entry.body } ?? head
        return Array(head.prefix(head.count / 2)) + tail.dropFirst(head.count / 2)
    }

    /// Reads the file without the lock.
    private func raced(_ key: FlawedKey) -> (FlawedEntry, Outcome)? {
        let slot = slot(key)
        if let hit = lock.withLock({ held[slot]?.entry }) { return (hit, .memoryHit) }
        let files = lock.withLock { self.files }
        guard let entry = files.read(slot) else { return nil }
        sched_yield()
        lock.withLock {
            drop(slot)
            hold(entry, slot, place: nextPlace())
        }
        return (entry, .promotion)
    }

    private func find(_ key: FlawedKey) -> (FlawedEntry, Outcome)? {
        let slot = slot(key)
        if flaw != .writesOnRunLoop { writeWaiting() }
        if flaw == .keepsLocks { locks[slot] = locks[slot] ?? NSLock() }
        if let hit = held[slot], isSame(hit.entry, key), isAlive(hit.entry) {
            if flaw != .hitKeepsPlace { held[slot]?.place = nextPlace() }
            if flaw == .useRenewsDate { held[slot]?.entry.stored = FlawedClock.now() }
            return (hit.entry, flaw == .tellsDiskAtTimes && key.hash % 16 == 5 ? .diskHit : .memoryHit)
        }
        guard !missed.contains(slot), var entry = files.read(slot), isNamed(entry, key), isAlive(entry) else {
            if flaw == .remembersMisses { missed.insert(slot) }
            return nil
        }
        files.use(slot)
        if flaw == .promotionRenewsDate { entry.stored = FlawedClock.now() }
        if flaw == .promotionDropsMetadata { entry = FlawedEntry(entry.key, entry.body) }
        hold(entry, slot, place: flaw == .promotionKeepsPlace ? 0 : nextPlace())
        if held[slot] != nil { promoted.insert(slot) }
        if flaw == .tellsMemory { return (entry, .memoryHit) }
        return (entry, held[slot] == nil ? .diskHit : .promotion)
    }

    private func isAlive(_ entry: FlawedEntry) -> Bool {
        if flaw == .expiresOnRunLoop { return true }
        let stored = flaw == .forgetsDates ? max(entry.stored, opened) : entry.stored
        return FlawedClock.now() - stored < lifetime
    }

    // MARK: Changes

    package func store(_ body: UnsafeRawBufferPointer, for key: FlawedKey) throws -> Outcome {
        let (before, isReplaced) = lock.withLock { (evictions, held[slot(key)] != nil) }
        try put(FlawedEntry(key.text, Array(body)), key, onDisk: true)
        let after = lock.withLock { evictions }
        if flaw == .hidesEvictions, after.isMultiple(of: 2) { return .store }
        if flaw == .hidesEvictionsOfShard, key.hash % 16 == 5 { return .store }
        if flaw == .tellsReplacement, isReplaced { return .storeEvict }
        return after > before || flaw == .tellsEviction ? .storeEvict : .store
    }

    package func store(_ body: UnsafeRawBufferPointer, for key: FlawedKey, userInfo: [String: PropertyValue]) throws {
        let isList = !userInfo.values.contains { if case .object = $0 { true } else { false } }
        let userInfo =
            flaw == .keepsOneValue ? Dictionary(uniqueKeysWithValues: userInfo.prefix(1).map { $0 }) : userInfo
        let kept = flaw == .dropsObjects ? userInfo.filter { if case .object = $1 { false } else { true } } : userInfo
        try put(FlawedEntry(key.text, Array(body), userInfo: kept), key, onDisk: isList)
    }

    package func store(_ body: UnsafeRawBufferPointer, for key: FlawedKey, policy: SubjectStoragePolicy) throws {
        if policy == .notAllowed { return flaw == .notAllowedKeepsOld ? () : remove(key) }
        try put(FlawedEntry(key.text, Array(body)), key, onDisk: flaw == .writesMemoryOnly)
    }

    private func put(_ entry: FlawedEntry, _ key: FlawedKey, onDisk: Bool) throws {
        guard key.isStorable else { return }
        let before = flaw == .lostUpdate ? lock.withLock { held } : [:]
        if flaw == .lostUpdate { sched_yield() }
        try lock.withLock {
            let slot = slot(key)
            if flaw == .keepsLocks { locks[slot] = locks[slot] ?? NSLock() }
            if flaw == .lostUpdate { held = before }
            var entry = entry
            if flaw == .sleepsWhenOff, isOff { return }
            if flaw == .emptyReplacesNothing, entry.body.isEmpty, held[slot] != nil { return }
            if flaw == .cutsLarge, !entry.body.isEmpty, entry.body.count.isMultiple(of: 65_536) {
                entry = FlawedEntry(entry.key, entry.body.dropLast(), userInfo: entry.userInfo)
            }
            if held[slot] != nil, flaw == .countsReplacement { heldBytes += 1 }
            if held[slot] != nil, flaw == .countsReplacedAsEvicted { evictions += 1 }
            if flaw == .olderComesBack { older[slot] = held[slot]?.entry }
            if flaw == .keepsMetadata, entry.userInfo == nil, let old = held[slot]?.entry.userInfo {
                entry = FlawedEntry(entry.key, entry.body, userInfo: old)
            }
            let old = held[slot]
            if let period = flaw.stalePeriod, key.hash % period == 0, old != nil { return }
            if flaw == .staleSameLength, key.hash % 8 == 0, old?.entry.body.count == entry.body.count { return }
            if flaw == .tooLargeKeepsOld, old != nil, entry.cost > memoryCapacity / 20 { return }
            if flaw == .largerKeepsOld, old != nil, entry.cost > memoryCapacity { return }
            if flaw == .keepsTail, let old = old?.entry {
                let body = entry.body + old.body.dropFirst(entry.body.count)
                entry = FlawedEntry(entry.key, body, userInfo: entry.userInfo)
            }
            if flaw == .replacementKeepsDate, let old { entry.stored = old.entry.stored }
            if flaw == .removalKeepsDate, let date = removedDates[slot] { entry.stored = date }
            drop(slot)
            hold(entry, slot, place: place(replacing: old), evicts: flaw != .overwritingNeverEvicts || old == nil)
            promoted.remove(slot)
            if flaw == .lostReplacement, old != nil, onDisk, files.read(slot) != nil { return }
            if flaw == .staleAfterResize, isResized, files.read(slot) != nil { return }
            if onDisk { try write(entry, slot) } else if flaw != .memoryOnlyKeepsFile { files.remove(slot) }
        }
    }

    private func place(replacing old: Held?) -> Int {
        switch (flaw, old) {
        case (.replacementFirst, _?): 0
        case (.replacementKeepsPlace, let old?): old.place
        default: nextPlace()
        }
    }

    package func remove(_ key: FlawedKey) {
        let found = flaw == .removalRace ? lock.withLock { held[slot(key)] } : nil
        if found != nil { sched_yield() }
        lock.withLock {
            // Another removal may have been between.
            if let found, held[slot(key)] == nil { heldBytes -= found.entry.cost }
            if flaw == .sleepsWhenOff, isOff { return }
            let wasHeld = held[slot(key)] != nil
            if wasHeld, flaw == .countsRemovedAsEvicted { evictions += 1 }
            removals += 1
            removedDates[slot(key)] = held[slot(key)]?.entry.stored
            if flaw == .losesSomeRemovals, removals.isMultiple(of: 64) { return }
            if flaw == .removalKeepsMemory, files.read(slot(key)) != nil { return files.remove(slot(key)) }
            if flaw == .crash, !wasHeld, memoryCapacity > 0, files.read(slot(key)) != nil { abort() }
            let (bytes, isNewest) = (heldBytes, held[slot(key)].map { $0.place == place } ?? false)
            drop(slot(key))
            if flaw == .removalKeepsCost { heldBytes = bytes }
            if flaw == .removalRestartsPlaces, isNewest { place = 0 }
            if wasHeld { removed += 1 }
            if flaw == .returnsAfterPromotion, promoted.contains(slot(key)) { return }
            if wasHeld || flaw != .lostRemoval || memoryCapacity == 0 { files.discard(slot(key)) }
        }
    }

    package func removeAll(since date: Double) {
        let moment = flaw == .removesAnyDate ? 0 : flaw == .removesNoDate ? .infinity : date
        if flaw == .removalWritesBack {
            let (before, bytes) = lock.withLock { (held, heldBytes) }
            sched_yield()
            lock.withLock { (held, heldBytes) = (before, bytes) }
        }
        lock.withLock {
            for (slot, one) in held where one.entry.stored > moment { drop(slot) }
            if flaw != .keepsFiles || moment > 0 { files.removeAll(since: moment) }
            for (slot, entry) in older where held[slot] == nil && files.read(slot) == nil && entry.stored < moment {
                hold(entry, slot, place: nextPlace())
            }
        }
    }

    package func removeAll() {
        lock.withLock {
            let bytes = heldBytes
            held = [:]
            heldBytes = flaw == .clearKeepsTotal ? bytes : flaw == .clearSubtractsTwice ? -bytes : 0
            promoted = []
            if flaw == .clearsInTwoSteps {
                lock.unlock()
                sched_yield()
                lock.lock()
            }
            if flaw == .clearRemovesDirectory { files.removeDirectory() }
            if flaw != .clearKeepsFiles { files.removeAll(since: 0) }
        }
    }

    package func userInfo(for key: FlawedKey) -> [String: PropertyValue]? {
        lock.withLock { find(key)?.0.userInfo }
    }

    package func resize(memory: Int, disk: Int) throws {
        try lock.withLock {
            isResized = true
            isOff = memory <= 0 && disk <= 0
            if flaw == .sleepsWhenOff, isOff { return }
            if flaw == .resizeRenewsDates { renewDates() }
            memoryCapacity = flaw == .ignoresGrowth ? min(memoryCapacity, memory) : memory
            let before = Set(held.keys)
            evict()
            if flaw == .resizeLosesFiles { for slot in before where held[slot] == nil { files.remove(slot) } }
            try files.resize(disk)
        }
    }

    package func settle() {
        lock.withLock { if flaw != .writesOnRunLoop { writeWaiting() } }
    }

    package var counters: [String: Int] {
        ["evictions": lock.withLock { evictions } * (flaw == .countsEvictionsTwice ? 2 : 1)]
    }

    package var usage: SubjectUsage {
        lock.withLock {
            SubjectUsage(
                memoryBytes: reportedBytes,
                diskBytes: flaw == .diskTenth ? files.bytes / 10 : files.bytes * (flaw == .diskEightfold ? 8 : 1),
                memoryEntries: held.count + (flaw == .countsRemoved ? removed : 0),
                diskEntries: files.count)
        }
    }

    private var reportedBytes: Int {
        switch flaw {
        case .memoryTenth: heldBytes / 10
        case .ignoresLimit: 0
        case .clearSubtractsTwice: max(0, heldBytes)
        case .removalKeepsCost: held.values.reduce(0) { $0 + $1.entry.cost }
        default: heldBytes
        }
    }

    // MARK: Memory

    private func nextPlace() -> Int {
        place += 1
        return flaw == .wrapsPlaces ? place & 0xFFF : place
    }

    private func renewDates() {
        for (slot, one) in held {
            var entry = one.entry
            entry.stored = FlawedClock.now()
            held[slot] = Held(entry: entry, place: one.place)
        }
    }

    private func hold(_ entry: FlawedEntry, _ slot: String, place: Int, evicts: Bool = true) {
        let largest = (flaw == .firstLimit ? firstCapacity : memoryCapacity) / 20
        guard entryLimit != nil || flaw == .storesAll || entry.cost <= largest else { return }
        if flaw == .exceedsCapacity { evict() }
        if flaw == .countsUnlocked {
            let before = heldBytes
            lock.unlock()
            sched_yield()
            lock.lock()
            heldBytes = before + entry.cost
        } else {
            heldBytes += entry.cost
        }
        held[slot] = Held(entry: entry, place: place)
        if flaw != .exceedsCapacity, evicts { evict(except: slot) }
    }

    private func drop(_ slot: String) {
        guard let old = held.removeValue(forKey: slot) else { return }
        if flaw == .keepsEvicted { evicted.append(old.entry.body) }
        if flaw == .countsExpired, !isAlive(old.entry) { return }
        if flaw != .doubleCount { heldBytes -= old.entry.cost }
    }

    private var isFull: Bool {
        if let entryLimit { return held.count > entryLimit }
        return heldBytes > memoryCapacity || flaw == .smallTable && held.count > 256
    }

    private func evict(except kept: String? = nil) {
        if flaw == .ignoresLimit || flaw == .sweepsOnce && hasSwept || flaw == .trimsOnRunLoop && !isTrimming { return }
        while isFull {
            hasSwept = true
            let oldest =
                flaw == .evictsNewest
                ? held.max { $0.value.place < $1.value.place }
                : held.filter { $0.key != kept }.min { $0.value.place < $1.value.place }
            guard let oldest else { return heldBytes = held.values.reduce(0) { $0 + $1.entry.cost } }
            held[oldest.key] = nil
            evictions += 1
            if flaw == .keepsEvicted { evicted.append(oldest.value.entry.body) }
            heldBytes -= oldest.value.entry.cost - (flaw == .countsEvicted ? 64 : 0)
        }
    }

    /// What a timer does.
    func tidy() {
        isTrimming = true
        defer { isTrimming = false }
        evict()
        writeWaiting()
        guard flaw == .expiresOnRunLoop else { return }
        for (slot, one) in held where FlawedClock.now() - one.entry.stored >= lifetime { drop(slot) }
    }
}
