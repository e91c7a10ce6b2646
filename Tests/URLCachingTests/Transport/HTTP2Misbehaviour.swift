import LoopbackOrigin
import Testing

/// A misbehaviour of an origin over HTTP/2, and its expected result.
struct HTTP2Misbehaviour: Sendable, CustomTestStringConvertible {
    typealias Step = HTTP2Origin.Step
    typealias Frame = HTTP2Frame

    /// The only outcomes that are right.
    enum Outcome: Sendable {
        case answer(Int, String, fields: [String: String] = [:])
        /// An error that names its reason.
        case failure
        case timeout
        /// An error of the connection, after which libcurl 7.88 may wait for the end of the time-out.
        case failureOrTimeout
        /// Lenient and strict readings are both right.
        case answerOrFailure(Int, String)
    }

    let name: String
    let outcome: Outcome
    var method = "GET"
    /// In the place of the settings.
    var greeting: [Step]?
    /// It misbehaves on every request, otherwise on the first one.
    var persists = false
    /// How often the request may come.
    var requests = 1...1
    /// It is asked with a short time-out.
    var hangs: Bool {
        switch outcome {
        case .timeout, .failureOrTimeout: true
        default: false
        }
    }
    /// The steps that answer a request on a stream.
    let steps: @Sendable (UInt32) -> [Step]

    var testDescription: String { name }

    /// Sends bytes.
    init(_ name: String, _ outcome: Outcome, _ bytes: @escaping @Sendable (UInt32) -> [UInt8]) {
        self.init(name, outcome, steps: { [.readRequest, .send(bytes($0))] })
    }

    init(_ name: String, _ outcome: Outcome, steps: @escaping @Sendable (UInt32) -> [Step]) {
        self.name = name
        self.outcome = outcome
        self.steps = steps
    }

    func with(_ edit: (inout Self) -> Void) -> Self {
        var changed = self
        edit(&changed)
        return changed
    }

    static let body = "hello, origin"
    static let ok = Outcome.answer(200, body)
    static let either = Outcome.answerOrFailure(200, body)

    /// A header that may be stored, without length.
    static func head(
        _ stream: UInt32, _ fields: [(String, String)] = [], status: String = "200", ends: Bool = false
    ) -> [UInt8] {
        Frame.headers([(":status", status), ("cache-control", "max-age=1000000")] + fields, stream: stream, ends: ends)
    }

    /// A whole and right answer.
    static func answer(_ stream: UInt32, _ fields: [(String, String)] = []) -> [UInt8] {
        head(stream, fields) + Frame.data(body, stream: stream)
    }

    static let all =
        resets + goAways + closes + lengths + sequences + blocks + fields + controls + withinBodies + limits
        + greetings + uploads
}
