import CacheTiers
import HTTPSemantics
import Platform
import Synchronization

/// The order of the answers of one cache: which may still change the store, whichever session fetched it.
///
/// Everything that counts takes a number that only grows: a request that is sent, a header that comes, a removal. An answer
/// may change the store if its request was sent after the last removal of its URL, and if it may take the place of each
/// answer that was stored since (`AnswerMoment.mayReplace`).
///
/// A mark says when a URL was removed last, or which answers were stored. Only fetches under way can be affected, so that
/// there are marks only while something is under way, and at most `mostMarks` of them: where more are needed the older
/// half goes, and the fetches that were sent before those may change nothing any more.
///
/// The caller makes a check and the change that follows from it one step, by a lock of the URL (`ResponseStore`).
package final class AnswerOrder: Sendable {
    /// URLs with a mark.
    static let mostMarks = 4096
    /// Origins share a counter by hash; two that share one only make requests that could be shared go out.
    private static let originGroups = 256

    /// Variants of one URL with a moment of their own.
    private static let mostVariants = 64

    private struct StoredAnswer {
        /// The requests that it answers; `nil` for all.
        let match: VaryMatch?
        /// The latest of those that it took the place of, too.
        let moment: AnswerMoment
        /// The fetch that brought it.
        let sent: UInt64
    }

    private struct Mark {
        var removed: UInt64 = 0
        var answers: [StoredAnswer] = []
        /// Of the answers whose header has come, stored or not, the newest one, and the number of the last header.
        var newestHeard: AnswerMoment?
        var lastHeard: UInt64 = 0

        /// No fetch that was sent later is affected.
        var latest: UInt64 {
            answers.reduce(max(removed, lastHeard)) { max($0, $1.moment.received, $1.moment.sent) }
        }
    }

    private struct State {
        var number: UInt64 = 0
        /// The numbers of the fetches under way.
        var underWay: Set<UInt64> = []
        var marks: [[UInt8]: Mark] = [:]
        /// What was sent up to here may change nothing: everything was removed, or marks were dropped.
        var floor: UInt64 = 0
        /// By group of origins, the last answer to an unsafe request.
        var unsafe = [UInt64](repeating: 0, count: AnswerOrder.originGroups)

        func isAfterRemovals(_ sent: UInt64, _ key: [UInt8]) -> Bool {
            sent > floor && sent > marks[key]?.removed ?? 0
        }

        mutating func next() -> UInt64 {
            number += 1
            return number
        }

        func admits(_ moment: AnswerMoment, _ key: [UInt8], _ match: VaryMatch?) -> Bool {
            isAfterRemovals(moment.sent, key) && isNewest(moment, key, match)
        }

        func isNewest(_ moment: AnswerMoment, _ key: [UInt8], _ match: VaryMatch?) -> Bool {
            marks[key]?.answers.allSatisfy { answer in
                answer.sent == moment.sent || areDisjoint(answer.match, match) || moment.mayReplace(answer.moment)
            } ?? true
        }

        mutating func note(_ moment: AnswerMoment, _ key: [UInt8], _ match: VaryMatch?) {
            guard !underWay.isEmpty else { return }
            var mark = marks.removeValue(forKey: key) ?? Mark()
            let match = mark.answers.count < AnswerOrder.mostVariants ? match : nil
            let replaced = mark.answers.filter { match?.covers($0.match) ?? true }
            mark.answers.removeAll { match?.covers($0.match) ?? true }
            let latest = replaced.reduce(moment) { $0.joined(with: $1.moment) }
            mark.answers.append(StoredAnswer(match: match, moment: latest, sent: moment.sent))
            marks[key] = mark
            limit()
        }

        private func areDisjoint(_ one: VaryMatch?, _ other: VaryMatch?) -> Bool {
            guard let one, let other else { return false }
            return one.isDisjoint(from: other)
        }

        /// Drops marks that affect nothing, and if there are still many, the older half.
        mutating func limit() {
            guard marks.count > AnswerOrder.mostMarks else { return }
            let first = underWay.min() ?? number
            marks = marks.filter { $0.value.latest > first }
            guard marks.count > AnswerOrder.mostMarks / 2 else { return }
            let middle = marks.values.map(\.latest).sorted()[marks.count / 2]
            floor = max(floor, middle)
            marks = marks.filter { $0.value.latest > middle }
        }
    }

    private let state = ForkSafe(State())
    /// `State.underWay.count`. While it is 0, changes of the store take no lock here.
    private let underWayCount = Atomic<Int>(0)

    /// Nothing is under way.
    package init() {}

    private var isAnyUnderWay: Bool { underWayCount.load(ordering: .sequentiallyConsistent) > 0 }

    // MARK: Fetches

    /// A request is about to be sent.
    ///
    /// - Returns: its number, for `end`.
    package func begin() -> UInt64 {
        state.withLock { state in
            let sent = state.next()
            state.underWay.insert(sent)
            underWayCount.store(state.underWay.count, ordering: .sequentiallyConsistent)
            return sent
        }
    }

    /// A fetch is over: its answer is stored, or will not be.
    package func end(_ sent: UInt64) {
        state.withLock { state in
            state.underWay.remove(sent)
            underWayCount.store(state.underWay.count, ordering: .sequentiallyConsistent)
            if state.underWay.isEmpty, !state.marks.isEmpty { state.marks = [:] }
        }
    }

    /// The moment of an answer whose header has come now.
    package func received(_ response: HTTPResponse, sent: UInt64, now: Int64) -> AnswerMoment {
        let date = response.orderingDate(receivedAt: now)
        return AnswerMoment(sent: sent, received: state.withLock { $0.next() }, date: date)
    }

    /// The moment of a response that the application stores by itself now.
    ///
    /// - Parameter now: seconds since 1970.
    func present(_ now: Int64) -> AnswerMoment {
        guard isAnyUnderWay else { return AnswerMoment(sent: .max, received: .max) }
        return state.withLock { state in
            let number = state.next()
            return AnswerMoment(sent: number, received: number, date: now)
        }
    }

    /// The header of an answer has come. From now on nobody waits for an answer of its URL that may be older, since he may
    /// have seen this one.
    func noteHeard(_ moment: AnswerMoment, _ key: [UInt8]) {
        state.withLock { state in
            // What will be sent is later.
            guard state.underWay.count > 1 else { return }
            var mark = state.marks.removeValue(forKey: key) ?? Mark()
            if mark.newestHeard.map(moment.mayReplace) ?? true { mark.newestHeard = moment }
            mark.lastHeard = moment.received
            state.marks[key] = mark
            state.limit()
        }
    }

    /// Whether a request may share a fetch whose header has not come: since that was sent, nothing of its URL was removed, no
    /// answer of it has come or was stored, and no unsafe request to its origin was answered, such as a login, whose
    /// session cookie may be the one of before.
    func mayJoin(sent: UInt64, _ key: [UInt8]) -> Bool {
        state.withLock { state in
            guard state.isAfterRemovals(sent, key), sent > state.unsafe[Self.group(key)] else { return false }
            guard let mark = state.marks[key] else { return true }
            return sent > mark.lastHeard && mark.answers.allSatisfy { $0.moment.received < sent }
        }
    }

    /// Whether a request may share an answer that is arriving: likewise, but an answer that has come or was stored may be one
    /// of before it.
    func mayJoin(_ moment: AnswerMoment, _ key: [UInt8]) -> Bool {
        state.withLock { state in
            guard state.isAfterRemovals(moment.sent, key), moment.sent > state.unsafe[Self.group(key)] else {
                return false
            }
            guard let mark = state.marks[key] else { return true }
            let isNewest = mark.newestHeard.map { $0.sent == moment.sent || moment.mayReplace($0) } ?? true
            return isNewest
                && mark.answers.allSatisfy { $0.sent == moment.sent || moment.mayReplace($0.moment) }
        }
    }

    // MARK: Changes of the store

    /// Nothing of the URL was removed since a request was sent.
    func isAfterRemovals(sent: UInt64, _ key: [UInt8]) -> Bool {
        state.withLock { $0.isAfterRemovals(sent, key) }
    }

    /// Whether an answer may still change what is stored for its URL.
    ///
    /// - Parameters:
    ///   - key: the URL's own key.
    ///   - match: the requests that it answers; `nil` for all.
    func admits(_ moment: AnswerMoment, _ key: [UInt8], _ match: VaryMatch?) -> Bool {
        guard moment.sent < .max else { return true }
        return state.withLock { $0.admits(moment, key, match) }
    }

    /// Whether an answer is the newest one for its URL, although it may have been sent before a removal and not be stored:
    /// then what is stored is older, and whoever gets this answer may not get that one afterwards.
    func isNewest(_ moment: AnswerMoment, _ key: [UInt8], _ match: VaryMatch?) -> Bool {
        guard moment.sent < .max else { return true }
        return state.withLock { $0.isNewest(moment, key, match) }
    }

    /// An answer has changed the store.
    func noteAnswer(_ moment: AnswerMoment, _ key: [UInt8], _ match: VaryMatch?) {
        guard moment.sent < .max else { return }
        state.withLock { $0.note(moment, key, match) }
    }

    /// Notes that an answer has changed what is stored, unless a later one or a removal came meanwhile.
    func settle(_ moment: AnswerMoment, _ key: [UInt8], _ match: VaryMatch?) -> Bool {
        state.withLock { state in
            guard state.admits(moment, key, match) else { return false }
            state.note(moment, key, match)
            return true
        }
    }

    /// Everything that is stored for a URL was removed. Answers to what was sent before change nothing any more.
    func noteRemoval(_ key: [UInt8]) {
        guard isAnyUnderWay else { return }
        state.withLock { state in
            state.marks[key] = Mark(removed: state.next())
            state.limit()
        }
    }

    /// Everything, or all from some moment on, was removed.
    package func noteRemovalOfAll() {
        guard isAnyUnderWay else { return }
        state.withLock { state in
            state.floor = state.next()
            state.marks = [:]
        }
    }

    /// An unsafe request to the URL's origin was answered; with `nil`, to any.
    func noteUnsafeAnswer(_ key: [UInt8]?) {
        guard isAnyUnderWay else { return }
        state.withLock { state in
            let number = state.next()
            if let key {
                state.unsafe[Self.group(key)] = number
            } else {
                state.unsafe = [UInt64](repeating: number, count: Self.originGroups)
            }
        }
    }

    /// URLs with a mark now.
    package var markCount: Int { state.withLock { $0.marks.count } }

    /// The group of the origin of a canonical URL: scheme, host and port stand before the third slash.
    private static func group(_ key: [UInt8]) -> Int {
        var slashes = 0
        var hash: UInt64 = 0xCBF2_9CE4_8422_2325
        for byte in key {
            if byte == UInt8(ascii: "/") { slashes += 1 }
            if slashes == 3 { break }
            hash = (hash ^ UInt64(byte)) &* 0x0100_0000_01B3
        }
        return Int(hash >> 32) % originGroups
    }
}

