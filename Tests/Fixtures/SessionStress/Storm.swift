import LoopbackOrigin
import Platform
import SocketTransport
import URLCaching

/// The clients, and the rules by which they judge answers.
///
/// `@unchecked Sendable`: every variable is touched under the lock alone.
final class Storm: @unchecked Sendable {
    struct Plan {
        var requests: Int
        var clients: Int
        var seed: UInt64
        /// libcurl, urlsession or sockets.
        var transport: String
        var directory: String

        var warmUp: Plan {
            var plan = self
            plan.requests = 100
            plan.seed ^= 1
            // A separate directory: the cache of a session may outlast it for a moment.
            plan.directory += "/warm-up"
            return plan
        }
    }

    private let plan: Plan
    private let origin: LyingOrigin
    private let cache: ResponseCache
    private let lock = Lock()
    private var problems: [String] = []
    private var tally: [String: Int] = [:]
    private var asking: [Int: CachingTask] = [:]
    private var next = 0

    private static let memoryCapacity = 1 << 19
    private static let diskCapacity = 1 << 21

    init(_ plan: Plan) throws {
        self.plan = plan
        origin = try LyingOrigin(seed: plan.seed)
        cache = ResponseCache(
            memoryCapacity: Self.memoryCapacity, diskCapacity: Self.diskCapacity, diskPath: plan.directory)
        if let problem = cache.diskProblem { throw problem }
    }

    /// - Returns: what went wrong.
    func run() async -> [String] {
        await clients()
        origin.stop()
        let outcomes = tally.sorted { $0.key < $1.key }.map { "\($0.key) \($0.value)" }
        say("\(plan.requests) requests: \(outcomes.joined(separator: ", "))")
        say("origin: \(origin.summary)")
        say("cache: \(cache.currentMemoryUsage) B in memory, \(cache.currentDiskUsage) B on disk")
        return problems
    }

    private func clients() async {
        let transport = plan.transport == "sockets" ? SocketTransport() : nil
        var configuration = CachingSession.Configuration()
        configuration.carrier = plan.transport == "urlsession" ? .urlSession : .libcurl
        // Foundation's transfers sometimes hang where connections come and go at this rate.
        configuration.urlSession.timeoutIntervalForRequest = 10
        let session = CachingSession(configuration: configuration, cache: cache, transport: transport)
        let stalls = Task {
            for await hold in origin.stalls {
                await hold.reached()
                // Half of those who wait give up; the reply goes on in any case.
                if hold.number.isMultiple(of: 2) { cancelOne(hold.number) }
                hold.release()
            }
        }
        await withTaskGroup(of: Void.self) { group in
            for client in 0..<plan.clients {
                group.addTask {
                    var random = Random(seed: self.plan.seed &* 31 &+ UInt64(client))
                    while self.takeNext() {
                        await self.request(session, &random)
                        self.checkCapacity()
                    }
                }
            }
        }
        origin.endStalls()
        await stalls.value
        // The last answers' tasks end on other threads.
        let deadline = monotonicNanoseconds() + 600_000_000_000
        func left() -> String? {
            let (requests, exchanges) = session.underWay
            let sockets = transport?.count ?? 0
            return requests + exchanges + sockets == 0
                ? nil : "\(requests) requests, \(exchanges) exchanges, \(sockets) sockets"
        }
        while left() != nil, monotonicNanoseconds() < deadline { await Task.yield() }
        if let left = left() { fail("left under way: \(left)") }
    }

    private func takeNext() -> Bool {
        lock.withLock {
            next += 1
            return next <= plan.requests
        }
    }

    // MARK: One request

    private func request(_ session: CachingSession, _ random: inout Random) async {
        let path = Payload.path(Int(random.next() % 48))
        var request = URLRequest(url: origin.url(path))
        let policies: [URLRequest.CachePolicy] = [
            .useProtocolCachePolicy, .useProtocolCachePolicy, .useProtocolCachePolicy, .useProtocolCachePolicy,
            .reloadIgnoringLocalCacheData, .reloadIgnoringLocalAndRemoteCacheData, .returnCacheDataElseLoad,
            .returnCacheDataDontLoad, .reloadRevalidatingCacheData,
        ]
        request.cachePolicy = policies[Int(random.next() % UInt64(policies.count))]
        if random.next() % 16 == 0 { request.httpMethod = "HEAD" }
        if random.next() % 32 == 0 {
            request.httpMethod = "POST"
            request.httpBody = Data(path.utf8)
        }
        let isHead = request.httpMethod == "HEAD"
        do {
            switch random.next() % 4 {
            case 0:
                let (data, response) = try await session.data(for: request)
                judge(data, response, isHead)
            case 1:
                let (body, response) = try await session.bytes(for: request)
                var data = Data()
                for try await part in body { data += part }
                judge(data, response, isHead)
            case 2:
                for try await answer in session.storedThenRefreshed(for: request) {
                    judge(answer.data, answer.response, isHead)
                }
            default: await byTask(session, request, isHead)
            }
        } catch {
            count("error \((error as? URLError)?.code.rawValue ?? 0)")
            if !(error is URLError) { fail("not a URLError: \(error)") }
        }
    }

