/// Reads a trace request by request, in memory bounded by its longest line.
package struct TraceReader {
    /// The trace, as the user named it.
    package let name: String
    /// The format that is read.
    package let format: TraceFormat
    /// Whether the format was recognised by its signature, and not given.
    package let isGuessed: Bool
    /// Requests read so far.
    package private(set) var count = 0
    /// Lines or entries that hold no request, skipped so far.
    package private(set) var skipped = 0
    /// The first of them.
    package private(set) var firstSkipped: TraceError?
    private let skipping: Skipping
    private let input: TraceInput
    private var decoder: any TraceDecoder
    private let plain: (any PlainDecoder)?

    /// Starts reading.
    ///
    /// - Parameters:
    ///   - input: the source of the bytes.
    ///   - format: the format of the trace; `nil` to recognise it by its signature.
    ///   - skipping: what to skip and count.
    /// - Throws: ``TraceError`` when the format is not recognised, or the header is damaged.
    package init(
        _ input: TraceInput, format: TraceFormat? = nil, skipping: Skipping = .noise
    ) throws(TraceError) {
        name = input.name
        isGuessed = format == nil
        self.skipping = skipping
        do throws(TraceError) {
            let input = try CompressedInput.opened(input)
            let format = if let format { format } else { try TraceFormat.guess(input) }
            decoder = try format.decoder(of: input)
            (self.input, self.format) = (input, format)
        } catch {
            // Nothing can be read after damage to the beginning.
            throw TraceError(error.trace, error.place, error.reason)
        }
        plain = decoder as? any PlainDecoder
    }

    /// Whether requests can be read in blocks.
    package var isPlain: Bool { plain != nil }

    /// Reads requests without URL and HTTP metadata, as many as the buffer has, up to the capacity of the block.
    ///
    /// - Parameter block: replaced; empty where ``next()`` has to be called for the next request, the end or an error.
    package mutating func read(into block: inout [PlainRequest]) throws(TraceError) {
        block.removeAll(keepingCapacity: true)
        guard let plain else { return }
        try plain.read(into: &block)
        count += block.count
    }

    /// Identifies the trace; `nil` unless it has been read to its end.
    package var digest: TraceDigest? { input.digest }

    /// The error of a trace in which no request was found.
    package var noRequest: TraceError {
        guard let firstSkipped else { return TraceError(name, .whole, "holds no request") }
        return TraceError(
            name, .whole,
            "holds no request of the format \(format.rawValue); if it has another, pass --trace-format. The first fault: \(firstSkipped)"
        )
    }

    /// A warning about the lines or entries that were skipped, `nil` if no line was skipped.
    package var skipWarning: String? {
        firstSkipped.map { first in
            skipped == 1
                ? "1 line or entry without a request was skipped: \(first)"
                : "\(skipped) lines or entries without a request were skipped, the first of them: \(first)"
        }
    }

    /// The next request.
    ///
    /// - Returns: `nil` at the end of the trace.
    /// - Throws: ``TraceError`` at what is not to be skipped; nothing is read after it.
    package mutating func next() throws(TraceError) -> TraceRequest? {
        while true {
            do throws(TraceError) {
                guard let request = try decoder.next(isTold: skipping != .damage || skipped == 0) else { return nil }
                // Beside lines with line ends, one without is cut.
                if count > 0, let line = input.openNumber { throw Self.openNumber(name, line) }
                count += 1
                return request
            } catch {
                guard skipping.includes(error) else { throw error }
                if skipped == 0 { firstSkipped = error }
                skipped += 1
            }
        }
    }
}

extension TraceReader {
    private static func openNumber(_ trace: String, _ line: Int) -> TraceError {
        TraceError(
            trace, .line(line),
            "the last line ends in a number without a line end, so the number may be cut; add the line end if it is whole",
            isNoise: true)
    }

    /// The faults that a reader skips and counts, instead of ending at them.
    package enum Skipping: Sendable {
        /// Nothing.
        case nothing
        /// What programs write into their logs beside requests, and a last line that may be cut.
        case noise
        /// Every damaged request.
        case damage

        fileprivate func includes(_ error: TraceError) -> Bool {
            switch self {
            case .nothing: false
            case .noise: error.isNoise
            case .damage: error.isSkippable
            }
        }
    }
}

/// Reads one format.
package protocol TraceDecoder {
    /// The next request, `nil` at the end. After a skippable error, the damaged request has been consumed.
    ///
    /// - Parameter isTold: whether the reason of an error is used; if not, its text may be empty.
    mutating func next(isTold: Bool) throws(TraceError) -> TraceRequest?
}

/// Reads a format that has one request per line.
package protocol LineDecoder: TraceDecoder {
    var input: TraceInput { get }
    /// How many lines have been read.
    var line: Int { get set }
    /// The request of a line.
    ///
    /// - Throws: the fault of the line.
    mutating func request(_ line: ArraySlice<UInt8>) throws(LineFault) -> TraceRequest
    /// Whether a line is neither a request nor damaged, and is skipped. By default, blank lines are, but in logs.
    func isPassedOver(_ line: ArraySlice<UInt8>) -> Bool
    /// Whether the format is a program's log, in which lines that are no requests are ordinary.
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
            guard let bytes = try input.line(number: line) else { return nil }
            if isPassedOver(bytes) { continue }
            do throws(LineFault) {
                if isLog, bytes.isEmpty { throw LineFault("the line is blank") }
                return try request(bytes)
            } catch {
                throw TraceError(
                    input.name, .line(line), isTold ? error.reason() : "", isSkippable: true, isNoise: isLog)
            }
        }
    }

    package func isPassedOver(_ line: ArraySlice<UInt8>) -> Bool {
        !isLog && line.allSatisfy { $0 == 0x20 || $0 == 0x09 }
    }

    package var isLog: Bool { false }
}
