import LoopbackOrigin

/// Flow control, settings, pings and other frames of no answer (RFC 9113, sections 5.2, 6.5 to 6.9).
extension HTTP2Misbehaviour {
    static let controls: [Self] = [
        .init("pads data", ok) {
            head($0)
                + Frame.frame(
                    0, flags: Frame.endStream | Frame.padded, stream: $0,
                    [255] + Array(body.utf8) + [UInt8](repeating: 0, count: 255))
        },
        .init("pads the header, and gives a priority", ok) {
            Frame.frame(
                1, flags: Frame.endHeaders | Frame.padded | Frame.priority, stream: $0,
                [9, 0, 0, 0, 0, 15] + Frame.block([(":status", "200")]) + [UInt8](repeating: 0, count: 9))
                + Frame.data(body, stream: $0)
        },
        .init("depends on itself", either) {
            Frame.frame(
                1, flags: Frame.endHeaders | Frame.priority, stream: $0,
                Frame.word($0) + [15] + Frame.block([(":status", "200")])) + Frame.data(body, stream: $0)
        },
        .init("pads more than the frame holds", .failureOrTimeout) {
            head($0) + Frame.frame(0, flags: Frame.endStream | Frame.padded, stream: $0, [200] + Array(body.utf8))
        },
        .init("pads the header more than the frame holds", .failure) {
            Frame.frame(
                1, flags: Frame.endHeaders | Frame.padded, stream: $0, [200] + Frame.block([(":status", "200")]))
                + Frame.data(body, stream: $0)
        },
        .init("pads a frame without room", .failureOrTimeout) {
            head($0) + Frame.frame(0, flags: Frame.endStream | Frame.padded, stream: $0)
        },
        .init("sends 10,000 empty frames of data", either) { stream in
            head(stream) + (0..<10_000).flatMap { _ in Frame.data("", stream: stream, ends: false) }
                + Frame.data(body, stream: stream)
        },
        .init("sends 1,000 frames of padding", ok) { stream in
            head(stream)
                + (0..<1_000).flatMap { _ in
                    Frame.frame(0, flags: Frame.padded, stream: stream, [254] + [UInt8](repeating: 0, count: 254))
                } + Frame.data(body, stream: stream)
        },
        .init("overflows the window of the stream", .failure) {
            Frame.windowUpdate(0x7FFF_FFFF, stream: $0) + answer($0)
        },
        .init("overflows the window of the connection", .failure) {
            Frame.windowUpdate(0x7FFF_FFFF, stream: 0) + answer($0)
        },
        .init("opens the window by 0", .failure) { Frame.windowUpdate(0, stream: $0) + answer($0) },
        .init("opens the window of the connection by 0", .failure) { Frame.windowUpdate(0, stream: 0) + answer($0) },
        .init("opens the window by a frame that is too short", .failure) {
            Frame.frame(8, stream: $0, [0, 1]) + answer($0)
        },
        .init("opens the window of a stream that is not open", .failure) {
            Frame.windowUpdate(1, stream: $0 + 100) + answer($0)
        },
        .init("sends settings 10,000 times", either) { stream in
            (0..<10_000).flatMap { _ in Frame.settings((3, 100)) } + answer(stream)
        },
        .init("acknowledges settings that were not sent", either) {
            (0..<100).flatMap { _ in Frame.frame(4, flags: Frame.acknowledgement, stream: 0) } + answer($0)
        },
        .init("sends settings on a stream", .failure) { Frame.frame(4, stream: $0) + answer($0) },
        .init("sends settings that are too short", .failure) { Frame.frame(4, stream: 0, [0, 1, 2]) + answer($0) },
        .init("sets a window beyond 2^31", .failure) { Frame.settings((4, 0x8000_0000)) + answer($0) },
        .init("sets frames beyond 2^24", .failure) { Frame.settings((5, 0x0100_0000)) + answer($0) },
        .init("sets an unknown setting", ok) { Frame.settings((0x9999, 1)) + answer($0) },
        .init("sets a table of 0 bytes", ok) { Frame.settings((1, 0)) + answer($0) },
        .init("sends 10,000 pings", either) { stream in (0..<10_000).flatMap { _ in Frame.ping() } + answer(stream) },
        .init("sends a ping on a stream", .failure) { Frame.ping(stream: $0) + answer($0) },
        .init("sends a ping that is too short", .failure) { Frame.frame(6, stream: 0, [1]) + answer($0) },
        .init("answers a ping that was not sent", either) {
            Frame.frame(6, flags: Frame.acknowledgement, stream: 0, [UInt8](repeating: 0, count: 8)) + answer($0)
        },
        .init("pushes a promise", .failure) {
            Frame.frame(5, flags: Frame.endHeaders, stream: $0, Frame.word(2) + Frame.block([(":method", "GET")]))
                + answer($0)
        },
        .init("sends unknown frames", ok) { Frame.frame(0xFA, flags: 0xFF, stream: $0, [1, 2]) + answer($0) },
        .init("sends unknown frames on an unknown stream", ok) { Frame.frame(0xFA, stream: 1_000, [1]) + answer($0) },
        .init("sends an unknown frame within a header", .failure) {
            Frame.frame(1, stream: $0, Frame.block([(":status", "200")])) + Frame.frame(0xFA, stream: $0)
                + Frame.frame(9, flags: Frame.endHeaders, stream: $0) + Frame.data(body, stream: $0)
        },
        .init("sends priorities", ok) { Frame.frame(2, stream: $0, [0, 0, 0, 0, 1]) + answer($0) },
        .init("sends a priority that is too short", either) { Frame.frame(2, stream: $0, [0]) + answer($0) },
        .init("resets stream 0", .failure) { Frame.reset(0, stream: 0) + answer($0) },
        .init("resets a stream that is not open", .failure) { Frame.reset(0, stream: $0 + 100) + answer($0) },
        .init("resets by a frame that is too short", .failure) { Frame.frame(3, stream: $0, [0]) + answer($0) },
        .init("sends a frame of data above the limit", .failureOrTimeout) {
            head($0, [("content-length", "16385")])
                + Frame.frame(0, flags: Frame.endStream, stream: $0, [UInt8](repeating: 0x61, count: 16_385))
        },
        .init("announces a frame of 2^24 bytes", .failureOrTimeout) {
            head($0) + Frame.frame(0, stream: $0, Array(body.utf8), length: 0xFF_FFFF)
        },
        .init("sends a header above the limit of a frame", .failure) {
            Frame.headers([(":status", "200"), ("x", String(repeating: "a", count: 16_384))], stream: $0)
                + Frame.data(body, stream: $0)
        },
        .init("sets the reserved bit of the stream", ok) {
            head($0 | 0x8000_0000) + Frame.data(body, stream: $0 | 0x8000_0000)
        },
        .init("sends garbage", .failure) { _ in (0..<4_096).map { UInt8(truncatingIfNeeded: $0 &* 167 &+ 13) } },
        .init("sends garbage behind the end", ok) {
            answer($0) + (0..<4_096).map { UInt8(truncatingIfNeeded: $0 &* 167 &+ 13) }
        },
    ]

