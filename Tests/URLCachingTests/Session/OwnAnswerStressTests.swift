import HTTPCache
import HTTPSemantics
import Platform
import Testing
import TestSupport
import URLCaching

/// Two sessions, a `CachingURLProtocol` and the cache's own methods on threads, over one cache: each answer is checked
/// against what its account and the removals had seen when it was asked for (A4, A14, C14).
///
/// By hand with more: `OWN_ANSWER_REQUESTS=1000000 swift test --filter OwnAnswerStressTests`.
@Suite(.timeLimit(.minutes(60))) struct OwnAnswerStressTests {
    @Test("on threads, too, nobody gets another's answer, or one older than he or a removal has seen")
    func storm() async throws {
        let named = ProcessInfo.processInfo.environment["OWN_ANSWER_REQUESTS"].flatMap { Int($0) }
        let count = named ?? nightly(12_000, else: 4_000)
        let record = Record()
        let origin = VersionedOrigin(record)
        let cache = ResponseCache(memoryCapacity: 256 << 10, diskCapacity: 0, diskPath: nil, now: { record.date })
        let sessions = (0..<3).map { _ in
            CachingSession(configuration: .patient, cache: cache, transport: origin, clock: record)
        }
        StressProtocol.inner.withLock { $0 = sessions[2] }
        let configuration = URLSessionConfiguration.ephemeral
        configuration.protocolClasses = [StressProtocol.self]
        configuration.timeoutIntervalForRequest = 1e6
        let outer = URLSession(configuration: configuration)
        let workers = 8
        await withTaskGroup(of: Void.self) { group in
            for worker in 0..<workers {
                group.addTask {
                    var random = SplitMix(UInt64(worker) + 1)
                    for _ in 0..<count / workers {
                        let url = random.next() % 4
                        switch random.next() % 100 {
                        case 0: record.removing(nil) { cache.removeAllCachedResponses() }
                        case 1: record.removing(nil) { cache.removeCachedResponses(since: .distantPast) }
                        case 2...4: record.removing(url) { cache.removeCachedResponse(for: Self.request(url)) }
                        case 5: record.removing(url) { sessions[0].removeCachedResponse(for: Self.request(url)) }
                        case 6...8:
                            var post = Self.request(url)
                            post.httpMethod = "POST"
                            let body = try? await sessions[worker % 2].data(for: post).0
                            if let body, let came = Int(String(decoding: body, as: UTF8.self)) {
                                record.unsafeAnswered(url, came: came)
                            }
                        default:
                            let account = random.next() % 3
                            var request = Self.request(url, account)
                            if random.next() % 4 == 0 { request.cachePolicy = .reloadIgnoringLocalCacheData }
                            if random.next() % 8 == 0 { request.setValue("1", forHTTPHeaderField: "X-Page") }
                            let floor = record.floor(account, url)
                            let body =
                                worker == 7
                                ? try? await outer.data(for: request).0
                                : try? await sessions[worker % 2].data(for: request).0
                            record.check(body, account, url, floor)
                        }
                    }
                }
            }
        }
        outer.invalidateAndCancel()
        #expect(record.violations.isEmpty, "\(record.violations.prefix(5))")
        #expect(record.answers > count / 2)
        #expect(cache.currentMemoryUsage <= cache.memoryCapacity)
    }

    private static func request(_ url: Int, _ account: Int? = nil) -> URLRequest {
        var request = URLRequest(url: URL(string: "http://example.org/\(url)")!)
        if let account { request.setValue("\(account)", forHTTPHeaderField: "Authorization") }
        return request
    }
}

/// What has happened so far, in the order of a clock that only counts. It is the clock of the sessions and of the
/// origin's `Date`, by which the cache tells apart answers that overlapped.
private final class Record: CacheClock {
    /// What had happened when a request was asked for.
    struct Floor: Sendable {
        let version: Int
        let removal: Int
        let unsafe: Int
    }

    private struct Reply {
        let url: Int
        let account: Int?
        let version: Int
        let sent: Int
        let isReusable: Bool
    }

    private struct State {
        var clock = 0
        var versions = [0, 0, 0, 0]
        var replies: [Reply] = []
        /// The newest version that each account has had of each URL.
        var seen: [[Int]: Int] = [:]
        /// The begin of the last removal of each URL that has returned.
        var removals = [0, 0, 0, 0]
        /// When the last unsafe request that was answered came to the origin.
        var unsafe = 0
        var answers = 0
        var violations: [String] = []

        mutating func tick() -> Int {
            clock += 1
            return clock
        }
    }

    private let state = Locked(State())
    private static let start: Int64 = 1_795_219_200

