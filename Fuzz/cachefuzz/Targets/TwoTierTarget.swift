import CacheTiers
import DiskSimulation
import Platform

extension FuzzTarget {
    /// The input is a list of operations on a cache of two tiers, four bytes each; see `TwoTierOperation`. Its first
    /// byte also chooses the eviction policy and the number of stripes.
    ///
    /// Oracle: a model that knows only each key's latest version. A lookup in either tier finds exactly the bytes of
    /// that version or nothing. Removed, superseded and forbidden versions don't come back, not from disk and not after
    /// the process has ended. An entry is found if there has always been room for it. No tier exceeds its capacity.
    /// Rare and wrong uses (`TwoTierMisuse`) have their defined results and don't affect these rules.
    static let twoTier = FuzzTarget(
        "two_tier", mutation: .records(width: 4),
        describe: { buffer in numbered(TwoTierOperation.all(in: buffer).map { "\($0)" }) },
        run: { buffer in
            var machine = TwoTierMachine(Int(buffer.first ?? 0) / 10)
            for operation in TwoTierOperation.all(in: buffer) { machine.run(operation) }
            machine.finish()
        })
}

/// One operation: the first byte is its kind (modulo 10), the second the key (modulo 16), the others are arguments.
enum TwoTierOperation {
    case store(key: Int, size: Int, policy: StoragePolicy)
    case lookup(key: Int)
    case remove(key: Int)
    case removeAll
    case removeSince(steps: Int64)
    case memoryCapacity(Int)
    case diskCapacity(Int)
    case wait(Int64)
    case misuse(TwoTierMisuse)
    /// The process ends and another begins; `cleanly` if the tier was closed before.
    case reopen(cleanly: Bool)

    /// The operations of an input that are run.
    static func all(in buffer: UnsafeRawBufferPointer) -> [TwoTierOperation] {
        stride(from: 0, to: min(buffer.count / 4, TwoTierMachine.longest) * 4, by: 4).map {
            TwoTierOperation(buffer[$0], buffer[$0 + 1], buffer[$0 + 2], buffer[$0 + 3])
        }
    }

    private init(_ kind: UInt8, _ key: UInt8, _ third: UInt8, _ fourth: UInt8) {
        let key = Int(key % 16)
        switch kind % 10 {
        case 0, 1, 2:
            // Up to 16 KiB, which includes sizes around 5 % of the capacities.
            let size = (Int(third) << Int(fourth % 8)) / 2
            let policy: StoragePolicy =
                switch fourth >> 4 {
                case 0...11: .allowed
                case 12, 13: .allowedInMemoryOnly
                default: .notAllowed
                }
            self = .store(key: key, size: size, policy: policy)
        case 3: self = .lookup(key: key)
        case 4: self = .remove(key: key)
        case 5: self = third < 32 ? .removeAll : .removeSince(steps: Int64(fourth % 16))
        case 6: self = .memoryCapacity(Int(third) << 10)
        case 7: self = .diskCapacity(Int(third) << 11)
        case 8: self = fourth < 0xF0 ? .wait(Int64(third % 8)) : .misuse(TwoTierMisuse(third))
        default: self = .reopen(cleanly: third % 2 == 0)
        }
    }
}

/// A cache and the model of its contents.
private struct TwoTierMachine {
    /// The most operations of one input; more would take long and find little.
    static let longest = 128
    private static let largestMemory = 128 << 10
    private static let largestDisk = 256 << 10

    private let directory: String
    private let policy: EvictionPolicy
    private let stripes: Int
    private var cache: TwoTierCache?
    private var latest: [Int: Version] = [:]
    private var versions = 0
    private var now: Int64 = 0
    private var memoryCapacity = largestMemory
    private var diskCapacity = largestDisk
    /// Bytes stored since memory was last empty or shrunk; up to the capacity nothing had to be evicted.
    private var storedInMemory = 0

    /// The latest version of a key.
    private struct Version {
        let number: Int
        let size: Int
        let policy: StoragePolicy
        let storedAt: Int64
        /// Whether it fitted into memory when stored, and memory hasn't shrunk since.
        var isSurelyInMemory: Bool
    }

