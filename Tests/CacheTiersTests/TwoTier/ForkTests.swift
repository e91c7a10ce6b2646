import ForkedChildren
import Foundation
import Platform
import TestSupport
import Testing

@testable import CacheTiers

/// Children that are forked while other threads use the caches: only the forking thread lives on in them, with the
/// locks of the others.
@Suite struct ForkTests {
    /// The call that a child makes first.
    enum FirstCall: Int, CaseIterable, Sendable {
        case lookup, store, remove, removeAll, removeSince, figures, flush, memoryCapacity, diskCapacity, close
        case openDisk, openOwn
    }

    @Test("A child forked while threads store never hangs, whichever call comes first", arguments: FirstCall.allCases)
    func child(first: FirstCall) async {
        await #expect(processExitsWith: .success) { [call = first.rawValue as Int] in
            ForkTests.limitProcessorTime()
            let first = try #require(FirstCall(rawValue: call))
            try BusyCache.makeMetadata()
            let directory = TemporaryDirectory()
            let busy = try BusyCache(directory: directory.path)
            let isDone = ForkSafe(false)
            let threads = (0..<3).map { number in
                let thread = Thread { busy.work(seed: number, until: isDone) }
                thread.start()
                return thread
            }
            while busy.rounds.withLock({ $0 }) < 100 { sched_yield() }
            let ends = Set((0..<nightly(30, else: 10)).map { _ in ForkedChild.run { busy.failedCall(after: first) } })
            #expect(ends == [0])
            isDone.withLock { $0 = true }
            for thread in threads { while !thread.isFinished { sched_yield() } }
            // The parent still has its directory, its disk tier and its entries.
            #expect(busy.disk.capacity == BusyCache.diskCapacity)
            try busy.disk.store(Sample(number: 1).entry())
            #expect(busy.disk.holds(Sample(number: 1)))
            #expect(throws: DiskTierError.inUse(directory: directory.path)) {
                try DiskTier(directory: directory.path, capacity: 1 << 20)
            }
        }
    }

    @Test("The directory of an owner that was killed is free although a child of it lives on")
    func childOutlivesOwner() async {
        // In a process in which no other thread makes metadata, and no other test's child inherits the pipes.
        await #expect(processExitsWith: .success) {
            let directory = TemporaryDirectory()
            // Makes the metadata that the owner needs.
            _ = try DiskTier(directory: directory.path, capacity: 1 << 20)
            var life: [Int32] = [0, 0]
            var news: [Int32] = [0, 0]
            try #require(pipe(&life) == 0 && pipe(&news) == 0)
            let owner = ForkedChild.fork()
            if owner == 0 {
                let tier = try? DiskTier(directory: directory.path, capacity: 1 << 20)
                var byte: UInt8 = tier == nil ? 0 : 1
                if ForkedChild.fork() == 0 {
                    // Lives until the test closes its end.
                    close(life[1])
                    write(news[1], &byte, 1)
                    read(life[0], &byte, 1)
                    _exit(0)
                }
                withExtendedLifetime(tier) { while true { pause() } }
            }
            close(life[0])
            var byte: UInt8 = 0
            #expect(ForkedChild.isReadable(news[0]) && read(news[0], &byte, 1) == 1 && byte == 1)
            kill(owner, SIGKILL)
            #expect(ForkedChild.end(of: owner) == -SIGKILL)
            #expect(throws: Never.self) { try DiskTier(directory: directory.path, capacity: 1 << 20) }
            for end in [life[1]] + news { close(end) }
        }
    }

    @Test("A directory is free as soon as its cache is released, while children are being started all the time")
    func reopeningBesideSpawns() async throws {
        await #expect(processExitsWith: .success) {
            ForkTests.limitProcessorTime()
            let directory = TemporaryDirectory()
            let isDone = ForkSafe(false)
            let threads = [ForkTests.spawnUntil, ForkTests.forkAndExecuteUntil].map { start in
                let thread = Thread { start(isDone) }
                thread.start()
                return thread
            }
            var refusals = 0
            for _ in 0..<1_000 {
                do throws(DiskTierError) {
                    _ = try DiskTier(directory: directory.path, capacity: 64 << 10)
                } catch {
                    refusals += 1
                }
            }
            isDone.withLock { $0 = true }
            for thread in threads { while !thread.isFinished { sched_yield() } }
            #expect(refusals == 0)
        }
    }

    /// Has the system end this process, and each child that it forks, after five minutes of computing.
    ///
    /// ThreadSanitizer does not support a fork beside other threads: the child may spin for ever on a lock of its
    /// runtime before it can set an alarm. A limit is inherited.
    static func limitProcessorTime() {
        var limits = rlimit(rlim_cur: 300, rlim_max: 300)
        setrlimit(processorTimeLimit, &limits)
    }

    @Sendable private static func spawnUntil(_ isDone: ForkSafe<Bool>) {
        while !isDone.withLock({ $0 }) {
            var process: pid_t = 0
            var argv: [UnsafeMutablePointer<CChar>?] = [strdup("true"), nil]
            posix_spawn(&process, "/bin/true", nil, nil, &argv, nil)
            free(argv[0])
            var status: Int32 = 0
            waitpid(process, &status, 0)
        }
    }

    @Sendable private static func forkAndExecuteUntil(_ isDone: ForkSafe<Bool>) {
        while !isDone.withLock({ $0 }) {
            _ = ForkedChild.run {
                usleep(500)
                return 0
            }
        }
    }
}