    var now: CacheTime { CacheTime(seconds: Self.start + Int64(state.withLock { $0.clock })) }
    var date: Date { Date(timeIntervalSince1970: Double(now.seconds)) }

    var violations: [String] { state.withLock { $0.violations } }
    var answers: Int { state.withLock { $0.answers } }

    /// A request has come to the origin.
    ///
    /// - Returns: the number of the reply, or the moment for an unsafe request, and the time of the origin.
    func came(_ url: Int, _ account: Int?, isUnsafe: Bool, isReusable: Bool) -> (number: Int, seconds: Int64) {
        state.withLock { state in
            // Each eighth request finds another version.
            if isUnsafe || state.clock % 8 == 0 { state.versions[url] += 1 }
            let sent = state.tick()
            let seconds = Self.start + Int64(sent)
            guard !isUnsafe else { return (sent, seconds) }
            state.replies.append(
                Reply(url: url, account: account, version: state.versions[url], sent: sent, isReusable: isReusable))
            return (state.replies.count - 1, seconds)
        }
    }

    /// Runs a removal of a URL, or of everything.
    func removing(_ url: Int?, _ remove: () -> Void) {
        let begin = state.withLock { $0.tick() }
        remove()
        state.withLock { state in
            for index in 0..<4 where url == nil || url == index {
                state.removals[index] = max(state.removals[index], begin)
            }
        }
    }

    /// An unsafe request that came to the origin at that moment was answered.
    func unsafeAnswered(_ url: Int, came: Int) {
        state.withLock { state in
            state.unsafe = max(state.unsafe, came)
            state.removals[url] = max(state.removals[url], came)
        }
    }

    func floor(_ account: Int, _ url: Int) -> Floor {
        state.withLock { state in
            Floor(version: state.seen[[account, url]] ?? 0, removal: state.removals[url], unsafe: state.unsafe)
        }
    }

    /// Judges an answer; the body names the reply.
    func check(_ body: Data?, _ account: Int, _ url: Int, _ floor: Floor) {
        guard let body, let number = Int(String(decoding: body, as: UTF8.self)) else { return }
        state.withLock { state in
            state.answers += 1
            let reply = state.replies[number]
            let name = "reply \(number) for \(account) of \(url)"
            func check(_ condition: Bool, _ promise: String) {
                if !condition { state.violations.append("\(name) \(promise): \(reply), \(floor)") }
            }
            check(reply.url == url, "is of another URL")
            check(reply.account == account || reply.isReusable, "is another account's")
            check(reply.version >= floor.version, "is older than what was seen")
            check(reply.sent > floor.removal, "was removed")
            check(reply.isReusable || reply.sent > floor.unsafe, "is from before an unsafe request was answered")
            state.seen[[account, url]] = max(state.seen[[account, url]] ?? 0, reply.version)
        }
    }
}

/// Answers in the process, some after a while; half of the replies may be reused by any account.
private struct VersionedOrigin: Transport {
    let record: Record

    init(_ record: Record) { self.record = record }

    func send(_ outgoing: OutgoingRequest) async throws -> IncomingResponse {
        let request = outgoing.request
        let url = Int(request.url.suffix(1)) ?? 0
        let isUnsafe = request.method == "POST"
        let isReusable = url % 2 == 0
        let (number, seconds) = record.came(
            url, request.headerFields["Authorization"].flatMap { Int($0) }, isUnsafe: isUnsafe, isReusable: isReusable)
        for _ in 0..<number % 16 { await Task.yield() }
        if isUnsafe {
            return IncomingResponse(
                HTTPResponse(status: 200, headerFields: ["Cache-Control": "no-store"]), body: Text("\(number)"))
        }
        let control = isReusable ? "max-age=2000000000" : ["private", "max-age=0", "no-cache", "no-store"][number % 4]
        return IncomingResponse(
            HTTPResponse(headerFields: ["Cache-Control": .init(control), "Date": .init(HTTPDate.format(seconds))]),
            body: Text("\(number)"))
    }
}

private final class Text: IncomingBody {
    private let text: Locked<[UInt8]?>

    init(_ text: String) { self.text = Locked(Array(text.utf8)) }

    func next() async throws -> [UInt8]? {
        await Task.yield()
        return text.withLock { $0.take() }
    }

    func cancel() {}
}

private final class StressProtocol: CachingURLProtocol {
    static let inner = Locked<CachingSession?>(nil)

    override class var session: CachingSession { inner.withLock { $0 } ?? defaultSession }
}

/// Numbers that a seed determines.
private struct SplitMix {
    private var state: UInt64

    init(_ seed: UInt64) { state = seed }

    mutating func next() -> Int {
        state &+= splitMixStep
        return Int(splitMixed(state) >> 33)
    }
}
