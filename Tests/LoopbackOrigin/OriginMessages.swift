import Foundation

/// A request as it came over the wire.
public struct OriginRequest: Sendable {
    /// As sent.
    public let method: String
    /// Path and query, as sent.
    public let path: String
    /// The field lines, in their order.
    public let fields: [(name: String, value: String)]
    /// The field lines as bytes, in their order.
    public let rawFields: [(name: String, value: [UInt8])]
    /// All of it.
    public let body: [UInt8]

    /// The value of a field, its lines joined; `nil` if it is missing.
    public subscript(name: String) -> String? {
        let values = fields.filter { $0.name.lowercased() == name.lowercased() }.map(\.value)
        return values.isEmpty ? nil : values.joined(separator: ", ")
    }

    /// It asks whether something has changed.
    public var isConditional: Bool { self["If-None-Match"] != nil || self["If-Modified-Since"] != nil }
}

/// An origin's reply, right or wrong.
public struct OriginReply: Sendable {
    /// How the end of the body is told.
    public enum Framing: Sendable {
        /// `Content-Length`, as it is.
        case length
        /// `Content-Length`, as it is not.
        case statedLength(Int)
        /// `Transfer-Encoding: chunked`.
        case chunked
        /// By the end of the connection.
        case untilClose
    }

    /// How the connection breaks.
    public enum Cut: Sendable {
        /// Closed after so many bytes of the body.
        case closed(after: Int)
        /// Reset after so many bytes of the body.
        case reset(after: Int)
        /// Reset before the first byte of the header.
        case withoutAnswer
    }

    /// The status code.
    public var status: Int
    /// The field lines, without those that the framing adds.
    public var fields: [(String, String)]
    /// The bytes as they are sent, after any content coding.
    public var body: [UInt8]
    /// See `Framing`.
    public var framing: Framing
    /// See `Cut`.
    public var cut: Cut?
    /// Holds the reply back before its first byte.
    public var holdHead: Hold?
    /// Holds the body back after so many bytes.
    public var holdBody: (after: Int, hold: Hold)?
    /// The body is sent so many times over.
    public var copies = 1
    /// Called with the number of copies that were handed to the system so far.
    public var onCopySent: (@Sendable (Int) -> Void)?
    /// Called when the last byte has been handed to the system.
    public var onSent: (@Sendable () -> Void)?
    /// In the place of status line and fields, the empty line excluded.
    public var rawHead: [UInt8]?

    /// A reply.
    public init(
        status: Int = 200, _ fields: [(String, String)] = [], body: [UInt8] = [], framing: Framing = .length,
        cut: Cut? = nil
    ) {
        self.status = status
        self.fields = fields
        self.body = body
        self.framing = framing
        self.cut = cut
    }

    /// A reply with a text.
    public init(status: Int = 200, _ fields: [(String, String)] = [], text: String) {
        self.init(status: status, fields, body: Array(text.utf8))
    }
}

/// A place where a reply waits until the test lets it go on.
///
/// `@unchecked Sendable`: both variables are touched under the condition's lock alone.
public final class Hold: @unchecked Sendable {
    private let condition = NSCondition()
    private var isReleased = false
    private var isReached = false
    private var waiting: [CheckedContinuation<Void, Never>] = []

    /// A place that no reply has reached.
    public init() {}

    /// Lets the reply go on.
    public func release() {
        condition.lock()
        isReleased = true
        condition.broadcast()
        condition.unlock()
    }

    /// Returns once a reply waits here, or cannot any more since its peer has gone.
    public func reached() async {
        await withCheckedContinuation { continuation in
            condition.lock()
            let isReached = isReached
            if !isReached { waiting.append(continuation) }
            condition.unlock()
            if isReached { continuation.resume() }
        }
    }

    /// Waits for the release.
    func wait() {
        pass()
        condition.lock()
        while !isReleased { condition.wait() }
        condition.unlock()
    }

    /// A reply waits here, or none ever will.
    func pass() {
        condition.lock()
        isReached = true
        let waiting = waiting
        self.waiting = []
        condition.unlock()
        for continuation in waiting { continuation.resume() }
    }
}