    /// - Parameter choice: decides policy and stripes.
    init(_ choice: Int) {
        policy = EvictionPolicy.allCases[choice % EvictionPolicy.allCases.count]
        stripes = choice / EvictionPolicy.allCases.count % 4 + 1
        // In memory if possible: on a disk, making and removing a file takes milliseconds.
        let parent = access("/dev/shm", W_OK) == 0 ? "/dev/shm" : "/tmp"
        var template = Array("\(parent)/cachefuzz-two-tier-XXXXXX".utf8CString)
        guard let path = mkdtemp(&template) else { fuzzFailure("no directory under \(parent): errno \(errno)") }
        directory = String(cString: path)
        open()
    }

    mutating func finish() {
        for key in 0..<16 { check(key) }
        cache = nil
        for name in ["cache.log", "cache.lock"] { unlink("\(directory)/\(name)") }
        rmdir(directory)
    }

    mutating func run(_ operation: TwoTierOperation) {
        switch operation {
        case .store(let key, let size, let policy): store(key, size, policy)
        case .lookup(let key): check(key)
        case .remove(let key):
            latest[key] = nil
            let bytes = Self.bytes(of: key)
            orFail { cache in
                _ = try bytes.withHash(cache.hasher) { try cache.remove($0, hash: $1) }
            }
            check(key)
        case .removeAll:
            latest = [:]
            storedInMemory = 0
            orFail { cache in try cache.removeAll() }
        case .removeSince(let steps):
            let moment = now - steps
            latest = latest.filter { $0.value.storedAt <= moment }
            orFail { cache in try cache.removeAll(since: moment) }
        case .memoryCapacity(let capacity): setMemoryCapacity(min(capacity, Self.largestMemory))
        case .diskCapacity(let capacity):
            diskCapacity = min(capacity, Self.largestDisk)
            let wanted = diskCapacity
            orFail { cache in try cache.disk?.setCapacity(wanted) }
        case .wait(let steps): now += steps
        case .misuse(let misuse): if let cache { misuse.check(cache, in: directory) }
        case .reopen(let cleanly):
            if cleanly { orFail { cache in try cache.disk?.flush() } }
            cache?.disk?.close()
            cache = nil
            // The memory tier is lost with the process.
            latest = latest.filter { $0.value.policy == .allowed }
            for key in latest.keys { latest[key]?.isSurelyInMemory = false }
            storedInMemory = 0
            open()
        }
        checkUsage()
    }

    // MARK: Operations

    private mutating func open() {
        do {
            let disk = try DiskTier(
                directory: directory, capacity: diskCapacity, seed: KeySeed(1, 2), policy: policy)
            let seed = KeySeed(disk.hashSeed.first, disk.hashSeed.second)
            let memory = try MemoryTier(capacity: memoryCapacity, stripes: stripes, policy: policy)
            cache = TwoTierCache(memory: memory, disk: disk, hasher: KeyHasher(seed: seed))
        } catch { fuzzFailure("\(error)") }
    }

    private mutating func store(_ key: Int, _ size: Int, _ policy: StoragePolicy) {
        guard let cache else { return }
        versions += 1
        let bytes = Self.bytes(of: key)
        let body = Self.body(key, versions, size)
        let metadata = Array("\(versions)".utf8)
        let entry = bytes.withHash(cache.hasher) { text, hash in
            StoredEntry(
                key: RawSpan(_unsafeBytes: text), hash: hash, metadata: ContiguousArray(metadata).span.bytes,
                body: ContiguousArray(body).span.bytes, storedAt: now, policy: policy)
        }
        guard let entry else { fuzzFailure("an entry of \(size) bytes cannot be made") }
        let result = cache.store(entry)
        if case .failure(let error) = result.disk { fuzzFailure("\(error)") }

        let fits = policy != .notAllowed && entry.cost <= memoryCapacity / 20
        require(
            (result.memory.outcome == .stored) == fits, "\(entry.cost) bytes in \(memoryCapacity): \(result.memory)")
        if fits { storedInMemory += entry.cost }
        latest[key] =
            policy == .notAllowed
            ? nil
            : Version(number: versions, size: size, policy: policy, storedAt: now, isSurelyInMemory: fits)
        check(key)
    }

    private mutating func setMemoryCapacity(_ capacity: Int) {
        memoryCapacity = capacity
        orFail { cache in try cache.memory.setCapacity(capacity) }
        // The model doesn't know which entries were evicted.
        for key in latest.keys { latest[key]?.isSurelyInMemory = false }
        storedInMemory = cache?.memory.usage ?? 0
    }

