import GaugeTraces

extension SubjectBenchmarks {
    /// Lookups of stored keys on several threads at once, each in its own random order.
    @inlinable
    package static func threadedHits<Subject: CacheSubject>(_ type: Subject.Type, _ work: SubjectCase, threads: Int)
        -> Benchmark
    {
        benchmark(type, work) { context in
            let ids = (0..<UInt64(work.residentCount(context))).map { $0 }
            let checked = try filled(type, work, context, ids: ids)
            let shared = try SharedSubject(checked, work, ids: ids, threads: threads, context) {
                UniformKeys(objects: $0, seed: $1)
            }
            return PreparedBenchmark(
                .threaded(threads: threads) { thread, operations in
                    shared.lookUp(operations, on: thread, storingMisses: false)
                }, outcome: .memoryHit)
        }
    }

    /// Lookups of four times as many keys as fit, by Zipf's law with exponent 0.9, with a store after each miss.
    @inlinable
    package static func threadedZipf<Subject: CacheSubject>(_ type: Subject.Type, _ work: SubjectCase, threads: Int)
        -> Benchmark
    {
        benchmark(type, work) { context in
            let tight = try tight(type, work, context)
            let ids = (0..<UInt64(4 * work.residentCount(context))).map { $0 }
            let checked = try overfilled(type, tight, context, ids: ids)
            let shared = try SharedSubject(checked, tight, ids: ids, threads: threads, context) {
                ZipfKeys(objects: $0, exponent: 0.9, seed: $1)
            }
            return PreparedBenchmark(
                .threaded(threads: threads) { thread, operations in
                    shared.lookUp(operations, on: thread, storingMisses: true)
                }, outcome: .memoryHit)
        }
    }
}

/// A filled subject with ready keys and bodies, for several threads.
///
/// `@unchecked Sendable`: the subject declares that several threads may use it, keys and bodies don't change after
/// `init`, only thread n uses `walks[n]`, and `Answers` takes reports from any thread.
@usableFromInline
package final class SharedSubject<Subject: CacheSubject>: @unchecked Sendable {
    @usableFromInline package let stores: PreparedStores<Subject>
    @usableFromInline package let walks: [Walk]
    @usableFromInline package let answers: Answers

    /// The numbers of the keys that a thread asks for, over and over.
    @usableFromInline
    package final class Walk {
        @usableFromInline package let numbers: [Int]
        @usableFromInline package var place = 0

        @usableFromInline package init(_ numbers: [Int]) { self.numbers = numbers }

        @inlinable
        package func next() -> Int {
            defer { place = place + 1 == numbers.count ? 0 : place + 1 }
            return numbers[place]
        }
    }

    /// - Parameter stream: makes a thread's key stream from the number of objects and a seed.
    @inlinable
    package init(
        _ checked: CheckedSubject<Subject>, _ work: SubjectCase, ids: [UInt64], threads: Int, _ context: RunContext,
        stream: (_ objects: Int, _ seed: UInt64) -> some KeyStream
    ) throws {
        stores = try PreparedStores(ids, version: 1, count: work.bodyCount, of: checked)
        answers = context.answers
        walks = (0..<threads).map { thread in
            var keys = stream(ids.count, context.seed &+ UInt64(thread))
            return Walk((0..<max(SubjectBenchmarks.mixCount, 2 * ids.count)).map { _ in Int(keys.next()) })
        }
    }

    /// Looks up a thread's next keys, and checks the label of each body.
    @inlinable
    package func lookUp(_ operations: Int, on thread: Int, storingMisses: Bool) {
        let (walk, subject) = (walks[thread], stores.checked.subject)
        var wrong = 0
        for _ in 0..<operations {
            let number = walk.next()
            var isFound = false
            _ = try? subject.lookUp(stores.keys[number]) {
                isFound = true
                if !Payload.isLabelled($0, key: stores.ids[number], version: 1) { wrong += 1 }
            }
            if isFound { continue }
            guard storingMisses else {
                wrong += 1
                continue
            }
            if (try? subject.store(stores.body(number), for: stores.keys[number])) == nil { wrong += 1 }
        }
        guard wrong > 0 else { return }
        answers.wrong(
            key: "\(operations) keys on thread \(thread)", expected: "their bodies, without errors",
            got: "\(wrong) other answers")
    }
}

/// Thread counts of the rows with several threads.
@usableFromInline
package enum ThreadCounts {
    /// 1, 2 and 4, but no more than the processors that this process may use: threads that share a processor measure
    /// the scheduler.
    @usableFromInline package static let possible: [Int] = possible(on: UsableProcessors.count)

    package static func possible(on processors: Int) -> [Int] { [1, 2, 4].filter { $0 == 1 || $0 <= processors } }

    /// The last part of a row's name: `1-thread`, `2-threads`.
    @usableFromInline
    package static func label(_ threads: Int) -> String { "\(threads)-thread\(threads == 1 ? "" : "s")" }
}