/// The place of an answer among the answers and removals of a cache, by numbers that only grow; see `AnswerOrder`.
package struct AnswerMoment: Sendable {
    /// The number at which its request was sent.
    var sent: UInt64
    /// The number at which its header came.
    var received: UInt64
    /// Its `Date`, or the moment of receipt if that lies in the future: seconds since 1970. `nil` without a valid one.
    var date: Int64?

    /// Whether this answer may take the place of `other`, which is stored.
    ///
    /// An answer that was asked for later is newer. Where the two overlapped on their way, the origin may have made them
    /// in either order, and its later `Date` tells (RFC 9111, section 4).
    func mayReplace(_ other: AnswerMoment) -> Bool {
        if sent > other.received { return true }
        if other.sent > received { return false }
        if let date, let otherDate = other.date, date != otherDate { return date > otherDate }
        return sent > other.sent
    }

    /// Nothing replaces the result that may not replace both.
    func joined(with other: AnswerMoment) -> AnswerMoment {
        AnswerMoment(
            sent: max(sent, other.sent), received: max(received, other.received),
            date: [date, other.date].compactMap(\.self).max())
    }
}

extension HTTPResponse {
    /// The `Date` by which the answer is ordered. One in the future is a wrong clock, and counts as `now`, when it came,
    /// so that it holds up nothing for longer.
    func orderingDate(receivedAt now: Int64) -> Int64? {
        headerFields["Date"].flatMap { HTTPDate.parse($0, now: now) }.map { min($0, now) }
    }
}
