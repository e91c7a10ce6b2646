import GaugeTraces
import Platform

/// A subject with a judge of its answers: every returned body is checked completely. Checking isn't timed.
///
/// Wrong answers are reported to ``Answers`` with the key's history. An error counts as a wrong answer too: a cache
/// that fails should miss.
///
/// Used from one thread. Accesses to the variables aren't checked for exclusivity: none lasts longer than a statement,
/// and no statement that writes one calls the subject.
@usableFromInline package final class CheckedSubject<Subject: CacheSubject> {
    @usableFromInline package typealias Answer = CheckedAnswer

    @usableFromInline package let subject: Subject
    /// The subject, if it times its calls itself.
    @usableFromInline package let bridge: (any BridgedSubject)?
    @usableFromInline package let urls: RequestURLs
    @usableFromInline package let answers: Answers
    @exclusivity(unchecked) @usableFromInline package var buffer: PayloadBuffer
    @exclusivity(unchecked) @usableFromInline package var history: OperationHistory
    /// Bytes of bodies a second at which the subject was filled; 0 if not measured.
    @usableFromInline package var fillRate = 0.0
    /// Whether a lookup's time includes reading a byte of each page of the body, for caches on disk: one that lends
    /// mapped bytes reads them only then.
    @exclusivity(unchecked) @usableFromInline package var readsPages = false
    private var untimed = LatencyRecorder()

    /// Wraps a subject to check its answers.
    ///
    /// - Parameters:
    ///   - answers: where wrong answers are reported.
    ///   - longest: the longest expected body, bytes; a longer one costs an allocation.
    @usableFromInline package init(
        _ subject: Subject, answers: Answers, urls: RequestURLs = RequestURLs(), longest: Int
    ) {
        self.subject = subject
        bridge = subject as? any BridgedSubject
        self.answers = answers
        self.urls = urls
        buffer = PayloadBuffer(capacity: longest)
        history = OperationHistory()
    }

    /// The current id's URL, if it isn't that of ``urls``.
    @exclusivity(unchecked) @usableFromInline package var namedURL: String?

    /// Makes the subject's key of an id. Untimed.
    @inlinable
    package func key(_ id: UInt64) throws -> Subject.Key { try subject.key(for: namedURL ?? urls.url(for: id)) }

    /// Looks a key up and checks the answer, untimed.
    @discardableResult
    @usableFromInline package func check(_ key: Subject.Key, id: UInt64, version: UInt64, count: Int) -> Answer {
        lookUp(key, id: id, version: version, count: count, &untimed)
    }

    /// Looks a key up, times the call, and checks the answer.
    ///
    /// A hit's time includes the cost of two intervals of the clock, the check's too; that of a miss or store, of one.
    ///
    /// - Parameters:
    ///   - key: the subject's key of `id`.
    ///   - id: the id whose body is expected.
    ///   - version: the expected version, `count` bytes long.
    ///   - mayBeOutdated: whether an intact body of another version of `id` is allowed.
    ///   - recorder: receives the time of the lookup and of releasing the body, without that of checking.
    @inlinable
    package func lookUp(
        _ key: Subject.Key, id: UInt64, version: UInt64, count: Int, mayBeOutdated: Bool = false,
        _ recorder: inout LatencyRecorder
    ) -> Answer {
        var checking: UInt64 = 0
        var bodies = 0
        var fault: PayloadFault?
        let start = LatencyRecorder.now()
        do {
            let outcome = try subject.lookUp(key) { body in
                if readsPages { Self.readPages(of: body) }
                let arrived = LatencyRecorder.now()
                bodies += 1
                MeasuredRegion.pause()
                fault = Payload.fault(in: body, key: id, version: version, count: count)
                MeasuredRegion.resume()
                checking += LatencyRecorder.now() &- arrived
            }
            let taken = LatencyRecorder.now() &- start
            recorder.record(outcome, nanoseconds: own(taken > checking ? taken - checking : 0))
            return judge(
                outcome, bodies: bodies, fault: fault, id: id, version: version, count: count,
                mayBeOutdated: mayBeOutdated)
        } catch {
            return reportError(error, id: id, expected: "an answer, or none")
        }
    }

    @inlinable @inline(__always)
    package static func readPages(of body: UnsafeRawBufferPointer) {
        guard var folded = body.last.map(Int.init) else { return }
        var place = 0
        while place < body.count {
            folded &+= Int(body[place])
            place &+= 4_096
        }
        blackHole(folded)
    }

    /// Makes a body and stores it, timing only the store.
    ///
    /// - Parameter outcome: the outcome to record the time under; `nil` for the one that the subject reports.
    /// - Returns: whether the subject threw no error. It may still not have kept the body.
    @inlinable
    @discardableResult
    package func store(
        _ key: Subject.Key, id: UInt64, version: UInt64, count: Int, as outcome: Outcome? = nil,
        _ recorder: inout LatencyRecorder
    ) -> Bool {
        let body = body(id: id, version: version, count: count)
        let start = LatencyRecorder.now()
        do {
            let told = try subject.store(body, for: key)
            let taken = LatencyRecorder.now() &- start
            guard note(stored: told, id: id, version: version) else { return false }
            recorder.record(outcome ?? told, nanoseconds: own(taken))
            return true
        } catch {
            _ = reportError(error, id: id, expected: "a store without an error")
            return false
        }
    }

    /// The subject's share of its last call's time, nanoseconds.
    @inlinable
    package func own(_ taken: UInt64) -> UInt64 { bridge?.callNanoseconds ?? taken }

    @inlinable
    package func remove(_ key: Subject.Key, id: UInt64, _ recorder: inout LatencyRecorder) {
        let start = LatencyRecorder.now()
        do {
            try subject.remove(key)
            recorder.record(.remove, nanoseconds: own(LatencyRecorder.now() &- start))
            noteRemoval(of: id)
        } catch {
            _ = reportError(error, id: id, expected: "a removal without an error")
        }
    }
}

