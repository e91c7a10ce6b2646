import CacheTiers
import Platform

/// Rare or wrong uses of a cache of two tiers. Each has a defined result and leaves the cache's contents unchanged.
enum TwoTierMisuse: Int, CaseIterable {
    /// A second disk tier is opened in the directory.
    case secondOwner
    /// A capacity is negative.
    case negativeCapacity
    /// The path of the directory names a file, or leads through one.
    case fileForDirectory
    /// A tier is closed, in a directory that doesn't exist yet, and then used.
    case useAfterClose
    /// A cache gets its disk tier while it is in use.
    case lateDisk
    /// The statistics are read, and an entry is looked up by its `CacheKey`.
    case figures

    init(_ byte: UInt8) { self = Self.allCases[Int(byte) % Self.allCases.count] }

    /// - Parameter directory: that of the disk tier of `cache`.
    func check(_ cache: TwoTierCache, in directory: String) {
        do {
            switch self {
            case .secondOwner: Self.openAgain(directory)
            case .negativeCapacity: Self.setNegative(cache, directory)
            case .fileForDirectory: Self.openFile(directory + "/cache.lock")
            case .useAfterClose: try Self.useClosed(directory)
            case .lateDisk: try Self.openLate(directory)
            case .figures: Self.ask(cache)
            }
        } catch { fuzzFailure("\(self): \(error)") }
    }

    private static func openAgain(_ directory: String) {
        refused(DiskTierError.inUse(directory: directory), naming: directory) {
            _ = try DiskTier(directory: directory, capacity: 1 << 16)
        }
    }

    private static func setNegative(_ cache: TwoTierCache, _ directory: String) {
        let memory = CapacityError(tier: "memory", capacity: -1)
        refused(memory, naming: "-1") { _ = try MemoryTier(capacity: -1) }
        refused(memory, naming: "-1") { try cache.memory.setCapacity(-1) }
        let disk = DiskTierError.capacity(CapacityError(tier: "disk", capacity: -1))
        refused(disk, naming: "-1") {
            _ = try DiskTier(directory: directory, capacity: -1)
        }
        refused(disk, naming: "-1") { try cache.disk?.setCapacity(-1) }
    }

    private static func openFile(_ file: String) {
        refused(DiskTierError.unusable(path: file, code: ENOTDIR), naming: file) {
            _ = try DiskTier(directory: file, capacity: 1 << 16)
        }
        let below = file + "/below"
        refused(DiskTierError.unusable(path: below, code: ENOTDIR), naming: below) {
            _ = try DiskTier(directory: below, capacity: 1 << 16)
        }
    }

    private static func useClosed(_ directory: String) throws {
        let deep = directory + "/one/two"
        let disk = try DiskTier(directory: deep, capacity: 1 << 16)
        let key = Key(KeyHasher(seed: disk.hashSeed))
        try disk.store(key.entry("before"))
        require(key.isFound("before", disk.lookup), "what a tier in a new directory stored is not there")
        disk.close()
        require(!key.isFound("before", disk.lookup), "a closed tier still answers")
        let closed = DiskTierError.closed
        refused(closed, naming: "closed") { try disk.store(key.entry("after")) }
        refused(closed, naming: "closed") { try disk.remove(key.hash) }
        refused(closed, naming: "closed") { try disk.removeAll() }
        refused(closed, naming: "closed") { try disk.removeAll(since: 0) }
        refused(closed, naming: "closed") { try disk.flush() }
        refused(closed, naming: "closed") { try disk.setCapacity(1 << 17) }
        remove(deep)
        rmdir(directory + "/one")
    }