    private func byTask(_ session: CachingSession, _ request: URLRequest, _ isHead: Bool) async {
        await withCheckedContinuation { continuation in
            let task = session.dataTask(with: request) { data, response, error in
                if let data, let response {
                    self.judge(data, response, isHead)
                } else {
                    self.count("error \((error as? URLError)?.code.rawValue ?? 0)")
                }
                continuation.resume()
            }
            lock.withLock { asking[task.taskIdentifier] = task }
            task.resume()
        }
        lock.withLock { asking = asking.filter { $0.value.state != .completed } }
    }

    private func cancelOne(_ number: Int) {
        let task = lock.withLock { asking.min { ($0.key &* 7 &+ number) % 13 < ($1.key &* 7 &+ number) % 13 }?.value }
        task?.cancel()
    }

    // MARK: Judging

    /// A body has to be what its header says it is, to the last byte that its length announced.
    private func judge(_ data: Data, _ response: URLResponse, _ isHead: Bool) {
        guard let response = response as? HTTPURLResponse else { return fail("no HTTP response") }
        count("\(response.statusCode)")
        guard let identity = response.value(forHTTPHeaderField: "X-Payload"), let payload = Payload(identity) else {
            return fail("status \(response.statusCode) without identity: \(response.allHeaderFields)")
        }
        guard response.url?.path == payload.path else {
            return fail("\(response.url?.path ?? "?") was answered by \(identity)")
        }
        var expected = payload.bytes
        if let length = response.value(forHTTPHeaderField: "Content-Length").flatMap({ Int($0) }) {
            expected = Array(expected.prefix(max(length, 0)))
        }
        if isHead || response.statusCode == 304 { expected = [] }
        if !data.elementsEqual(expected) {
            fail("\(identity): \(data.count) bytes, \(expected.count) expected: \(response.allHeaderFields)")
        }
    }

    private func checkCapacity() {
        if cache.currentMemoryUsage > Self.memoryCapacity { fail("\(cache.currentMemoryUsage) B in memory") }
        if cache.currentDiskUsage > Self.diskCapacity { fail("\(cache.currentDiskUsage) B on disk") }
        if let allocated = cache.store.tiers.disk?.allocatedBytes, allocated > Self.diskCapacity {
            fail("\(allocated) B allocated on disk")
        }
    }

    private func count(_ outcome: String) { lock.withLock { tally[outcome, default: 0] += 1 } }
    private func fail(_ problem: String) { lock.withLock { problems.append(problem) } }
}

/// SplitMix64 (Steele, Lea, Flood 2014): the same numbers from the same seed everywhere.
struct Random {
    private var state: UInt64

    init(seed: UInt64) { state = seed }

    mutating func next() -> UInt64 {
        state &+= splitMixStep
        return splitMixed(state)
    }
}

/// A body that anybody can tell from any other: made of its path and version, which go along in `X-Payload`.
struct Payload {
    let path: String
    let version: Int

    init(path: String, version: Int) {
        self.path = path
        self.version = version
    }

    /// Reads `identity`.
    init?(_ identity: String) {
        let parts = identity.split(separator: ";")
        guard parts.count == 2, let version = Int(parts[1]) else { return nil }
        self.init(path: String(parts[0]), version: version)
    }

    var identity: String { "\(path);\(version)" }

    static func path(_ number: Int) -> String { "/r/\(number)" }

    private var number: Int { Int(path.dropFirst(3)) ?? 0 }

    var bytes: [UInt8] {
        var random = Random(seed: UInt64(number) << 32 | UInt64(version))
        // Every twelfth is above 5 % of either tier.
        let count = number % 12 == 11 ? 110_000 : Int(random.next() % 9_000)
        return [UInt8](unsafeUninitializedCapacity: count) { buffer, initialized in
            let bytes = UnsafeMutableRawBufferPointer(buffer)
            for at in stride(from: 0, to: count - count % 8, by: 8) {
                bytes.storeBytes(of: random.next(), toByteOffset: at, as: UInt64.self)
            }
            for at in count - count % 8..<count { bytes[at] = UInt8(truncatingIfNeeded: random.next()) }
            initialized = count
        }
    }
}
