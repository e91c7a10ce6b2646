// Invariant of the pointers: a record is read within the call, and only if all its bytes are in the buffer.

import Platform

/// Reads one format.
package protocol TraceDecoder {
    /// The next request, `nil` at the end. After a skippable error, the damaged request has been consumed.
    ///
    /// - Parameter isTold: whether the reason of an error is used; if not, it may be empty.
    mutating func next(isTold: Bool) throws(TraceError) -> TraceRequest?
    /// What was missing in the requests so far and filled in.
    var guesses: TraceGuesses { get }
    /// Whether every request that was read has been returned.
    var isDrained: Bool { get }
}

extension TraceDecoder {
    package var guesses: TraceGuesses { TraceGuesses() }
    package var isDrained: Bool { true }
}

/// Reads a format with one request per line.
package protocol LineDecoder: SendableMetatype, TraceDecoder {
    var input: TraceInput { get }
    var line: Int { get set }
    var envelope: LogEnvelope { get }
    /// Reads a line that says something about those after it.
    ///
    /// - Returns: whether it is one rather than a request.
    mutating func directive(_ line: ArraySlice<UInt8>) -> Bool
    /// The request of a line.
    ///
    /// - Throws: the fault of the line.
    mutating func request(_ line: ArraySlice<UInt8>) throws(LineFault) -> TraceRequest
    /// Whether to skip a line as neither a request nor damaged. By default, blank lines are skipped, except in logs.
    func isPassedOver(_ line: ArraySlice<UInt8>) -> Bool
    /// Whether the format is a program's log, where lines that aren't requests are normal.
    var isLog: Bool { get }
}

package struct LineFault: Error {
    /// A closure, since most faults (of skipped lines, and of lines tested for a signature) are never shown.
    package let reason: @Sendable () -> String
    package init(_ reason: @autoclosure @escaping @Sendable () -> String) { self.reason = reason }
}

/// Finds files whose lines end with NUL or CR alone. They would be one line, of which a log's reader takes the first
/// request.
enum LineEnds {
    /// The fault of a line with a NUL, or with a CR before its last characters.
    static func fault(in line: ArraySlice<UInt8>) -> LineFault? {
        guard contains(0, line) || contains(0x0D, line) && isReturnInside(line) else { return nil }
        return LineFault("the line has NUL or CR in it; either it is not text, or its lines do not end with LF")
    }

    /// Whether lines have neither NUL nor CR, so that none needs a look of its own.
    static func areAlone(in lines: ArraySlice<UInt8>) -> Bool { !contains(0, lines) && !contains(0x0D, lines) }

    private static func isReturnInside(_ line: ArraySlice<UInt8>) -> Bool {
        line.reversed().drop { $0 == 0x0D }.contains(0x0D)
    }

    private static func contains(_ byte: UInt8, _ bytes: ArraySlice<UInt8>) -> Bool {
        bytes.withUnsafeBytes { bytes in
            guard let base = bytes.baseAddress else { return false }
            return memchr(base, CInt(byte), bytes.count) != nil
        }
    }
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

    /// The request of a line as it stands in the file; `nil` if it is skipped.
    ///
    /// - Parameter isOneLine: whether the line is known to have neither NUL nor CR inside.
    mutating func parsed(_ line: ArraySlice<UInt8>, isOneLine: Bool = false) throws(LineFault) -> TraceRequest? {
        var bytes = isLog && line.first == 0 ? Self.withoutHole(line) : line
        if !isOneLine, let fault = LineEnds.fault(in: bytes) { throw fault }
        if envelope != .none, let content = envelope.content(of: bytes) { bytes = content }
        if isPassedOver(bytes) || directive(bytes) { return nil }
        if isLog, bytes.isEmpty { throw LineFault("the line is blank") }
        let request = try request(bytes)
        if isLog, request.exchange?.status == 0 { throw LineFault("the request got no response") }
        return request
    }

    /// The line that names the columns.
    ///
    /// - Throws: ``TraceError`` if it holds the lines after it, too.
    static func header(_ line: ArraySlice<UInt8>, _ trace: String, _ number: Int) throws(TraceError) {
        if let fault = LineEnds.fault(in: line) { throw TraceError(trace, .line(number), fault.reason()) }
    }

    /// A line of a log without the NUL bytes before it: they appear when a file is truncated while a program goes on
    /// writing.
    package static func withoutHole(_ line: ArraySlice<UInt8>) -> ArraySlice<UInt8> { line.drop { $0 == 0 } }

    package func isPassedOver(_ line: ArraySlice<UInt8>) -> Bool {
        !isLog && line.allSatisfy { $0 == 0x20 || $0 == 0x09 }
    }

    package var isLog: Bool { false }

    package var envelope: LogEnvelope { .none }

    package mutating func directive(_ line: ArraySlice<UInt8>) -> Bool { false }
}

/// A request of a trace without URLs and HTTP metadata: 24 bytes, instead of a ``TraceRequest``.
package struct PlainRequest: Hashable, Sendable {
    package let id: UInt64
    /// Bytes of the body; −1 if not stated.
    package let size: Int
    /// Seconds since some moment; −∞ if the trace has no times.
    package let time: Double

    package init(id: UInt64, size: Int = -1, time: Double = -.infinity) {
        (self.id, self.size, self.time) = (id, size, time)
    }

    package init(_ request: TraceRequest) {
        self.init(id: request.id, size: request.size ?? -1, time: request.time ?? -.infinity)
    }
}

/// Reads a format whose records all have one length, many at a time.
protocol PlainDecoder: TraceDecoder {
    var input: TraceInput { get }
    static var recordCount: Int { get }
    /// The request of a record, whose bytes are all there.
    static func request(_ record: UnsafeRawPointer) -> PlainRequest
    /// Appends the next requests: as many as are whole in the buffer, up to the block's capacity.
    func read(into block: inout [PlainRequest]) throws(TraceError)
}

extension PlainDecoder {
    // Inlined into each decoder, so that the compiler knows the record's type in the loop.
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

/// What a trace left out and the reader filled in.
package struct TraceGuesses: Hashable, Sendable {
    /// Entries without a time; they get that of the entry before.
    package var times = 0
    /// Entries without a method, taken as GET.
    package var methods = 0
    /// Dates without a zone, taken as UTC.
    package var zones = 0

    package init() {}

    static func + (one: TraceGuesses, other: TraceGuesses) -> TraceGuesses {
        var sum = one
        sum.times += other.times
        sum.methods += other.methods
        sum.zones += other.zones
        return sum
    }

    /// A warning; `nil` if nothing was guessed.
    package var warning: String? {
        let parts = [
            times > 0 ? "\(times) entries without a time have that of the entry before" : nil,
            methods > 0 ? "\(methods) without a method count as GET" : nil,
            zones > 0 ? "\(zones) dates without a zone count as UTC" : nil,
        ].compactMap { $0 }
        return parts.isEmpty ? nil : "the trace is incomplete: \(parts.joined(separator: "; "))"
    }
}