/// A cache that threads keep changing.
final class BusyCache: Sendable {
    static let diskCapacity = 1 << 20

    let cache: TwoTierCache
    let disk: DiskTier
    let rounds = ForkSafe(0)

    init(directory: String) throws {
        disk = try DiskTier(directory: directory, capacity: Self.diskCapacity)
        cache = TwoTierCache(
            memory: try MemoryTier(capacity: 1 << 20), disk: disk,
            hasher: KeyHasher(seed: KeySeed(disk.hashSeed.first, disk.hashSeed.second)))
    }

    /// Does all that threads and children do, in this process and alone.
    ///
    /// The Swift runtime makes metadata of types at their first use, under a lock. A child that is forked meanwhile and
    /// needs metadata, too, waits for ever.
    static func makeMetadata() throws {
        let directory = TemporaryDirectory()
        let cache = try BusyCache(directory: directory.path)
        var state: UInt64 = 1
        for _ in 0..<500 { cache.step(&state) }
        for _ in 0..<2 {
            for call in ForkTests.FirstCall.allCases { _ = cache.failedCall(after: call) }
        }
    }

    func work(seed: Int, until isDone: ForkSafe<Bool>) {
        var state = scrambled(UInt64(seed))
        while !isDone.withLock({ $0 }) { step(&state) }
    }

    private func step(_ state: inout UInt64) {
        state = scrambled(state)
        let sample = Sample(number: Int(state % 64), version: Int(state >> 8 % 16), bodyCount: 3000)
        switch state >> 32 % 16 {
        case 0: _ = try? cache.remove(sample)
        case 1: try? cache.removeAll(since: 0)
        case 2: try? disk.flush()
        case 3..<8: _ = cache.lookup(sample)
        default: cache.store(sample.entry())
        }
        rounds.withLock { $0 += 1 }
    }

    /// Makes one call first, and then all others.
    ///
    /// - Returns: the number from 1 of the call that did not find a cache in memory alone; 0 if all did.
    func failedCall(after first: ForkTests.FirstCall) -> Int32 {
        let calls = [first] + ForkTests.FirstCall.allCases
        return calls.first { !call($0) }.map { Int32($0.rawValue + 1) } ?? 0
    }

    private func call(_ call: ForkTests.FirstCall) -> Bool {
        let sample = Sample(number: 100, version: 3)
        switch call {
        case .lookup:
            _ = cache.lookup(Sample(number: 5))
            return disk.lookup(sample) == nil
        case .store:
            guard case .failure(.closed)? = cache.store(sample.entry()).disk else { return false }
            return cache.lookup(sample).map { sample.matches($0.entry) && $0.tier == .memory } ?? false
        case .remove:
            _ = try? cache.remove(sample)
            return cache.lookup(sample) == nil
        case .removeAll:
            try? cache.removeAll()
            return cache.memory.count == 0
        case .removeSince:
            try? cache.removeAll(since: -1)
            return cache.memory.count == 0
        case .figures:
            return (disk.capacity, disk.count, disk.currentUsage, disk.allocatedBytes) == (0, 0, 0, 0)
                && disk.statistics.hits == 0 && cache.memory.usage <= cache.memory.capacity
        case .flush: return (try? disk.flush()) == nil
        case .memoryCapacity: return (try? cache.memory.setCapacity(2 << 20)) != nil
        case .diskCapacity: return (try? disk.setCapacity(2 << 20)) == nil
        case .close:
            disk.close()
            return true
        case .openDisk:
            try? cache.openDisk(directory: "/nowhere", capacity: 1 << 20)
            return true
        case .openOwn:
            let directory = TemporaryDirectory()
            guard let own = try? DiskTier(directory: directory.path, capacity: 1 << 20) else { return false }
            for number in 0..<20 { _ = try? own.store(Sample(number: number).entry()) }
            return own.holds(Sample(number: 7))
        }
    }
}

extension TwoTierCache {
    fileprivate func lookup(_ sample: Sample) -> (entry: StoredEntry, tier: CacheTier)? {
        sample.key.withUnsafeBytes { lookup($0, hash: sample.hash) }
    }

    fileprivate func remove(_ sample: Sample) throws(DiskTierError) -> Bool {
        let removed = sample.key.withUnsafeBytes { key in
            Result { () throws(DiskTierError) in try remove(key, hash: sample.hash) }
        }
        return try removed.get()
    }
}