    /// Frames that are errors of the connection.
    private static let connectionErrors: [(String, [UInt8])] = [
        ("a window opened by 0", Frame.windowUpdate(0, stream: 0)), ("settings on a stream", Frame.frame(4, stream: 1)),
        ("settings that are too short", Frame.frame(4, stream: 0, [0, 1, 2])),
        ("a ping that is too short", Frame.frame(6, stream: 0, [1])), ("a ping on a stream", Frame.ping(stream: 1)),
        ("a reset of stream 0", Frame.reset(0, stream: 0)), ("a frame without header", Frame.frame(9, stream: 1)),
        ("a promise", Frame.frame(5, flags: Frame.endHeaders, stream: 1, Frame.word(2))),
        ("data on stream 0", Frame.data("no", stream: 0)), ("data on stream 101", Frame.data("no", stream: 101)),
        ("a window beyond its limit", Frame.windowUpdate(0x7FFF_FFFF, stream: 0)),
        ("a frame above the limit", Frame.frame(0, stream: 1, [UInt8](repeating: 0x61, count: 16_385))),
        ("an unknown frame above the limit", Frame.frame(0xFA, stream: 1, [UInt8](repeating: 0x61, count: 16_385))),
        ("too short a way to go", Frame.frame(7, stream: 0, [0])),
        ("padding beyond the frame", Frame.frame(0, flags: 8, stream: 1, [9])),
    ]

    static let withinBodies: [Self] = connectionErrors.flatMap { name, frame in
        [false, true].map { closes in
            .after(
                "sends \(name) within the body\(closes ? ", and closes" : "")", closes ? .failure : .failureOrTimeout
            ) {
                [.send(begun($0, [("content-length", "13")]) + frame)] + (closes ? [.close(tells: true)] : [])
            }
        }
    }

    /// libcurl 7.88 takes these for the end of a body whose length it was not told. The part before them is the answer
    /// then.
    static let limits: [Self] = [
        .init("resets by 0 within a body of unknown length", .answerOrFailure(200, "hello")) {
            begun($0) + Frame.reset(0, stream: $0)
        },
        .after("drips, and resets by 0 within a body of unknown length", .answerOrFailure(200, "hello")) {
            [.drip(begun($0) + Frame.reset(0, stream: $0))]
        },
        .init("sends a frame above the limit within a body of unknown length", .answerOrFailure(200, "hello")) {
            begun($0) + Frame.frame(0xFA, stream: $0, [UInt8](repeating: 0x61, count: 16_385))
        },
        .after("sends a frame without header within a body of unknown length", .answerOrFailure(200, "hello")) {
            [.send(begun($0) + Frame.frame(9, stream: $0)), .close(tells: true)]
        },
    ]

    private static func begun(_ stream: UInt32, _ fields: [(String, String)] = []) -> [UInt8] {
        head(stream, fields) + Frame.data("hello", stream: stream, ends: false)
    }

    static let greetings: [Self] = openings.map { name, outcome, greeting in
        Self(name, outcome) { answer($0) }.with {
            $0.greeting = greeting
            $0.persists = true
            $0.requests = 0...2
        }
    }

    private static let openings: [(String, Outcome, [Step])] = [
        ("speaks HTTP/1.1", .failure, [.send(Array("HTTP/1.1 200 OK\r\nContent-Length: 0\r\n\r\n".utf8))]),
        ("closes at once", .failure, [.close(tells: true)]),
        ("breaks the connection at once", .failure, [.reset]),
        ("goes away at once", .failure, [.send(Frame.settings() + Frame.goAway(last: 0)), .close(tells: true)]),
        (
            "goes away at once, by an error", .failure,
            [.send(Frame.settings() + Frame.goAway(last: 0, 11)), .close(tells: true)]
        ),
        ("closes behind the settings", .failure, [.send(Frame.settings()), .close(tells: false)]),
        ("begins by a ping", either, [.send(Frame.ping() + Frame.settings())]),
        ("allows no stream", either, [.send(Frame.settings((3, 0)))]),
        ("allows to push", either, [.send(Frame.settings((2, 1)))]),
        ("wants frames of 1 byte", .failure, [.send(Frame.settings((5, 1)))]),
        ("wants no fields", either, [.send(Frame.settings((6, 0)))]),
        ("answers before it is asked", either, [.send(Frame.settings() + answer(1))]),
    ]
}