    private static func openLate(_ directory: String) throws {
        let late = directory + "/late"
        let cache = TwoTierCache(memory: try MemoryTier(capacity: 1 << 16), disk: nil, hasher: KeyHasher())
        let key = Key(cache.hasher)
        cache.store(key.entry("early"))
        refused(DiskTierError.inUse(directory: directory), naming: directory) {
            try cache.openDisk(directory: directory, capacity: 1 << 16)
        }
        try cache.openDisk(directory: late, capacity: 1 << 16)
        try cache.openDisk(directory: directory, capacity: 1 << 16)
        require(key.isFound("early", cache.memory.lookup), "opening the disk tier lost what memory has")
        cache.store(key.entry("late"))
        require(cache.memory.remove(CacheKey(canonical: Key.text, hasher: cache.hasher)), "an entry is not in memory")
        require(key.isFound("late", { cache.lookup($0, hash: $1)?.entry }), "a disk tier opened late stored nothing")
        let companion = Companion()
        key.find { cache.lookupHandout($0, hash: $1) }.map { found in
            guard case .entry(let entry) = found.hit else { fuzzFailure("an unknown object is returned") }
            entry.keepHandout(companion)
            entry.keepHandout(Companion())
            require(entry.attach(companion) === entry.attach(Companion()), "an attachment has been replaced")
        }
        guard case (.handout(let object), .memory)? = key.find({ cache.lookupHandout($0, hash: $1) }) else {
            fuzzFailure("what was kept is not handed out")
        }
        require(object === companion, "another object is returned than the one attached first")
        cache.disk?.close()
        remove(late)
    }

    private static func ask(_ cache: TwoTierCache) {
        guard let disk = cache.disk else { return }
        let (memory, figures) = (cache.memory.statistics, disk.statistics)
        require(memory.evictions <= memory.stores, "\(memory.evictions) evictions of \(memory.stores)")
        require(figures.failures == 0 && figures.lastError == 0, "\(figures.failures) failures, \(figures.lastError)")
        require(figures.damagedRecords == 0 && figures.damagedSegments == 0, "damage is reported in an undamaged file")
        require(disk.count * 64 <= disk.currentUsage, "\(disk.count) entries in \(disk.currentUsage) bytes")
        require(disk.indexBytes > 0, "the index takes \(disk.indexBytes) bytes")
        require(disk.startReason != .damagedSuperblock, "the file was damaged: \(String(describing: disk.startReason))")
        let key = CacheKey(canonical: Key.text, hasher: cache.hasher)
        require(cache.memory.lookup(key) == nil, "a key that was never stored is found")
    }

    // MARK: Helpers

    /// Ends the process unless `call` throws this error, with a text that names the thing.
    private static func refused<Refusal: Error & Equatable>(
        _ expected: Refusal, naming thing: String, _ call: () throws -> Void
    ) {
        do {
            try call()
        } catch {
            require(error as? Refusal == expected, "refused for another reason: \(error)")
            return require("\(error)".contains(thing), "an error does not name \(thing): \(error)")
        }
        fuzzFailure("there was no error, expected: \(expected)")
    }

    private static func remove(_ directory: String) {
        for name in ["cache.log", "cache.lock"] { unlink("\(directory)/\(name)") }
        rmdir(directory)
    }

    private final class Companion: Sendable {}

    /// A key that no operation stores under.
    private struct Key {
        static let text = Array("https://example.org/misuse".utf8)
        let hasher: KeyHasher

        init(_ hasher: KeyHasher) { self.hasher = hasher }

        var hash: KeyHash { hasher.hash(ContiguousArray(Self.text).span.bytes) }

        func entry(_ body: String) -> StoredEntry {
            let entry = StoredEntry(
                key: ContiguousArray(Self.text).span.bytes, hash: hash, metadata: RawSpan(),
                body: ContiguousArray(body.utf8).span.bytes,
                storedAt: 1)
            guard let entry else { fuzzFailure("an entry of \(body.utf8.count) bytes cannot be made") }
            return entry
        }

        func find<Found>(_ lookup: (UnsafeRawBufferPointer, KeyHash) -> Found?) -> Found? {
            Self.text.withUnsafeBytes { lookup($0, hash) }
        }

        func isFound(_ body: String, _ lookup: (UnsafeRawBufferPointer, KeyHash) -> StoredEntry?) -> Bool {
            find(lookup)?.withBody { $0.elementsEqual(body.utf8) } ?? false
        }
    }
}
