import LoopbackOrigin
import Platform
import Testing

/// A state of a transfer, and what happens in it.
struct TransferCell: Sendable, CustomTestStringConvertible {
    enum State: String, CaseIterable, Sendable {
        case sent, head, body, paused, resumed, redirected
    }

    enum Event: String, CaseIterable, Sendable {
        /// Bytes came on the connection before the request was sent.
        case earlyBytes
        /// Nothing comes, for a time that is shorter than the time-out.
        case stall
        /// The origin closes the connection.
        case close
        /// The origin resets the connection.
        case reset
        /// The origin says that it takes no more requests on the connection, and goes on: GOAWAY, or `Connection:
        /// close`.
        case goAway
        /// The application cancels its task.
        case cancel
        /// Nothing comes, for longer than the time-out.
        case timeOut
        /// The application lets go of the session.
        case endOfSession
    }

    enum Outcome: Equatable {
        case answer, lost, cancelled, timedOut
    }

    let state: State
    let event: Event
    let isHTTP2: Bool

    var testDescription: String { "\(event.rawValue) while \(state.rawValue)\(isHTTP2 ? ", HTTP/2" : "")" }

    static let all = State.allCases.flatMap { state in
        Event.allCases.flatMap { event in
            [false, true].map { Self(state: state, event: event, isHTTP2: $0) }
        }
    }

    /// The only outcome that is right.
    var outcome: Outcome {
        switch (event, state) {
        case (.earlyBytes, _), (.stall, _), (.goAway, _), (.endOfSession, _): .answer
        // On a used connection, before the first byte of a header: repeated once.
        case (.close, .redirected), (.reset, .redirected): .answer
        case (.close, _), (.reset, _): .lost
        case (.cancel, _): .cancelled
        // The origin is kept from sending.
        case (.timeOut, .paused): .answer
        case (.timeOut, _): .timedOut
        }
    }

    // MARK: What the origin sends

    /// Bytes of the body, and those that have come when the event happens.
    var byteCount: Int { isLong ? 3 << 20 : 5 }
    private var firstCount: Int {
        switch state {
        case .paused, .resumed: 2 << 20
        case .body: 2
        case .sent, .head, .redirected: 0
        }
    }
    /// It is longer than what waits for a reader.
    var isLong: Bool { state == .paused || state == .resumed }

    /// The bytes of the answer before and after the event, on a stream of HTTP/2.
    func answer(on stream: UInt32) -> (before: [UInt8], after: [UInt8]) {
        let body = [UInt8](repeating: 0x61, count: byteCount)
        if isHTTP2 {
            let fields = HTTP2Frame.block([(":status", "200"), ("content-length", "\(byteCount)")])
            let first = HTTP2Frame.frame(1, stream: stream, Array(fields.prefix(8)))
            let second = HTTP2Frame.frame(9, flags: HTTP2Frame.endHeaders, stream: stream, Array(fields.dropFirst(8)))
            let end = HTTP2Frame.frame(0, flags: HTTP2Frame.endStream, stream: stream)
            let (early, late) = (frames(body[..<firstCount], stream), frames(body[firstCount...], stream) + end)
            let goAway = event == .goAway ? HTTP2Frame.goAway(last: stream) : []
            switch state {
            case .sent, .redirected: return ([], goAway + first + second + late)
            // No frame comes within a header (RFC 9113, section 6.10).
            case .head: return (first, second + goAway + late)
            case .body, .paused, .resumed: return (first + second + early, goAway + late)
            }
        }
        let closes = event == .goAway ? "Connection: close\r\n" : ""
        let head = Array("HTTP/1.1 200 OK\r\n\(closes)Content-Length: \(byteCount)\r\n\r\n".utf8)
        switch state {
        case .sent, .redirected: return ([], head + body)
        case .head: return (Array(head[..<20]), head[20...] + body)
        case .body, .paused, .resumed: return (head + body[..<firstCount], Array(body[firstCount...]))
        }
    }

