// Invariant of the pointers: a record is read only if all of its bytes are in the buffer, and within the call.

/// Reads one format.
package protocol TraceDecoder {
    /// The next request, `nil` at the end. After a skippable error, the damaged request has been consumed.
    ///
    /// - Parameter isTold: whether the reason of an error is used; if not, its text may be empty.
    mutating func next(isTold: Bool) throws(TraceError) -> TraceRequest?
    /// What was missing in the requests so far, and filled in.
    var guesses: TraceGuesses { get }
    /// Whether no request that was read waits.
    var isDrained: Bool { get }
}

extension TraceDecoder {
    package var guesses: TraceGuesses { TraceGuesses() }
    package var isDrained: Bool { true }
}

/// Reads a format that has one request per line.
package protocol LineDecoder: SendableMetatype, TraceDecoder {
    var input: TraceInput { get }
    /// How many lines have been read.
    var line: Int { get set }
    /// What stands around each line.
    var envelope: LogEnvelope { get }
    /// Reads a line that says something about those after it.
    ///
    /// - Returns: whether it is one, and no request.
    mutating func directive(_ line: ArraySlice<UInt8>) -> Bool
    /// The request of a line.
    ///
    /// - Throws: the fault of the line.
    mutating func request(_ line: ArraySlice<UInt8>) throws(LineFault) -> TraceRequest
    /// Whether a line is neither a request nor damaged, and is skipped. By default, blank lines are, but in logs.
    func isPassedOver(_ line: ArraySlice<UInt8>) -> Bool
    /// Whether the format is a program's log, in which lines that are not requests are ordinary.
    var isLog: Bool { get }
}

/// The fault of a line.
package struct LineFault: Error {
    /// Makes the text. A closure, since most faults of skipped lines and of lines tested for a signature are never
    /// shown.
    package let reason: @Sendable () -> String
    package init(_ reason: @autoclosure @escaping @Sendable () -> String) { self.reason = reason }
}

extension LineDecoder {
    package mutating func next(isTold: Bool) throws(TraceError) -> TraceRequest? {
        while true {
            line += 1
            guard let bytes = try input.line(number: line, isLog: isLog) else { return nil }
            do throws(LineFault) {
                if let request = try parsed(bytes) { return request }
            } catch {
                throw TraceError(
                    input.name, .line(line), isTold ? error.reason() : "", isSkippable: true, isNoise: isLog)
            }
        }
    }

    /// The request of a line as it stands in the file; `nil` for one that is passed over.
    mutating func parsed(_ line: ArraySlice<UInt8>) throws(LineFault) -> TraceRequest? {
        var bytes = isLog && line.first == 0 ? Self.withoutHole(line) : line
        if envelope != .none, let content = envelope.content(of: bytes) { bytes = content }
        if isPassedOver(bytes) || directive(bytes) { return nil }
        if isLog, bytes.isEmpty { throw LineFault("the line is blank") }
        return try request(bytes)
    }

    /// A line of a log without the NUL bytes before it: they fill the part of a file that was truncated while a program
    /// went on writing to it.
    package static func withoutHole(_ line: ArraySlice<UInt8>) -> ArraySlice<UInt8> { line.drop { $0 == 0 } }

    package func isPassedOver(_ line: ArraySlice<UInt8>) -> Bool {
        !isLog && line.allSatisfy { $0 == 0x20 || $0 == 0x09 }
    }

    package var isLog: Bool { false }

    package var envelope: LogEnvelope { .none }

    package mutating func directive(_ line: ArraySlice<UInt8>) -> Bool { false }
}

/// A request of a trace without URLs and HTTP metadata: 24 bytes, in the place of a ``TraceRequest``.
package struct PlainRequest: Hashable, Sendable {
    package let id: UInt64
    /// Bytes of the body; −1 if the trace does not state them.
    package let size: Int
    /// Seconds since a moment chosen by the trace; −∞ if the trace has no times.
    package let time: Double

    package init(id: UInt64, size: Int = -1, time: Double = -.infinity) {
        (self.id, self.size, self.time) = (id, size, time)
    }

    /// A request of which no more is known.
    package init(_ request: TraceRequest) {
        self.init(id: request.id, size: request.size ?? -1, time: request.time ?? -.infinity)
    }
}

/// Reads a format of records of one length, many at a time.
protocol PlainDecoder: TraceDecoder {
    var input: TraceInput { get }
    /// Bytes of a record.
    static var recordCount: Int { get }
    /// The request of a record, of whose bytes all are there.
    static func request(_ record: UnsafeRawPointer) -> PlainRequest
    /// Appends the next requests, as many as are in the buffer whole, up to the capacity of the block.
    func read(into block: inout [PlainRequest]) throws(TraceError)
}

extension PlainDecoder {
    // Inlined into each decoder, so that the compiler knows the type of the record in the loop.
    @inline(__always)
    func read(into block: inout [PlainRequest]) throws(TraceError) {
        let bytes = try input.available()
        let count = min(bytes.count / Self.recordCount, block.capacity - block.count)
        bytes.withUnsafeBytes { bytes in
            guard let base = bytes.baseAddress else { return }
            for index in 0..<count { block.append(Self.request(base + index * Self.recordCount)) }
        }
        input.skip(count * Self.recordCount)
    }
}

/// What a trace left out, and the reader filled in.
package struct TraceGuesses: Hashable, Sendable {
    /// Entries without a time, which have that of the entry before.
    package var times = 0
    /// Entries without a method, which are taken for GET.
    package var methods = 0
    /// Dates without a zone, which are taken as UTC.
    package var zones = 0

    package init() {}

    static func + (one: TraceGuesses, other: TraceGuesses) -> TraceGuesses {
        var sum = one
        sum.times += other.times
        sum.methods += other.methods
        sum.zones += other.zones
        return sum
    }

    /// A warning; `nil` where nothing was guessed.
    package var warning: String? {
        let parts = [
            times > 0 ? "\(times) entries without a time have that of the entry before" : nil,
            methods > 0 ? "\(methods) without a method count as GET" : nil,
            zones > 0 ? "\(zones) dates without a zone count as UTC" : nil,
        ].compactMap { $0 }
        return parts.isEmpty ? nil : "the trace is incomplete: \(parts.joined(separator: "; "))"
    }
}
