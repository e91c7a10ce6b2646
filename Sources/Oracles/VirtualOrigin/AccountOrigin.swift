import HTTPCache
import HTTPSemantics
import Platform

/// An origin with accounts and changing resources. Each reply names its account and the version that was current when
/// the request came. The trial delivers the header and end of each reply in any order.
final class AccountOrigin: Transport {
    /// What the origin says about reusing its replies.
    enum Kind: Int, CaseIterable {
        case nothing, isPrivate, maxAgeZero, mustRevalidate, expired, noCache, noStore, forbidden, unauthorized
        case minute, privateMinute, varying, refreshing

        /// How many seconds the reply is fresh.
        var lifetime: Int64 {
            switch self {
            case .minute, .privateMinute, .varying: 60
            case .refreshing: 5
            default: 0
            }
        }

        var status: Int { self == .forbidden ? 403 : self == .unauthorized ? 401 : 200 }

        fileprivate var fields: HTTPFields {
            switch self {
            case .nothing, .forbidden, .unauthorized: [:]
            case .isPrivate: ["Cache-Control": "private"]
            case .maxAgeZero: ["Cache-Control": "max-age=0"]
            case .mustRevalidate: ["Cache-Control": "must-revalidate"]
            case .expired: ["Expires": "Thu, 01 Jan 1970 00:00:00 GMT"]
            case .noCache: ["Cache-Control": "no-cache"]
            case .noStore: ["Cache-Control": "no-store"]
            case .minute: ["Cache-Control": "max-age=60"]
            case .privateMinute: ["Cache-Control": "private, max-age=60"]
            case .varying: ["Cache-Control": "max-age=60", "Vary": "Authorization"]
            case .refreshing: ["Cache-Control": "max-age=5, stale-while-revalidate=30"]
            }
        }
    }

    /// A reply, or a response that the application stored itself.
    struct Reply {
        let url: String
        /// `nil` if the application stored it.
        let account: String?
        let version: Int
        let kind: Kind
        /// The step in which its request came.
        let sentStep: Int
        let isUnsafe: Bool
    }

    /// The header or end of a reply, waiting to be delivered.
    fileprivate struct Held {
        let place: OneShot<Bool>
        /// The unsafe request that the delivery answers.
        let unsafe: (url: String, isError: Bool)?
    }

    fileprivate struct State {
        var step = 0
        var versions: [String: Int] = [:]
        var kind = Kind.minute
        var hasDate = false
        var replies: [Reply] = []
        var held: [Held] = []
    }

    private let clock: VirtualClock
    private let state = Locked(State())

    init(clock: VirtualClock) { self.clock = clock }

    // MARK: The trial's side

    var step: Int {
        get { state.withLock { $0.step } }
        set { state.withLock { $0.step = newValue } }
    }

    /// From now on replies are like this.
    func reply(_ kind: Kind, hasDate: Bool) { state.withLock { ($0.kind, $0.hasDate) = (kind, hasDate) } }

    func change(_ url: String) { state.withLock { $0.versions[url, default: 0] += 1 } }

    var heldCount: Int { state.withLock { $0.held.count } }

    func reply(number: Int) -> Reply? {
        state.withLock { $0.replies.indices.contains(number) ? $0.replies[number] : nil }
    }

    /// Whether another account may get this representation: a reply, or a confirmation, has made it fresh for all.
    func isReusable(_ reply: Reply) -> Bool {
        state.withLock { state in
            state.replies.contains {
                $0.url == reply.url && $0.account == reply.account && $0.version == reply.version
                    && $0.kind.lifetime > 0 && $0.kind != .varying
            }
        }
    }

    /// Delivers one header or end, and returns the unsafe request that this answers.
    func deliver(_ index: Int) -> (url: String, isError: Bool)? {
        let held: Held? = state.withLock { state in
            state.held.isEmpty ? nil : state.held.remove(at: index % state.held.count)
        }
        held?.place.provide(true)
        return held?.unsafe
    }

    /// Fields and body of a response that the application makes from the current version.
    func own(_ url: String) -> (HTTPResponse, [UInt8]) {
        state.withLock { state in
            let number = state.add(url, account: nil, .minute, isUnsafe: false)
            return (HTTPResponse(headerFields: Kind.minute.fields), Array("\(number);".utf8))
        }
    }

    // MARK: The engine's side

    func send(_ outgoing: OutgoingRequest) async throws -> IncomingResponse {
        let request = outgoing.request
        let account = request.headerFields["Authorization"] ?? "nobody"
        let now = clock.now.seconds
        let (response, body, head): (HTTPResponse, [UInt8], OneShot<Bool>) = state.withLock { state in
            let isUnsafe = MethodClass(request.method) == .unsafe
            if isUnsafe { state.versions[request.url, default: 0] += 1 }
            let version = state.versions[request.url, default: 0]
            let tag = "\"\(account) \(version)\""
            var fields = state.kind.fields
            fields["ETag"] = tag
            if state.hasDate { fields["Date"] = HTTPDate.format(now) }
            let isCurrent = request.headerFields["If-None-Match"] == tag && state.kind.status == 200
            let status = isUnsafe ? (state.kind.status == 200 ? 204 : 403) : isCurrent ? 304 : state.kind.status
            let number = state.add(request.url, account: account, state.kind, isUnsafe: isUnsafe)
            let unsafe = isUnsafe ? (request.url, status == 403) : nil
            let body = [200, 401, 403].contains(status) && !isUnsafe ? Array("\(number);".utf8) : []
            return (HTTPResponse(status: status, headerFields: fields), body, state.hold(unsafe))
        }
        guard await head.wait(cancelled: false) else { throw CancellationError() }
        return IncomingResponse(response, body: HeldBody(body, self))
    }

    fileprivate func waitForEnd() async throws {
        let end = state.withLock { $0.hold(nil) }
        guard await end.wait(cancelled: false) else { throw CancellationError() }
    }
}

extension AccountOrigin.State {
    mutating func add(_ url: String, account: String?, _ kind: AccountOrigin.Kind, isUnsafe: Bool) -> Int {
        replies.append(
            AccountOrigin.Reply(
                url: url, account: account, version: versions[url, default: 0], kind: kind, sentStep: step,
                isUnsafe: isUnsafe))
        return replies.count - 1
    }

    mutating func hold(_ unsafe: (url: String, isError: Bool)?) -> OneShot<Bool> {
        let place = OneShot<Bool>()
        held.append(AccountOrigin.Held(place: place, unsafe: unsafe))
        return place
    }
}

/// A body that comes at once, but whose end is held back.
private final class HeldBody: IncomingBody {
    private let origin: AccountOrigin
    private let body: [UInt8]
    private let reads = Locked(0)

    init(_ body: [UInt8], _ origin: AccountOrigin) {
        self.body = body
        self.origin = origin
    }

    func next() async throws -> [UInt8]? {
        let read = reads.withLock { reads in
            defer { reads += 1 }
            return reads
        }
        if read == 0, !body.isEmpty { return body }
        if !body.isEmpty { try await origin.waitForEnd() }
        return nil
    }

    func cancel() {}
}