    // MARK: Promises

    /// Requires that a lookup finds the key's latest version, in either tier, or nothing.
    private mutating func check(_ key: Int) {
        guard let cache else { return }
        let version = latest[key]
        let bytes = Self.bytes(of: key)
        let (onDisk, found) = bytes.withHash(cache.hasher) { text, hash in
            (cache.disk?.lookup(text, hash: hash), cache.lookup(text, hash: hash))
        }
        if let onDisk {
            expect(onDisk, version, key, "on disk")
            require(version?.policy == .allowed, "key \(key) is on disk although it may be in memory only")
        }
        if let found {
            expect(found.entry, version, key, "in \(found.tier)")
            // The entry is in memory now, and may have evicted others.
            if found.tier == .disk { storedInMemory += found.entry.cost }
        } else if let version, version.isSurelyInMemory, storedInMemory <= memoryCapacity {
            fuzzFailure("key \(key) is lost although memory was never full")
        }
    }

    private func expect(_ entry: StoredEntry, _ version: Version?, _ key: Int, _ place: String) {
        guard let version else { fuzzFailure("key \(key) is \(place) although it was removed") }
        let number = entry.withMetadata { String(decoding: $0, as: UTF8.self) }
        require(number == "\(version.number)", "key \(key) is version \(number) \(place), not \(version.number)")
        let isWhole = entry.withBody { $0.holds(Self.body(key, version.number, version.size)) }
        require(isWhole, "key \(key) has other bytes \(place)")
        require(entry.withKey { $0.holds(Self.bytes(of: key)) }, "key \(key) is another key's \(place)")
        require(
            entry.storedAt == version.storedAt, "key \(key) was stored at \(entry.storedAt), not \(version.storedAt)")
    }

    private func checkUsage() {
        guard let cache else { return }
        require(cache.memory.usage <= memoryCapacity, "memory uses \(cache.memory.usage) of \(memoryCapacity)")
        guard let disk = cache.disk else { return }
        require(disk.currentUsage <= diskCapacity, "the disk tier uses \(disk.currentUsage) of \(diskCapacity)")
        require(disk.allocatedBytes <= diskCapacity, "the file has \(disk.allocatedBytes) bytes of \(diskCapacity)")
    }

    private func orFail(_ body: (TwoTierCache) throws -> Void) {
        guard let cache else { return }
        do { try body(cache) } catch { fuzzFailure("\(error)") }
    }

    private static func bytes(of key: Int) -> [UInt8] { Array("https://example.org/\(key)".utf8) }

    /// A body whose first bytes, if there are enough, name key and version; all its bytes depend on the version.
    private static func body(_ key: Int, _ version: Int, _ size: Int) -> [UInt8] {
        var body = [UInt8](repeating: UInt8(truncatingIfNeeded: version &* 31 &+ key), count: size)
        for (index, byte) in "\(key) \(version)".utf8.enumerated() where index < size { body[index] = byte }
        return body
    }
}

extension [UInt8] {
    fileprivate func withHash<Result>(
        _ hasher: KeyHasher, _ body: (UnsafeRawBufferPointer, KeyHash) throws -> Result
    ) rethrows -> Result {
        try withUnsafeBytes { try body($0, hasher.hash($0)) }
    }
}

extension UnsafeRawBufferPointer {
    fileprivate func holds(_ bytes: [UInt8]) -> Bool {
        guard count == bytes.count, let start = baseAddress, count > 0 else { return count == bytes.count }
        return memcmp(start, bytes, count) == 0
    }
}

extension FuzzTarget {
    /// The first 12 bytes of the input are operations on a cache of two tiers, four for each of three threads. Each
    /// later byte says which thread takes the next step, so that a finding replays.
    ///
    /// Oracle: one order of all calls explains every answer, and no call comes before another that had returned when it
    /// was called (`CacheHistory`).
    static let twoTierThreads = FuzzTarget(
        "two_tier_threads",
        describe: { buffer in
            let threads = TwoTierThreads.operations(buffer).enumerated().map { "thread \($0): \($1)" }
            return (threads + TwoTierThreads.history(buffer).map { "\($0)" }).joined(separator: "\n")
        },
        run: { buffer in
            if let broken = TwoTierThreads.run(buffer) { fuzzFailure(broken) }
        })
}