/// A subject that reaches its cache by a bridge, e.g. a task, whose time isn't the cache's.
@usableFromInline package protocol BridgedSubject: AnyObject {
    /// The last call's time without the bridge, nanoseconds.
    var callNanoseconds: UInt64 { get }
}

extension CheckedSubject {
    /// Decides a lookup's result from the reported outcome and the returned body.
    @usableFromInline
    package func judge(
        _ outcome: Outcome, bodies: Int, fault: PayloadFault?, id: UInt64, version: UInt64, count: Int,
        mayBeOutdated: Bool
    ) -> Answer {
        MeasuredRegion.pause()
        defer { MeasuredRegion.resume() }
        switch outcome {
        case .memoryHit, .diskHit, .promotion, .hit:
            if bodies == 1, fault == nil {
                history.note(id, .answered(version: version, outcome))
                return .hit(outcome)
            }
            if bodies == 1, mayBeOutdated, case .otherVersion(let found, _) = fault {
                history.note(id, .answered(version: found, outcome))
                return .outdated
            }
        case .miss:
            if bodies == 0 {
                history.note(id, .missed)
                return .miss
            }
        default: break
        }
        if let fault { history.note(id, .wrong(fault, outcome)) }
        let got =
            if let fault { "\(outcome.rawValue) with \(fault)" } else {
                "\(outcome.rawValue) with \(bodies) bodies handed out"
            }
        return report(id: id, expected: "version \(version), \(count) bytes, or a miss", got: got)
    }

    @usableFromInline
    package func body(id: UInt64, version: UInt64, count: Int) -> UnsafeRawBufferPointer {
        MeasuredRegion.pause()
        defer { MeasuredRegion.resume() }
        if count > buffer.capacity { buffer = PayloadBuffer(capacity: count) }
        return buffer.body(key: id, version: version, count: count)
    }

    @usableFromInline
    package func noteRemoval(of id: UInt64) {
        MeasuredRegion.pause()
        defer { MeasuredRegion.resume() }
        history.note(id, .removed)
    }

    @usableFromInline
    package func note(stored outcome: Outcome, id: UInt64, version: UInt64) -> Bool {
        MeasuredRegion.pause()
        defer { MeasuredRegion.resume() }
        history.note(id, .stored(version: version, outcome))
        guard outcome == .store || outcome == .storeEvict else {
            _ = report(id: id, expected: "a store", got: "an outcome of \(outcome.rawValue)")
            return false
        }
        return true
    }

    /// Reports an error that the subject threw.
    @usableFromInline
    package func reportError(_ error: any Error, id: UInt64, expected: String) -> Answer {
        MeasuredRegion.pause()
        defer { MeasuredRegion.resume() }
        history.note(id, .failed)
        return report(id: id, expected: expected, got: "the error: \(error)")
    }

    private func report(id: UInt64, expected: String, got: String) -> Answer {
        let url = namedURL.map { QuotedText.of($0, limit: 200) } ?? urls.url(for: id)
        answers.wrong(key: "\(id) (\(url))", expected: expected, got: got, history: history.lines(of: id))
        return .wrong
    }
}

/// A subject's keys by number, made untimed and kept. Keys are made in advance for a limited time, the rest on demand:
/// a slow subject completes few operations, and shouldn't wait for 65,536 keys.
@usableFromInline
package struct KeyTable<Subject: CacheSubject> {
    @usableFromInline package let ids: [UInt64]
    @usableFromInline package var keys: [Subject.Key?]
    @usableFromInline package let subject: CheckedSubject<Subject>

    /// How many keys were made in advance, from the first; at least one unless `ids` is empty.
    @usableFromInline package private(set) var prepared = 0

    @inlinable
    package init(_ ids: [UInt64], of subject: CheckedSubject<Subject>, nanoseconds: UInt64 = 200_000_000) throws {
        self.ids = ids
        self.subject = subject
        keys = Array(repeating: nil, count: ids.count)
        let deadline = FixedSurroundings.isUnhurried ? .max : threadCPUNanoseconds() + nanoseconds
        for position in keys.indices {
            keys[position] = try subject.key(ids[position])
            prepared += 1
            if threadCPUNanoseconds() > deadline { break }
        }
    }

    /// The key at a position; `nil` if the subject refuses the URL.
    @inlinable
    package mutating func key(at position: Int) -> Subject.Key? {
        if let key = keys[position] { return key }
        keys[position] = try? subject.key(ids[position])
        return keys[position]
    }
}
