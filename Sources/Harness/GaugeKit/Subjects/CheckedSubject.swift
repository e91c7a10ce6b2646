/// A subject together with whoever judges its answers: every body that it hands out is checked whole, and the time that
/// this takes is not counted as the subject's.
///
/// What is wrong goes to ``Answers`` with the history of the key. An error that the subject throws counts as a wrong
/// answer too: a cache that fails should miss.
///
/// Used from one thread.
public final class CheckedSubject<Subject: CacheSubject> {
    /// What a lookup came to.
    public typealias Answer = CheckedAnswer

    /// The subject.
    public let subject: Subject
    /// Gives the ids their URLs.
    public let urls: RequestURLs
    @usableFromInline let answers: Answers
    @usableFromInline var buffer: PayloadBuffer
    @usableFromInline var history: OperationHistory
    private var untimed = LatencyRecorder()

    /// Puts a subject under observation.
    ///
    /// - Parameters:
    ///   - subject: who is judged.
    ///   - answers: where wrong answers are reported.
    ///   - urls: gives the ids their URLs.
    ///   - longest: bytes of the longest body that will be stored; a longer one costs an allocation.
    public init(_ subject: Subject, answers: Answers, urls: RequestURLs = RequestURLs(), longest: Int) {
        self.subject = subject
        self.answers = answers
        self.urls = urls
        buffer = PayloadBuffer(capacity: longest)
        history = OperationHistory()
    }

    /// The URL of the id in use, where it is not the one that ``urls`` gives.
    public var namedURL: String?

    /// Makes the subject's key of an id. Untimed.
    @inlinable
    public func key(_ id: UInt64) throws -> Subject.Key { try subject.key(for: namedURL ?? urls.url(for: id)) }

    /// Looks a key up and checks the answer, untimed: to check what was stored.
    @discardableResult
    public func check(_ key: Subject.Key, id: UInt64, version: UInt64, count: Int) -> Answer {
        lookUp(key, id: id, version: version, count: count, &untimed)
    }

    /// Looks a key up, times it, and checks the answer.
    ///
    /// - Parameters:
    ///   - key: the subject's key of `id`.
    ///   - id: whose body it has to be.
    ///   - version: which version of it, and `count` bytes long.
    ///   - mayBeOutdated: whether an intact body of `id` in another version is no fault.
    ///   - recorder: gets the time up to the answer and after its release, without that of checking.
    @inlinable
    public func lookUp(
        _ key: Subject.Key, id: UInt64, version: UInt64, count: Int, mayBeOutdated: Bool = false,
        _ recorder: inout LatencyRecorder
    ) -> Answer {
        var checking: UInt64 = 0
        var bodies = 0
        var fault: PayloadFault?
        let start = LatencyRecorder.now()
        do {
            let outcome = try subject.lookUp(key) { body in
                let arrived = LatencyRecorder.now()
                bodies += 1
                fault = Payload.fault(in: body, key: id, version: version, count: count)
                checking += LatencyRecorder.now() &- arrived
            }
            let taken = LatencyRecorder.now() &- start
            recorder.record(outcome, nanoseconds: taken > checking ? taken - checking : 0)
            return judge(
                outcome, bodies: bodies, fault: fault, id: id, version: version, count: count,
                mayBeOutdated: mayBeOutdated)
        } catch {
            return reportError(error, id: id, expected: "an answer, or none")
        }
    }

    /// Writes a body and stores it, timing the store alone.
    ///
    /// - Parameter outcome: what the time is recorded as; what the subject says that it was, if `nil`.
    /// - Returns: whether the subject took the call without an error. Whether it kept the body is another matter.
    @inlinable
    @discardableResult
    public func store(
        _ key: Subject.Key, id: UInt64, version: UInt64, count: Int, as outcome: Outcome? = nil,
        _ recorder: inout LatencyRecorder
    ) -> Bool {
        if count > buffer.capacity { buffer = PayloadBuffer(capacity: count) }
        let body = buffer.body(key: id, version: version, count: count)
        let start = LatencyRecorder.now()
        do {
            let told = try subject.store(body, for: key)
            let taken = LatencyRecorder.now() &- start
            guard note(stored: told, id: id, version: version) else { return false }
            recorder.record(outcome ?? told, nanoseconds: taken)
            return true
        } catch {
            _ = reportError(error, id: id, expected: "a store without an error")
            return false
        }
    }

    /// Removes a key, timing it.
    @inlinable
    public func remove(_ key: Subject.Key, id: UInt64, _ recorder: inout LatencyRecorder) {
        let start = LatencyRecorder.now()
        do {
            try subject.remove(key)
            recorder.record(.remove, nanoseconds: LatencyRecorder.now() &- start)
            history.note(id, .removed)
        } catch {
            _ = reportError(error, id: id, expected: "a removal without an error")
        }
    }
}
