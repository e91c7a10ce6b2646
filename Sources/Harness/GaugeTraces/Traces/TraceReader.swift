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
    /// Damaged requests skipped so far.
    package private(set) var skipped = 0
    /// The first of them.
    package private(set) var firstSkipped: TraceError?
    private let skipsDamaged: Bool
    private let input: TraceInput
    private var decoder: any TraceDecoder

    /// Starts reading.
    ///
    /// - Parameters:
    ///   - input: the source of the bytes.
    ///   - format: the format of the trace; `nil` to recognise it by its signature.
    ///   - skipsDamaged: whether to skip and count damaged requests.
    /// - Throws: ``TraceError`` when the format is not recognised, or the header is damaged.
    package init(
        _ input: TraceInput, format: TraceFormat? = nil, skipsDamaged: Bool = false
    ) throws(TraceError) {
        name = input.name
        self.input = input
        isGuessed = format == nil
        let format = if let format { format } else { try TraceFormat.guess(input) }
        self.format = format
        self.skipsDamaged = skipsDamaged
        decoder = try format.decoder(of: input)
    }

    /// Identifies the trace; `nil` unless it has been read to its end.
    package var digest: TraceDigest? { input.digest }

    /// A warning about the damaged requests that were skipped, `nil` if there were no such requests.
    package var skipWarning: String? {
        firstSkipped.map { first in
            skipped == 1
                ? "1 damaged request was passed over: \(first)"
                : "\(skipped) damaged requests were passed over, the first of them: \(first)"
        }
    }

    /// The next request.
    ///
    /// - Returns: `nil` at the end of the trace.
    /// - Throws: ``TraceError`` at damage that is not skipped; nothing is read after it.
    package mutating func next() throws(TraceError) -> TraceRequest? {
        while true {
            do throws(TraceError) {
                guard let request = try decoder.next(isTold: !skipsDamaged || skipped == 0) else { return nil }
                count += 1
                return request
            } catch {
                guard skipsDamaged, error.isSkippable else { throw error }
                if skipped == 0 { firstSkipped = error }
                skipped += 1
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
    /// Whether a line is neither a request nor damaged, and is skipped. By default, empty lines are.
    func isPassedOver(_ line: ArraySlice<UInt8>) -> Bool
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
                return try request(bytes)
            } catch {
                throw TraceError(input.name, .line(line), isTold ? error.reason() : "", isSkippable: true)
            }
        }
    }

    package func isPassedOver(_ line: ArraySlice<UInt8>) -> Bool { line.isEmpty }
}