    private func frames(_ bytes: ArraySlice<UInt8>, _ stream: UInt32) -> [UInt8] {
        stride(from: bytes.startIndex, to: bytes.endIndex, by: 16_384).flatMap {
            HTTP2Frame.frame(0, stream: stream, Array(bytes[$0..<min($0 + 16_384, bytes.endIndex)]))
        }
    }
}

/// An origin that brings a transfer into a state, and tells when it is there.
struct TransferOrigin {
    let base: String
    let stop: () -> Void
    /// The bytes before the event have been sent.
    let isReached = OneShot<Void>()
    /// The bytes that come too early have been sent.
    let isEarly = OneShot<Void>()
    private let goesOn = Hold()
    private let startsEarly = Hold()

    init(_ cell: TransferCell) throws {
        let (isReached, isEarly, goesOn, startsEarly) = (isReached, isEarly, goesOn, startsEarly)
        if cell.isHTTP2 {
            let origin = try HTTP2Origin(tlsServer(.http2)) { number, stream in
                if cell.event == .earlyBytes, number == 0 {
                    let early = HTTP2Frame.ping() + HTTP2Frame.settings((3, 100))
                    return [
                        .readRequest, .send(HTTP2Misbehaviour.answer(stream)), .wait(startsEarly), .send(early),
                        .call { isEarly.provide(()) },
                    ]
                }
                let number = cell.event == .earlyBytes ? number - 1 : number
                if cell.state == .redirected, number == 0 {
                    let head = [(":status", "302"), ("location", "/target")]
                    return [.readRequest, .send(HTTP2Frame.headers(head, stream: stream, ends: true))]
                }
                let (before, after) = cell.answer(on: stream)
                if number > (cell.state == .redirected ? 1 : 0) { return [.readRequest, .send(before + after)] }
                return [.readRequest, .send(before), .call { isReached.provide(()) }, .wait(goesOn)]
                    + Self.end(of: cell.event, after)
            }
            (base, stop) = (origin.base, { origin.stop() })
        } else {
            let origin = try RawOrigin { path in
                if path == "/first" {
                    return [
                        .send(Array("HTTP/1.1 200 OK\r\nContent-Length: 13\r\n\r\nhello, origin".utf8)),
                        .wait(startsEarly), .send(Array("HTTP/1.1 408 No\r\nContent-Length: 0\r\n\r\n".utf8)),
                        .arrival, .call { isEarly.provide(()) }, .hang,
                    ]
                }
                let (before, after) = cell.answer(on: 0)
                let redirection = Array("HTTP/1.1 302 No\r\nLocation: /target\r\nContent-Length: 0\r\n\r\n".utf8)
                let begin: [RawOrigin.Step] = cell.state == .redirected ? [.send(redirection), .readRequest] : []
                // The connection of a repeated request.
                if path == "/target" { return [.send(before + after), .hang] }
                return begin + [.send(before), .call { isReached.provide(()) }, .wait(goesOn)]
                    + Self.end(of: cell.event, after)
            }
            (base, stop) = (origin.base, { origin.stop() })
        }
    }

    /// Lets bytes come before the request.
    func sendEarly() async {
        startsEarly.release()
        await isEarly.wait(cancelled: ())
    }

    /// Lets the event happen, or the origin go on.
    func goOn() { goesOn.release() }

    private static func end(of event: TransferCell.Event, _ rest: [UInt8]) -> [RawOrigin.Step] {
        switch event {
        case .close: []
        case .reset: [.reset]
        default: [.send(rest), .hang]
        }
    }

    private static func end(of event: TransferCell.Event, _ rest: [UInt8]) -> [HTTP2Origin.Step] {
        switch event {
        case .close: [.close(tells: true)]
        case .reset: [.reset]
        default: [.send(rest)]
        }
    }
}
