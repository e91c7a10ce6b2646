import CacheTiers
import Foundation
import Platform
import Synchronization
import TestSupport
import Testing

/// A writer that is killed with SIGKILL at a moment it does not choose, and the entries that the next process finds.
///
/// The writer keeps a journal beside the cache, a line before and a line after each call.
@Suite(.serialized) struct KillTests {
    static let kills = nightly(200, else: 20)
    static let capacity = 64 << 10
    static let keyCount = 60

    @Test(
        "after a kill a lookup finds the newest completed store or nothing, and removed entries stay removed",
        .timeLimit(.minutes(60)))
    func afterAKillALookupFindsTheNewestCompletedStoreOrNothingAndRemovedEntriesStayRemoved() async throws {
        let directory = TemporaryDirectory()
        defer { unlink(directory.path + "/journal") }
        var found = 0
        for round in 0..<Self.kills {
            let path = directory.path
            await #expect(processExitsWith: .signal(SIGKILL)) { [path = path as String, round = round as Int] in
                try KillTests.write(path, round: round)
            }
            found += try Self.judge(path, round: round)
        }
        // A cache that forgets everything would keep the promise, too.
        #expect(found > Self.kills)
    }

    /// Stores, removes and clears until it is killed.
    static func write(_ path: String, round: Int) throws {
        let tier = try DiskTier(directory: path, capacity: capacity)
        let journal = open(path + "/journal", O_WRONLY | O_CREAT | O_APPEND, 0o600)
        func note(_ words: [UInt32]) {
            _ = words.withUnsafeBytes { Platform.write(journal, $0.baseAddress, $0.count) }
        }
        var state = scrambled(UInt64(round))
        let delay = useconds_t(state % 20_000)
        let calls = Calls()
        let killer = Thread {
            // Every fourth round the kill may come while the log is being opened; in the others so much is done first
            // that something is found, however slow the machine.
            while !round.isMultiple(of: 4), calls.count.load(ordering: .relaxed) < 60 { usleep(100) }
            usleep(delay)
            kill(getpid(), SIGKILL)
        }
        killer.start()
        var version = UInt32(round) << 20
        while true {
            state = scrambled(state)
            version += 1
            calls.count.add(1, ordering: .relaxed)
            let number = UInt32(state % UInt64(keyCount))
            switch state >> 32 % 64 {
            case 0:
                note([2, 0, version, 0])
                try tier.removeAll()
                note([2, 0, version, 1])
            case 1..<12:
                note([1, number, version, 0])
                try tier.remove(Sample(number: Int(number)).hash)
                note([1, number, version, 1])
            default:
                note([0, number, version, 0])
                let bodyCount = Int(version % 2000)
                try tier.store(Sample(number: Int(number), version: Int(version), bodyCount: bodyCount).entry())
                note([0, number, version, 1])
            }
        }
    }

    /// How many calls the writer has begun.
    private final class Calls: Sendable {
        let count = Atomic(0)
    }

    /// Compares the cache with the journal, and begins a new journal with the found entries.
    ///
    /// - Returns: entries found.
    static func judge(_ path: String, round: Int) throws -> Int {
        let bytes = try Data(contentsOf: URL(filePath: path + "/journal"))
        let words = bytes.withUnsafeBytes { Array($0.bindMemory(to: UInt32.self)) }
        var allowed = [Set<UInt32>](repeating: [], count: keyCount)
        var line = 0
        while line + 4 <= words.count {
            let (operation, number, version, isDone) =
                (words[line], Int(words[line + 1]), words[line + 2], words[line + 3] == 1)
            line += 4
            switch operation {
            case 0: allowed[number] = isDone ? [version] : allowed[number].union([version])
            case 1: if isDone { allowed[number] = [] }
            default: if isDone { allowed = allowed.map { _ in [] } }
            }
        }
        let tier = try DiskTier(directory: path, capacity: capacity)
        var journal: [UInt32] = []
        var count = 0
        for number in 0..<keyCount {
            guard let entry = tier.lookup(Sample(number: number)) else { continue }
            let version = allowed[number].first {
                Sample(number: number, version: Int($0), bodyCount: Int($0 % 2000)).matches(entry)
            }
            guard let version else {
                Issue.record("round \(round): key \(number) gave \(entry.bodyCount) bytes; right: \(allowed[number])")
                continue
            }
            journal += [0, UInt32(number), version, 1]
            count += 1
        }
        #expect(tier.allocatedBytes <= capacity)
        try journal.withUnsafeBytes { try Data($0).write(to: URL(filePath: path + "/journal")) }
        return count
    }
}
