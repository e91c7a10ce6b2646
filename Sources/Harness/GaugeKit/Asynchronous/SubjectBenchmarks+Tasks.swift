import Dispatch
import GaugeTraces
import Platform
import Synchronization

extension SubjectBenchmarks {
    /// Lookups by several tasks at once, on Swift's own threads. An operation's time is a batch's time divided by all
    /// tasks' operations. Figures give the context switches of the process, including two for starting a batch.
    ///
    /// - Parameters:
    ///   - tasks: the number of tasks; all ask for keys in one order, each from another place on.
    ///   - isZipf: whether they ask for four times as many keys as fit, by Zipf's law with exponent 0.9, and store
    ///     after a miss; otherwise all keys are there and equally frequent.
    @inlinable
    package static func asyncTasks<Subject: AsyncCacheSubject>(
        _ type: Subject.Type, _ work: SubjectCase, tasks: Int, isZipf: Bool
    ) -> Benchmark {
        benchmark(AsyncSubject<Subject>.self, work) { context in
            let resident = work.residentCount(context)
            let objects = isZipf ? 4 * resident : resident
            let ids = (0..<UInt64(objects)).map { $0 }
            let work = isZipf ? try tight(AsyncSubject<Subject>.self, work, context) : work
            let entries = try AsyncEntries<Subject>(
                work, context, filled: ids, ids: ids, version: isZipf ? 1 : nil, isOverfull: isZipf)
            let order = taskOrder(objects, isZipf: isZipf, seed: context.seed)
            let rounds = TaskRounds()
            return PreparedBenchmark(
                // One thread starts the tasks and waits for them.
                .threaded(threads: 1) { _, operations in
                    let place = rounds.begin(operations, each: (operations + tasks - 1) / tasks)
                    let wrong = inTasks(tasks, operations) { task, part in
                        let start = (place + order.count / tasks * task) % order.count
                        return isZipf
                            ? await entries.lookUpOrStore(order, from: start, operations: part)
                            : part - (await entries.lookUp(order, from: start, operations: part))
                    }
                    rounds.end()
                    guard wrong > 0 else { return }
                    context.answers.wrong(
                        key: "\(operations) keys in \(tasks) tasks", expected: "their bodies, without errors",
                        got: "\(wrong) other answers")
                }, outcome: .memoryHit, figures: { rounds.figures })
        }
    }

    /// The numbers of keys that the tasks ask for: by Zipf's law twice as many as there are objects, since in a shorter
    /// order there would soon be no miss.
    @usableFromInline
    package static func taskOrder(_ objects: Int, isZipf: Bool, seed: UInt64) -> [Int] {
        guard isZipf else { return randomOrder(below: objects, seed: seed) }
        var keys = ZipfKeys(objects: objects, exponent: 0.9, seed: seed)
        return (0..<max(mixCount, 2 * objects)).map { _ in Int(keys.next()) }
    }

    /// Divides operations among tasks, waits for them, and adds up their results.
    @usableFromInline
    package static func inTasks(
        _ tasks: Int, _ operations: Int, _ part: @escaping @Sendable (_ task: Int, _ operations: Int) async -> Int
    ) -> Int {
        let (sum, end) = (Total(), DispatchSemaphore(value: 0))
        Task.detached {
            await withTaskGroup(of: Int.self) { group in
                for task in 0..<tasks {
                    let own = operations / tasks + (task < operations % tasks ? 1 : 0)
                    group.addTask { await part(task, own) }
                }
                for await result in group { sum.value.add(result, ordering: .relaxed) }
            }
            end.signal()
        }
        end.wait()
        return sum.value.load(ordering: .relaxed)
    }

    private final class Total: Sendable {
        let value = Atomic<Int>(0)
    }
}

/// A row's batches so far: where the next one begins, and how many context switches they took.
@usableFromInline
package final class TaskRounds: Sendable {
    private struct Counts {
        var operations = 0
        var place = 0
        var switches = 0
        var before = 0
    }

    private let counts = Locked(Counts())

    @usableFromInline package init() {}

    /// Begins a batch, `each` operations a task at most; returns how far each task has come.
    @usableFromInline
    package func begin(_ operations: Int, each: Int) -> Int {
        counts.withLock { counts in
            defer {
                counts.operations += operations
                counts.place += each
            }
            counts.before = Self.switches
            return counts.place
        }
    }

    @usableFromInline
    package func end() { counts.withLock { $0.switches += Self.switches - $0.before } }

    @usableFromInline
    package var figures: [Figure] {
        let (operations, switches) = counts.withLock { ($0.operations, $0.switches) }
        return [Figure("context switches of 1000", Double(switches) * 1_000 / Double(max(1, operations)))]
    }

    /// Of the whole process.
    private static var switches: Int {
        let usage = resourceUsage()
        return Int(usage.ru_nvcsw) + Int(usage.ru_nivcsw)
    }
}
