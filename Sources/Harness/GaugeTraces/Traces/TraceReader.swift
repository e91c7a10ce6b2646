/// Reads a trace request by request, in memory bounded by its longest line.
package struct TraceReader {
    /// The trace, as the user named it.
    package let name: String
    /// The format that is read.
    package let format: TraceFormat
    /// Whether the format was not given but recognised by its signature.
    package let isGuessed: Bool
    /// Requests read so far.
    package private(set) var count = 0
    /// Damaged requests that were passed over so far.
    package private(set) var skipped = 0
    /// The first of them.
    package private(set) var firstSkipped: TraceError?
    private let skipsDamaged: Bool
    private let input: TraceInput
    private var decoder: any TraceDecoder

    /// Starts reading.
    ///
    /// - Parameters:
    ///   - input: where the bytes come from.
    ///   - format: what they are; `nil` for the format whose signature they begin with.
    ///   - skipsDamaged: whether to pass over damaged requests and count them.
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

    /// What tells the trace from others; `nil` unless it has been read to its end.
    package var digest: TraceDigest? { input.digest }

    /// What to say of the damaged requests that were passed over, `nil` if there were none.
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
    /// - Throws: ``TraceError`` at damage that is not passed over; nothing is read after it.
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

/// What knows one format.
package protocol TraceDecoder {
    /// The next request, `nil` at the end. After an error that is skippable the damaged request has been consumed.
    ///
    /// - Parameter isTold: whether anybody is told what is wrong with a damaged request; if not, it need not be said.
    mutating func next(isTold: Bool) throws(TraceError) -> TraceRequest?
}

/// What a format of lines has to do: read one.
package protocol LineDecoder: TraceDecoder {
    var input: TraceInput { get }
    /// How many lines have been read.
    var line: Int { get set }
    /// The request of a line.
    ///
    /// - Throws: what is wrong with it.
    mutating func request(_ line: ArraySlice<UInt8>) throws(LineFault) -> TraceRequest
    /// Whether a line is no request and not damaged either. Empty lines are not unless said.
    func isPassedOver(_ line: ArraySlice<UInt8>) -> Bool
}

/// What is wrong with a line.
package struct LineFault: Error {
    /// Says it. Nobody asks about most of what is passed over, or of a line that is only looked at for a signature.
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
