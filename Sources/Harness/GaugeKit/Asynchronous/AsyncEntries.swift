import GaugeTraces

/// An asynchronous subject with ready keys and bodies, for loops of calls inside a task.
@usableFromInline
package final class AsyncEntries<Subject: AsyncCacheSubject>: Sendable {
    @usableFromInline package let subject: Subject
    @usableFromInline package let ids: [UInt64]
    @usableFromInline package let keys: [Subject.Key]
    /// One per key, or none.
    @usableFromInline package let bodies: [Subject.Body]
    @usableFromInline package let version: UInt64
    @usableFromInline package let count: Int
    private let answers: Answers

    /// Fills a subject with the first version of some ids, and makes keys of others.
    ///
    /// - Parameters:
    ///   - version: the bodies' version; `nil` to make none.
    ///   - isOverfull: whether they are more than fit.
    @usableFromInline
    package init(
        _ work: SubjectCase, _ context: RunContext, filled: [UInt64], ids: [UInt64], version: UInt64?,
        isOverfull: Bool = false
    ) throws {
        let type = AsyncSubject<Subject>.self
        let checked =
            isOverfull
            ? try SubjectBenchmarks.overfilled(type, work, context, ids: filled)
            : try SubjectBenchmarks.filled(type, work, context, ids: filled)
        subject = checked.subject.subject
        answers = context.answers
        self.ids = ids
        self.version = version ?? 1
        count = work.bodyCount
        keys = try ids.map { try checked.key($0) }
        guard let version else {
            bodies = []
            return
        }
        let buffer = PayloadBuffer(capacity: work.bodyCount)
        bodies = ids.map { Subject.Body(body: buffer.body(key: $0, version: version, count: work.bodyCount)) }
    }

    /// Runs a part of a batch in a task on this thread. Starting the task isn't measured.
    @inlinable
    package func run<Value: Sendable>(
        on thread: CallingThread, _ part: @escaping @Sendable (AsyncEntries) async -> Value
    ) -> Value? {
        MeasuredRegion.pause()
        defer { MeasuredRegion.resume() }
        return try? thread.run { [self] in
            MeasuredRegion.resume()
            defer { MeasuredRegion.pause() }
            return await part(self)
        }
    }

    /// Looks up the keys of some numbers in order, starting over at the end; returns how many labels were right.
    @inlinable
    package func lookUp(_ numbers: [Int], from start: Int, operations: Int) async -> Int {
        var (right, place) = (0, start)
        for _ in 0..<operations {
            let number = numbers[place]
            place = place + 1 == numbers.count ? 0 : place + 1
            guard let found = try? await subject.lookUp(keys[number]) else { continue }
            found.body.lend { [count, version] in
                if $0.count == count, Payload.isLabelled($0, key: ids[number], version: version) { right &+= 1 }
            }
        }
        return right
    }

    /// The same, but also stores what was missed; returns how many answers were wrong.
    @inlinable
    package func lookUpOrStore(_ numbers: [Int], from start: Int, operations: Int) async -> Int {
        var (wrong, place) = (0, start)
        for _ in 0..<operations {
            let number = numbers[place]
            place = place + 1 == numbers.count ? 0 : place + 1
            do {
                guard let found = try await subject.lookUp(keys[number]) else {
                    _ = try await subject.store(bodies[number], for: keys[number])
                    continue
                }
                found.body.lend { [version] in
                    if !Payload.isLabelled($0, key: ids[number], version: version) { wrong &+= 1 }
                }
            } catch {
                wrong &+= 1
            }
        }
        return wrong
    }

    /// Stores the bodies of some numbers; returns how many stores threw.
    @inlinable
    package func store(_ numbers: [Int], from start: Int, operations: Int) async -> Int {
        var (wrong, place) = (0, start)
        for _ in 0..<operations {
            let number = numbers[place]
            place = place + 1 == numbers.count ? 0 : place + 1
            if (try? await subject.store(bodies[number], for: keys[number])) == nil { wrong &+= 1 }
        }
        return wrong
    }

    /// Reports wrong answers, and checks a key's whole body; outside the measured region.
    @usableFromInline
    package func check(_ number: Int, isKept: Bool, wrong: Int, on thread: CallingThread) {
        MeasuredRegion.pause()
        defer { MeasuredRegion.resume() }
        if wrong > 0 {
            answers.wrong(key: "some of \(ids.count) keys", expected: "their bodies", got: "\(wrong) other answers")
        }
        let found = (try? thread.run { [self] in try await subject.lookUp(keys[number]) }) ?? nil
        var fault: String? = found == nil && isKept ? "a miss" : nil
        found?.body.lend { body in
            fault = Payload.fault(in: body, key: ids[number], version: version, count: count).map { "\($0)" }
        }
        guard let fault else { return }
        answers.wrong(
            key: "\(ids[number])", expected: "version \(version), \(count) bytes\(isKept ? "" : ", or a miss")",
            got: fault)
    }
}
