import LoopbackOrigin

/// The end of streams and connections (RFC 9113, sections 5.4, 6.4, 6.8 and 8.1).
extension HTTP2Misbehaviour {
    /// Codes of section 7, and one that is unknown.
    private static let codes: [UInt32] = Array(0...13) + [99]
    private static let refused: UInt32 = 7

    static let resets: [Self] = codes.flatMap { resets(by: $0) }

    private static func resets(by code: UInt32) -> [Self] {
        // A stream that was refused was not worked on, and may be asked for again (section 8.7).
        let mayRepeat = code == refused
        // See `limits`.
        let within = mayRepeat ? either : code == 0 ? Outcome.answerOrFailure(200, "hello") : .failure
        let kinds: [Self] = [
            .init("resets by \(code) before the header", mayRepeat ? either : .failure) {
                Frame.reset(code, stream: $0)
            },
            .init("resets by \(code) behind the header", mayRepeat ? either : .failure) {
                head($0) + Frame.reset(code, stream: $0)
            },
            .init("resets by \(code) within the body", within) {
                head($0) + Frame.data("hello", stream: $0, ends: false) + Frame.reset(code, stream: $0)
            },
            .init(
                "drips, and resets by \(code) within a body of known length", .failure,
                steps: {
                    [
                        .readRequest, .send(head($0, [("content-length", "13")])),
                        .drip(Frame.data("hello", stream: $0, ends: false) + Frame.reset(code, stream: $0)),
                    ]
                }),
            .init("resets by \(code) within a body of known length", mayRepeat ? either : .failure) {
                head($0, [("content-length", "13")]) + Frame.data("hello", stream: $0, ends: false)
                    + Frame.reset(code, stream: $0)
            },
            .init("resets by \(code) behind the end", code == 0 ? ok : either) {
                answer($0) + Frame.reset(code, stream: $0)
            },
        ]
        return kinds.map { $0.with { $0.requests = mayRepeat ? 1...2 : 1...1 } }
    }

    static let goAways: [Self] = [
        .after("goes away before the stream, and closes", either) { _ in
            [.send(Frame.goAway(last: 0)), .close(tells: true)]
        }.with { $0.requests = 1...2 },
        .after("goes away before the stream by an error, and closes", either) { _ in
            [.send(Frame.goAway(last: 0, 2)), .close(tells: true)]
        }.with { $0.requests = 1...2 },
        .init("goes away before the stream", either) { _ in Frame.goAway(last: 0) }.with { $0.requests = 1...2 },
        .init("goes away after the last stream, and answers", ok) { Frame.goAway(last: $0) + answer($0) },
        .init("announces to go away, and answers", ok) { Frame.goAway(last: 0x7FFF_FFFF) + answer($0) },
        .init("goes away within the body, and sends the rest", ok) {
            head($0) + Frame.data("hello", stream: $0, ends: false) + Frame.goAway(last: $0)
                + Frame.data(", origin", stream: $0)
        },
        .init("goes away twice, and answers", ok) {
            Frame.goAway(last: 0x7FFF_FFFF) + Frame.goAway(last: $0) + answer($0)
        },
        .after("goes away within the body, and closes", .failure) {
            [
                .send(head($0) + Frame.data("hello", stream: $0, ends: false) + Frame.goAway(last: $0)),
                .close(tells: true),
            ]
        },
        // Repeated, unless the header was handed out.
        .after("goes away within the body as if it had not been asked", either) {
            [
                .send(head($0) + Frame.data("hello", stream: $0, ends: false) + Frame.goAway(last: 0)),
                .close(tells: true),
            ]
        }
        .with { $0.requests = 1...2 },
        .after("goes away behind the end, and closes", either) {
            [.send(answer($0) + Frame.goAway(last: $0)), .close(tells: true)]
        },
        .init("goes away on a stream", .failure) {
            Frame.frame(7, stream: $0, [0, 0, 0, 0, 0, 0, 0, 0]) + answer($0)
        },
        .init("goes away by a frame that is too short", .failure) {
            Frame.frame(7, stream: 0, [0, 0, 0, 0]) + answer($0)
        },
    ]

    static let closes = closes(tells: true) + closes(tells: false) + breaks

    private static func closes(tells: Bool) -> [Self] {
        let how = tells ? "closes" : "breaks off"
        return [
            .init("\(how) without an answer", .failure, steps: { _ in [.readRequest, .close(tells: tells)] }),
            .after("\(how) behind the header", .failure) { [.send(head($0)), .close(tells: tells)] },
            .after("\(how) within the body", .failure) {
                [.send(head($0) + Frame.data("hello", stream: $0, ends: false)), .close(tells: tells)]
            },
            .after("\(how) behind the whole body, without its end", either) {
                [
                    .send(head($0, [("content-length", "13")]) + Frame.data(body, stream: $0, ends: false)),
                    .close(tells: tells),
                ]
            },
            .after("\(how) behind the end", either) { [.send(answer($0)), .close(tells: tells)] },
        ]
    }

    private static let breaks: [Self] = [
        .init("breaks the connection before the header", .failure, steps: { _ in [.readRequest, .reset] }),
        .after("breaks the connection within the body", .failure) {
            [.send(head($0) + Frame.data("hello", stream: $0, ends: false)), .reset]
        },
        .after("drips", ok) { [.drip(answer($0))] },
        .init("sends no answer", .timeout) { _ in [UInt8]() },
        .init("sends no body", .timeout) { head($0) },
        .init("sends no end of the body", .timeout) { head($0) + Frame.data(body, stream: $0, ends: false) },
    ]

    static let uploads = bodies.map { $0.with { $0.method = "POST" } }

    private static let bodies: [Self] = [
        .init("opens no window for the body", .timeout) { _ in [UInt8]() }.with {
            $0.greeting = [.send(Frame.settings((4, 0)))]
            $0.persists = true
        },
        .init("answers without reading the body", either, steps: { [.send(answer($0) + Frame.reset(0, stream: $0))] }),
        .init("refuses the stream", either, steps: { [.readRequest, .send(Frame.reset(refused, stream: $0))] })
            .with { $0.requests = 1...2 },
        .init("resets by 8 before the header", .failure) { Frame.reset(8, stream: $0) },
        .after("goes away before the stream, and closes", either) { _ in
            [.send(Frame.goAway(last: 0)), .close(tells: true)]
        }.with { $0.requests = 1...2 },
        .after("goes away after the stream, and closes", .failure) {
            [.send(Frame.goAway(last: $0)), .close(tells: true)]
        },
        .init("closes without an answer", .failure, steps: { _ in [.readRequest, .close(tells: true)] }),
        .init("breaks the connection", .failure, steps: { _ in [.readRequest, .reset] }),
        .init("overflows the window", .failure) { Frame.windowUpdate(0x7FFF_FFFF, stream: $0) + answer($0) },
    ]
}

extension HTTP2Misbehaviour {
    /// Reads the request, and goes on with these steps.
    static func after(_ name: String, _ outcome: Outcome, _ steps: @escaping @Sendable (UInt32) -> [Step]) -> Self {
        Self(name, outcome, steps: { [.readRequest] + steps($0) })
    }
}
