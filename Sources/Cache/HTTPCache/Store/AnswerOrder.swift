import CacheTiers
import HTTPSemantics
import Platform
import Synchronization

/// The order of one cache's answers: which may still change the store, whichever session fetched them.
///
/// Every event that counts takes a number from one growing sequence: a request is sent, a header comes, a URL is
/// removed. An answer may change the store if its request was sent after the last removal of its URL, and if it may
/// replace each answer stored since (`AnswerMoment.mayReplace`).
///
/// A mark records when a URL was last removed, or which answers were stored. It matters only to fetches under way, so
/// there are marks only while one is, and at most `mostMarks`. Beyond that the older half is dropped, and fetches sent
/// before those may no longer change anything.
///
/// A check and the change that follows must be one step. The caller ensures that with a lock for the URL
/// (`ResponseStore`).
package final class AnswerOrder: Sendable {
    /// The most URLs with a mark.
    static let mostMarks = 4096
    /// Origins share a counter by hash. If two share one, the only cost is that some requests are sent that could have
    /// been shared.
    private static let originGroups = 256

    /// The most variants of one URL with their own moment.
    private static let mostVariants = 64

    private struct StoredAnswer {
        /// The requests it answers; `nil` for all.
        let match: VaryMatch?
        /// The latest, including those it replaced.
        let moment: AnswerMoment
        let sent: UInt64
    }

    private struct Mark {
        var removed: UInt64 = 0
        var answers: [StoredAnswer] = []
        /// Among the answers whose header has come, stored or not, the newest one, and the number of the last header.
        var newestHeard: AnswerMoment?
        var lastHeard: UInt64 = 0

        /// No fetch sent after this number is affected.
        var latest: UInt64 {
            answers.reduce(max(removed, lastHeard)) { max($0, $1.moment.received, $1.moment.sent) }
        }
    }

    private struct State {
        var number: UInt64 = 0
        var underWay: Set<UInt64> = []
        var marks: [[UInt8]: Mark] = [:]
        /// Nothing sent up to here may change anything: everything was removed, or marks were dropped.
        var floor: UInt64 = 0
        /// The last answer to an unsafe request, by group of origins.
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
            // The fetch that brought it needs no mark.
            guard underWay.count > (underWay.contains(moment.sent) ? 1 : 0) else { return }
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

        /// Drops marks that affect nothing and, if many are left, the older half.
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

    package init() {}

    /// Whether the moment of a change matters.
    var isAnyUnderWay: Bool { underWayCount.load(ordering: .sequentiallyConsistent) > 0 }

    // MARK: Fetches

    /// Call this before sending a request.
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

    /// Call this when a fetch is over: its answer is stored, or will not be.
    package func end(_ sent: UInt64) {
        state.withLock { state in
            state.underWay.remove(sent)
            underWayCount.store(state.underWay.count, ordering: .sequentiallyConsistent)
            if state.underWay.isEmpty, !state.marks.isEmpty { state.marks = [:] }
        }
    }

    package func received(_ response: HTTPResponse, sent: UInt64, now: Int64) -> AnswerMoment {
        let date = response.orderingDate(receivedAt: now)
        return AnswerMoment(sent: sent, received: state.withLock { $0.next() }, date: date)
    }

    /// The moment of a response that the application itself stores now.
    ///
    /// - Parameter now: seconds since 1970.
    func present(_ now: Int64) -> AnswerMoment {
        guard isAnyUnderWay else { return AnswerMoment(sent: .max, received: .max) }
        return state.withLock { state in
            let number = state.next()
            return AnswerMoment(sent: number, received: number, date: now)
        }
    }

    /// The header of an answer has come. From now on nobody waits for a possibly older answer of its URL, because they
    /// may have seen this one.
    func noteHeard(_ moment: AnswerMoment, _ key: [UInt8]) {
        state.withLock { state in
            // Requests sent from now on are later.
            guard state.underWay.count > 1 else { return }
            var mark = state.marks.removeValue(forKey: key) ?? Mark()
            if mark.newestHeard.map(moment.mayReplace) ?? true { mark.newestHeard = moment }
            mark.lastHeard = moment.received
            state.marks[key] = mark
            state.limit()
        }
    }

    /// Whether a request may share a fetch whose header has not come. Not if, since that was sent, its URL was removed,
    /// another answer of it came or was stored, or an unsafe request to its origin was answered: after a login, for
    /// example, its session cookie may be the old one.
    func mayJoin(sent: UInt64, _ key: [UInt8]) -> Bool {
        state.withLock { state in
            guard state.isAfterRemovals(sent, key), sent > state.unsafe[Self.group(key)] else { return false }
            guard let mark = state.marks[key] else { return true }
            return sent > mark.lastHeard && mark.answers.allSatisfy { $0.moment.received < sent }
        }
    }

    /// Whether a request may share an arriving answer. The same rules, but another answer that came or was stored does
    /// not matter if it is older than this one.
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

    /// Whether nothing of the URL was removed since the request was sent.
    func isAfterRemovals(sent: UInt64, _ key: [UInt8]) -> Bool {
        state.withLock { $0.isAfterRemovals(sent, key) }
    }

    /// Whether an answer to the requests of `match` (`nil` for all) may still change what is stored for its URL.
    func admits(_ moment: AnswerMoment, _ key: [UInt8], _ match: VaryMatch?) -> Bool {
        guard moment.sent < .max else { return true }
        return state.withLock { $0.admits(moment, key, match) }
    }

    /// Whether an answer is the newest for its URL. It may still not be stored, if it was sent before a removal. Then
    /// the stored response is older than this answer, and whoever got this one mustn't be given that one later.
    func isNewest(_ moment: AnswerMoment, _ key: [UInt8], _ match: VaryMatch?) -> Bool {
        guard moment.sent < .max else { return true }
        return state.withLock { $0.isNewest(moment, key, match) }
    }

    /// An answer has changed the store.
    func noteAnswer(_ moment: AnswerMoment, _ key: [UInt8], _ match: VaryMatch?) {
        guard moment.sent < .max else { return }
        state.withLock { $0.note(moment, key, match) }
    }

    /// Notes that an answer has changed the store; `false` if a later one or a removal came meanwhile.
    func settle(_ moment: AnswerMoment, _ key: [UInt8], _ match: VaryMatch?) -> Bool {
        state.withLock { state in
            guard state.admits(moment, key, match) else { return false }
            state.note(moment, key, match)
            return true
        }
    }

    /// Everything stored for a URL was removed. Answers to requests sent before no longer change anything.
    func noteRemoval(_ key: [UInt8]) {
        guard isAnyUnderWay else { return }
        state.withLock { state in
            state.marks[key] = Mark(removed: state.next())
            state.limit()
        }
    }

    /// Everything was removed, or everything since some moment.
    package func noteRemovalOfAll() {
        guard isAnyUnderWay else { return }
        state.withLock { state in
            state.floor = state.next()
            state.marks = [:]
        }
    }

    /// An unsafe request to the URL's origin was answered; with `nil`, to any origin.
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

    /// How many URLs have a mark now.
    package var markCount: Int { state.withLock { $0.marks.count } }

    /// The group of a canonical URL's origin: scheme, host and port come before the third slash.
    private static func group(_ key: [UInt8]) -> Int {
        var slashes = 0
        let origin = key.prefix {
            if $0 == UInt8(ascii: "/") { slashes += 1 }
            return slashes < 3
        }
        return Int(fnv1a(origin) >> 32) % originGroups
    }
}

/// An answer's place among the answers and removals of a cache; see `AnswerOrder`.
package struct AnswerMoment: Sendable {
    var sent: UInt64
    var received: UInt64
    /// Its `Date`, or the moment of receipt if that is earlier: seconds since 1970. `nil` without a valid one.
    var date: Int64?

    /// Whether this answer may replace `other`, which is stored.
    ///
    /// If it was requested after the other came, it is newer. If the two overlapped, the origin may have made them in
    /// either order, and the later `Date` wins (RFC 9111, section 4).
    func mayReplace(_ other: AnswerMoment) -> Bool {
        if sent > other.received { return true }
        if other.sent > received { return false }
        if let date, let otherDate = other.date, date != otherDate { return date > otherDate }
        return sent > other.sent
    }

    /// A moment that is replaced only by what may replace both.
    func joined(with other: AnswerMoment) -> AnswerMoment {
        AnswerMoment(
            sent: max(sent, other.sent), received: max(received, other.received),
            date: [date, other.date].compactMap(\.self).max())
    }
}

extension HTTPResponse {
    /// The `Date` by which the answer is ordered. One in the future comes from a wrong clock; it counts as `now`, the
    /// time of receipt, so it doesn't block later answers.
    func orderingDate(receivedAt now: Int64) -> Int64? {
        headerFields["Date"].flatMap { HTTPDate.parse($0, now: now) }.map { min($0, now) }
    }
}
