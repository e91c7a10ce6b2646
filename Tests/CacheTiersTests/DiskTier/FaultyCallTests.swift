@testable import CacheTiers
import FaultyCalls
import Platform
import Testing

/// System calls that fail, are interrupted or come to less than was asked for, on a real file.
///
/// Each test in a child process, since the faults are the process's.
@Suite(.enabled(if: faulty_calls_are_possible() == 1, "calls fail in plain builds for Linux only"))
struct FaultyCallTests {
    static let calls = [FAULTY_READ, FAULTY_WRITE, FAULTY_RESERVE, FAULTY_RESIZE, FAULTY_SYNCHRONIZE]

    @Test("interrupted calls are made again, and nobody notices") func interrupted() async {
        await #expect(processExitsWith: .success) {
            for call in FaultyCallTests.calls { faulty_calls_arm(call, 0, 100_000, EINTR, 0) }
            let run = try FaultyCallTests.exercise(seed: 1)
            #expect(FaultyCallTests.calls.reduce(0) { $0 + faulty_calls_count($1) } > 100)
            #expect(run.failures == 0)
            #expect(run.found > 5)
        }
    }

    @Test("calls that read and write less than they should are made again for the rest", arguments: [1, 37, 64, 100])
    func short(limit: Int) async {
        await #expect(processExitsWith: .success) { [limit = limit as Int] in
            faulty_calls_arm(FAULTY_READ, 0, 1_000_000, 0, limit)
            faulty_calls_arm(FAULTY_WRITE, 0, 1_000_000, 0, limit)
            let run = try FaultyCallTests.exercise(seed: 2)
            #expect(faulty_calls_count(FAULTY_READ) + faulty_calls_count(FAULTY_WRITE) > 100)
            #expect(run.failures == 0)
            #expect(run.found > 5)
        }
    }

    @Test(
        "a write of two regions that is taken in pieces comes to the bytes of both and no more",
        arguments: [1, 6, 8, 15, 19])
    func pieces(limit: Int) async {
        await #expect(processExitsWith: .success) { [limit = limit as Int] in
            let directory = TemporaryDirectory()
            let descriptor = Platform.open(directory.logPath, O_RDWR | O_CREAT, 0o600)
            let storage = FileStorage(descriptor: descriptor)
            let (first, second) = ((0..<7).map { UInt8($0) }, (7..<20).map { UInt8($0) })
            faulty_calls_arm(FAULTY_WRITE, 0, 1_000_000, 0, limit)
            try first.withUnsafeBytes { first in
                try second.withUnsafeBytes { try storage.write(at: 3, first, $0) }
            }
            var written = [UInt8](repeating: 99, count: 100)
            let count = try written.withUnsafeMutableBytes { try storage.read(at: 0, into: $0) }
            #expect(Array(written[..<count]) == [0, 0, 0] + first + second)
        }
    }

    @Test("a write that takes nothing is an error, and is not tried for ever") func nothingWritten() async {
        await #expect(processExitsWith: .success) {
            let directory = TemporaryDirectory()
            let storage = FileStorage(descriptor: Platform.open(directory.logPath, O_RDWR | O_CREAT, 0o600))
            // No other thread writes, so that this one meets the fault.
            let tier = try DiskTier(
                storage, capacity: 1 << 20, seed: KeySeed(1, 2), nonceSeed: 1,
                schedule: WriteSchedule(now: { 1 }, later: { _, _ in true }))
            try tier.store(Sample(number: 1).entry())
            try tier.flush()
            faulty_calls_arm(FAULTY_WRITE, 0, 1, 0, 0)
            errno = 0
            let error = #expect(throws: DiskTierError.self) {
                try tier.store(Sample(number: 2).entry())
                try tier.flush()
            }
            #expect(error?.description.contains(String(cString: strerror(EIO))) == true)
            #expect(tier.holds(Sample(number: 1)))
        }
    }

    @Test("where the file cannot be mapped records are read by calls, which may be short") func unmapped() async {
        await #expect(processExitsWith: .success) {
            faulty_calls_arm(FAULTY_MAP, 0, 1_000_000, ENOMEM, 0)
            faulty_calls_arm(FAULTY_READ, 0, 1_000_000, 0, 50)
            let run = try FaultyCallTests.exercise(seed: 3)
            // Once at each opening, and once for reading.
            #expect(faulty_calls_count(FAULTY_MAP) == 3)
            // Opening the log twice takes far fewer.
            #expect(faulty_calls_count(FAULTY_READ) > 300)
            #expect(run.failures == 0)
            #expect(run.found > 5)
        }
    }

    @Test(
        "a call that fails is counted, no answer is wrong or torn, then or after opening again",
        arguments: [
            (FAULTY_READ, EIO), (FAULTY_WRITE, EIO), (FAULTY_WRITE, ENOSPC), (FAULTY_RESERVE, ENOSPC),
            (FAULTY_RESIZE, EIO), (FAULTY_SYNCHRONIZE, EIO),
        ])
    func failing(call: faulty_call, code: Int32) async {
        await #expect(processExitsWith: .success) { [call = call.rawValue as UInt32, code = code as Int32] in
            for after in [0, 1, 2, 3, 4, 5, 6, 7, 9, 12, 16, 22, 31, 45] {
                // Else reading takes few calls.
                if call == FAULTY_READ.rawValue { faulty_calls_arm(FAULTY_MAP, 0, 1_000_000, ENOMEM, 0) }
                let before = faulty_calls_count(faulty_call(call))
                let run = try FaultyCallTests.exercise(seed: after) {
                    faulty_calls_arm(faulty_call(call), Int32(after), 1, code, 0)
                }
                let count = faulty_calls_count(faulty_call(call)) - before
                #expect(run.failures >= count, "after \(after) calls")
                #expect(after > 0 || count == 1)
            }
        }
    }

    @Test("when every call fails operations throw or miss, and all is well again when the disk is")
    func nothingWorks() async {
        await #expect(processExitsWith: .success) {
            let directory = TemporaryDirectory()
            let tier = try DiskTier(directory: directory.path, capacity: 64 << 10)
            for number in 0..<20 { try tier.store(Sample(number: number).entry()) }
            for call in FaultyCallTests.calls { faulty_calls_arm(call, 0, 1_000_000, EIO, 0) }
            // One of two passes: so often that for every operation some call fails.
            var thrown = 0
            for number in 0..<200 {
                do throws(DiskTierError) {
                    try tier.store(Sample(number: number % 40, version: 1).entry())
                    _ = try tier.remove(Sample(number: number % 7).hash)
                    try tier.flush()
                } catch {
                    thrown += 1
                    #expect("\(error)".contains("Input/output error"))
                }
            }
            #expect(thrown > 50)
            #expect(tier.statistics.failures > 50)
            for call in FaultyCallTests.calls { faulty_calls_arm(call, 0, 0, 0, 0) }
            try tier.store(Sample(number: 99).entry())
            #expect(tier.holds(Sample(number: 99)))
            for number in 0..<40 {
                guard let entry = tier.lookup(Sample(number: number)) else { continue }
                #expect(Sample(number: number, version: 1).matches(entry))
            }
        }
    }

    /// Stores, looks up, removes, flushes, changes the capacity, opens again, and judges every answer.
    ///
    /// - Parameter arm: called when the tier is open.
    /// - Returns: errors thrown and counted, and entries found at the end.
    static func exercise(seed: Int, arm: () -> Void = {}) throws -> (failures: Int, found: Int) {
        let directory = TemporaryDirectory()
        var current: [Int: Sample] = [:]
        var failures = 0
        func attempt(_ operation: () throws(DiskTierError) -> Void) -> Bool {
            do throws(DiskTierError) {
                try operation()
                return true
            } catch {
                failures += 1
                return false
            }
        }
        func judge(_ tier: DiskTier, _ number: Int) -> Bool {
            guard let entry = tier.lookup(Sample(number: number)) else { return false }
            #expect(current[number].map { $0.matches(entry) } == true, "key \(number), seed \(seed)")
            return true
        }
        do {
            let tier = try DiskTier(directory: directory.path, capacity: 64 << 10)
            arm()
            var state = scrambled(UInt64(seed))
            for step in 0..<150 {
                state = scrambled(state)
                let number = Int(state >> 8 % 30)
                switch state % 16 {
                case 0, 1:
                    if attempt({ () throws(DiskTierError) in try tier.remove(Sample(number: number).hash) }) {
                        current[number] = nil
                    }
                case 2: _ = attempt { () throws(DiskTierError) in try tier.flush() }
                case 3...6: _ = judge(tier, number)
                default:
                    let sample = Sample(number: number, version: step, bodyCount: Int(state >> 16 % 2000))
                    let isStored = attempt { () throws(DiskTierError) in try tier.store(sample.entry()) }
                    current[number] = isStored ? sample : nil
                }
            }
            _ = attempt { () throws(DiskTierError) in try tier.setCapacity(48 << 10) }
            _ = attempt { () throws(DiskTierError) in try tier.setCapacity(64 << 10) }
            for number in 0..<30 { _ = judge(tier, number) }
            // Waits for a reservation of space that may just have failed.
            tier.close()
            failures += Int(tier.statistics.failures)
        }
        // A disk that fails in that very moment may be the reason to begin with an empty file.
        let tier = try DiskTier(directory: directory.path, capacity: 64 << 10)
        var found = 0
        for number in 0..<30 where judge(tier, number) { found += 1 }
        failures += Int(tier.statistics.failures)
        if case .unreadable? = tier.startReason { failures += 1 }
        return (failures, found)
    }
}
