import Foundation
import GaugeSupport
import Platform
import Synchronization

/// Counts the benchmarks of one or more builds, each time in a process of its own. Some run at once, since counts don't
/// depend on the machine's other work.
package struct CountRun {
    package let executables: [String]
    package let settings: RunSettings
    package let directory: TemporaryDirectory
    package let interruption: Interruption?
    package let progress: ProgressLine
    /// Why instructions can't be counted here, and the remedy; `nil` if they can.
    package let warning: String?
    private let kept: KeptCounts?
    private let valgrind: Valgrind?
    private let path: String?

    /// The time-out for each answer of a worker under callgrind, seconds.
    private static let timeOut = 600.0
    /// - Parameters:
    ///   - kept: counts of the first build that needn't be taken again.
    ///   - path: where to look for valgrind and setarch.
    package init(
        executables: [String], settings: RunSettings, directory: TemporaryDirectory, interruption: Interruption?,
        progress: ProgressLine, kept: KeptCounts? = nil, path: String? = ProcessInfo.processInfo.environment["PATH"]
    ) {
        (self.executables, self.settings, self.directory) = (executables, settings, directory)
        (self.interruption, self.progress, self.kept, self.path) = (interruption, progress, kept, path)
        do {
            valgrind = try Valgrind(path: path)
            warning = nil
        } catch {
            valgrind = nil
            warning = "\(error)"
        }
    }

    /// Counts for each executable the benchmarks that it has.
    ///
    /// - Parameters:
    ///   - benchmarks: a list of names for each executable.
    ///   - repetitions: the numbers of the countings, from 0; those that are taken again go on where the first ended.
    /// - Returns: a table for each executable, by name.
    /// - Throws: `Interrupted`; `GaugeError` if no worker can be started at all.
    package func counts(
        of benchmarks: [[String]], repetitions: Range<Int> = 0..<2
    ) throws -> [[String: BenchmarkCounts]] {
        let jobs = executables.indices.flatMap { build in
            benchmarks[build].flatMap { name in repetitions.map { Job(build: build, name: name, repetition: $0) } }
        }
        let setarch = FixedSurroundings.setarch(in: path)
        let all = 2 * jobs.count
        let works = try inParallel(jobs, done: 0, of: all) { try work($0, setarch: setarch) }
        var tables: [[String: BenchmarkCounts]] = executables.map { _ in [:] }
        var quickest: [String: Double] = [:]
        var worthwhile: [Job] = []
        var sizes: [String: (whole: Int, sequence: Int)] = [:]
        for first in stride(from: 0, to: jobs.count, by: repetitions.count) {
            let job = jobs[first]
            do {
                let taken = try works[first..<first + repetitions.count].map { try $0.get() }
                var counts = BenchmarkCounts(taken)
                if taken[0].isThreaded { counts.addNoInstructions(because: "it runs on several threads") }
                tables[job.build][job.name] = counts
                let time = taken.reduce(.infinity) { min($0, $1.nanoseconds) }
                quickest[job.name] = min(quickest[job.name] ?? .infinity, time)
            } catch {
                tables[job.build][job.name] = BenchmarkCounts(failure: "\(error)")
            }
        }
        for job in jobs where tables[job.build][job.name]?.failure == nil {
            if warning != nil {
                tables[job.build][job.name]?.addNoInstructions(because: "no valgrind")
            } else if tables[job.build][job.name]?.reasons.isEmpty == true {
                // One number for both builds: with fewer operations, a count has more of rare work, or none.
                guard let size = InstructionCounter.operations(taking: quickest[job.name] ?? 0) else {
                    let time = Quantity.time(quickest[job.name])
                    tables[job.build][job.name]?.addNoInstructions(because: "an operation takes \(time)")
                    continue
                }
                sizes[job.name] = size
                worthwhile.append(job)
            }
        }
        try addInstructions(
            of: worthwhile, repetitions, sizes: sizes, to: &tables, done: all - worthwhile.count, of: all)
        return tables
    }

    /// - Parameter sizes: the numbers of operations, by benchmark.
    private func addInstructions(
        of jobs: [Job], _ repetitions: Range<Int>, sizes: [String: (whole: Int, sequence: Int)],
        to tables: inout [[String: BenchmarkCounts]], done: Int, of all: Int
    ) throws {
        guard !jobs.isEmpty else { return }
        // For each repetition, one copy of the executable serves all benchmarks.
        let counters = try executables.map { executable in
            try repetitions.map { _ in
                try InstructionCounter(
                    executable: executable, directory: TemporaryDirectory(in: directory.path),
                    interruption: interruption, isUnhurried: true, valgrind: valgrind)
            }
        }
        let results = try inParallel(jobs, done: done, of: all) { job in
            try count(
                KeptCounts.Job(
                    job.name, repetition: job.repetition,
                    operations: sizes[job.name]?.whole ?? InstructionCounter.operations,
                    sequence: sizes[job.name]?.sequence ?? SequenceCount.operations),
                build: job.build, by: counters[job.build][job.repetition - repetitions.lowerBound])
        }
        for first in stride(from: 0, to: jobs.count, by: repetitions.count) {
            let job = jobs[first]
            do {
                let counted = try results[first..<first + repetitions.count].map { try $0.get() }
                tables[job.build][job.name]?.add(counted)
            } catch {
                tables[job.build][job.name]?.addNoInstructions(because: "\(error)")
            }
        }
    }

    private func count(_ job: KeptCounts.Job, build: Int, by counter: InstructionCounter) throws -> KeptCounts.Count {
        func take() throws -> KeptCounts.Count {
            let (whole, each) = try counter.counts(
                job.benchmark, settings: settings, operations: job.operations, sequence: job.sequence,
                isOnDemand: true, timeOut: Self.timeOut)
            return KeptCounts.Count(whole: whole, each: each)
        }
        guard build == 0, let kept else { return try take() }
        return try kept.count(job, otherwise: take)
    }

    /// Counts only instructions, once: enough to see how they grow.
    ///
    /// - Parameter benchmarks: a list of names for each executable, which starts counting on demand.
    /// - Returns: a table for each executable, without benchmarks that can't be counted.
    package func instructions(of benchmarks: [[String]]) throws -> [[String: InstructionCount]] {
        var tables: [[String: InstructionCount]] = executables.map { _ in [:] }
        guard warning == nil, benchmarks.contains(where: { !$0.isEmpty }) else { return tables }
        let jobs = executables.indices.flatMap { build in
            benchmarks[build].map { Job(build: build, name: $0, repetition: 0) }
        }
        let counters = try executables.map { executable in
            try InstructionCounter(
                executable: executable, directory: TemporaryDirectory(in: directory.path),
                interruption: interruption, isUnhurried: true, valgrind: valgrind)
        }
        let results = try inParallel(jobs, done: 0, of: jobs.count) { job in
            try count(
                KeptCounts.Job(job.name, repetition: 0, operations: Self.growthOperations), build: job.build,
                by: counters[job.build]
            ).whole
        }
        for (job, result) in zip(jobs, results) { tables[job.build][job.name] = try? result.get() }
        return tables
    }

    /// Enough operations to include work that is done every 64th time.
    private static let growthOperations = 512

    private struct Job: Sendable {
        let build: Int
        let name: String
        let repetition: Int
    }

    private func work(_ job: Job, setarch: String?) throws -> WorkCounts {
        let own = try TemporaryDirectory(in: directory.path)
        defer { own.remove() }
        let executable = executables[job.build]
        let libraries = URL(fileURLWithPath: executable).deletingLastPathComponent().path
        return try WorkCounts(
            of: job.name, executable: executable, libraries: libraries, settings: settings, directory: own.path,
            interruption: interruption, setarch: setarch)
    }

    /// Runs all jobs on as many threads as there are processors, but at most four, since each may fill a disk tier.
    /// Results are in the order of the jobs; an interruption ends all.
    private func inParallel<Result: Sendable>(
        _ jobs: [Job], done: Int, of all: Int, _ body: @escaping @Sendable (Job) throws -> Result
    ) throws -> [Swift.Result<Result, any Error>] {
        let results = Results<Result>(jobs.count)
        let next = Atomic(0)
        DispatchQueue.concurrentPerform(iterations: min(4, processorCount(), max(1, jobs.count))) { _ in
            while interruption?.isRequested != true {
                let position = next.add(1, ordering: .relaxed).oldValue
                guard position < jobs.count else { return }
                results.set(position, Swift.Result { try body(jobs[position]) })
                progress.show("counting, \(done + results.count)/\(all)")
            }
        }
        if interruption?.isRequested == true {
            let taken = done + results.all.count { (try? $0.get()) != nil }
            throw Interrupted(", after \(taken) of \(all) counts")
        }
        return results.all
    }

    private final class Results<Value: Sendable>: Sendable {
        private let values: Locked<[Swift.Result<Value, any Error>?]>

        init(_ count: Int) { values = Locked(Array(repeating: nil, count: count)) }

        func set(_ position: Int, _ value: Swift.Result<Value, any Error>) { values.withLock { $0[position] = value } }

        var count: Int { values.withLock { $0.count { $0 != nil } } }

        /// The results so far: all of them, unless the run was interrupted.
        var all: [Swift.Result<Value, any Error>] { values.withLock { $0.compactMap(\.self) } }
    }
}
