import Foundation
import LoopbackOrigin
import Platform

/// An origin that is honest about half of the time. Its answers depend on the seed, the path, and how often that was
/// asked for.
///
/// `@unchecked Sendable`: the variables are touched under the lock alone.
final class LyingOrigin: @unchecked Sendable {
    /// A reply that waits, and its number.
    struct Stall: Sendable {
        let number: Int
        let hold: Hold
        func reached() async { await hold.reached() }
        func release() { hold.release() }
    }

    let stalls: AsyncStream<Stall>
    private let newStall: AsyncStream<Stall>.Continuation
    private let seed: UInt64
    private let origin: LoopbackOrigin
    private let lock = Lock()
    private var asked: [String: Int] = [:]
    private var stallsSoFar = 0
    private var stallsEnded = false
    private var tally: [String: Int] = [:]

    init(seed: UInt64) throws {
        self.seed = seed
        (stalls, newStall) = AsyncStream.makeStream()
        origin = try LoopbackOrigin(remembers: false)
        origin.reply { [unowned self] in self.reply(to: $0) }
    }

    func url(_ path: String) -> URL { origin.url(path) }

    var summary: String {
        let connections = origin.connections
        let kinds = lock.withLock { tally }.sorted { $0.key < $1.key }.map { "\($0.key) \($0.value)" }
        return "\(origin.count()) requests on \(connections.soFar) connections: \(kinds.joined(separator: ", "))"
    }

    func stop() { origin.stop() }

    /// No reply is held any more.
    func endStalls() {
        lock.withLock { stallsEnded = true }
        newStall.finish()
    }

    private func reply(to request: OriginRequest) -> OriginReply {
        let number = lock.withLock {
            defer { asked[request.path, default: 0] += 1 }
            return asked[request.path, default: 0]
        }
        let payload = Payload(path: request.path, version: number / 4)
        var random = Random(
            seed: seed ^ UInt64(number) << 20 ^ UInt64(request.path.utf8.reduce(0) { $0 &* 31 &+ Int($1) }))
        let tag = "\"\(payload.version)\""
        var fields = [
            ("X-Payload", payload.identity), ("ETag", tag), ("Cache-Control", "max-age=\(random.next() % 3)"),
        ]
        let kind = Kind.allCases[Int(random.next() % UInt64(Kind.allCases.count))]
        lock.withLock { tally[kind.rawValue, default: 0] += 1 }
        var reply = OriginReply(fields, body: payload.bytes)
        let half = reply.body.count / 2
        switch kind {
        case .honest, .honest2, .honest3, .honest4, .honest5, .honest6:
            if request["If-None-Match"] == tag { return OriginReply(status: 304, fields) }
        case .chunked: reply.framing = .chunked
        case .untilClose: reply.framing = .untilClose
        case .gzipped where payload.bytes.count < 65_536 && request["Accept-Encoding"]?.contains("gzip") == true:
            reply = OriginReply(fields + [("Content-Encoding", "gzip")], body: gzip(payload.bytes))
        case .gzipped: break
        case .tooLong: reply.framing = .statedLength(payload.bytes.count + 100)
        case .tooShort: reply.framing = .statedLength(half)
        case .closed: reply.cut = .closed(after: half)
        case .brokenChunks:
            reply.framing = .chunked
            reply.cut = .reset(after: half)
        case .reset: reply.cut = .reset(after: half)
        case .noAnswer: reply.cut = .withoutAnswer
        case .failing: reply.status = [500, 502, 503, 504, 404, 410, 429][Int(random.next() % 7)]
        case .redirecting:
            fields.append(("Location", Payload.path(Int(random.next() % 48))))
            reply = OriginReply(status: [301, 302, 303, 307, 308][Int(random.next() % 5)], fields)
        case .wrong304: reply = OriginReply(status: 304, [("X-Payload", payload.identity), ("ETag", "\"other\"")])
        case .badHead: reply.rawHead = badHead(payload, &random)
        case .stalling, .stallingWithin:
            guard let hold = newHold() else { return reply }
            if kind == .stalling { reply.holdHead = hold } else { reply.holdBody = (half, hold) }
        }
        return reply
    }

    private func newHold() -> Hold? {
        let stall: Stall? = lock.withLock {
            guard !stallsEnded else { return nil }
            stallsSoFar += 1
            return Stall(number: stallsSoFar, hold: Hold())
        }
        if let stall { newStall.yield(stall) }
        return stall?.hold
    }

    private enum Kind: String, CaseIterable {
        case honest, honest2, honest3, honest4, honest5, honest6
        case chunked, untilClose, gzipped
        case tooLong, tooShort, closed, reset, brokenChunks, noAnswer, failing, redirecting, wrong304, badHead
        case stalling, stallingWithin
    }

    private func badHead(_ payload: Payload, _ random: inout Random) -> [UInt8] {
        let length = payload.bytes.count
        let good = "HTTP/1.1 200 OK\r\nX-Payload: \(payload.identity)\r\nContent-Length: \(length)"
        let heads = [
            "\(good)\r\nCache-Control: max-age=\"\r\nExpires: never\r\nAge: -5\r\nDate: yesterday",
            "\(good)\r\nContent-Length: \(length + 7)",
            "HTTP/1.1 200 OK\r\nX-Payload: \(payload.identity)\r\nContent-Length: -5",
            "HTTP/1.1 200 OK\r\nX-Payload: \(payload.identity)\r\nContent-Length: many",
            "\(good)\r\nno colon here",
            "\(good)\r\n: no name",
            "\(good)\r\nX-Long: \(String(repeating: "a", count: 60_000))",
            "\(good)\r\nVary: *\r\nETag: unquoted\r\nLast-Modified: soon",
            "\(good)\r\nX-Folded: one\r\n two",
            "HTTP/1.1 999 What\r\nX-Payload: \(payload.identity)\r\nContent-Length: \(length)",
            "HTTP/1.1 20 OK\r\nContent-Length: \(length)",
            "garbage",
        ]
        return Array(heads[Int(random.next() % UInt64(heads.count))].utf8)
    }
}
