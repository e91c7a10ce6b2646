/// Reads one file of a trace request by request, in memory bounded by its longest line.
struct TraceFile {
    /// The file, as the user named it.
    let name: String
    let layout: TraceLayout
    /// Requests read so far.
    private(set) var count = 0
    /// Skipped lines or entries so far, which hold no request.
    private(set) var skipped = 0
    /// Those of them that were no requests of HTTP.
    private(set) var foreign = 0
    /// The first that was skipped.
    private(set) var firstSkipped: TraceError?
    private let skipping: TraceReader.Skipping
    private let input: TraceInput
    private var decoder: any TraceDecoder
    private let plain: (any PlainDecoder)?

    /// Starts reading.
    ///
    /// - Parameter isPart: whether to skip an empty file.
    /// - Returns: `nil` for an empty part.
    /// - Throws: ``TraceError`` when the format isn't recognised, or the header is damaged.
    init?(
        _ input: TraceInput, format: TraceFormat?, layout: TraceLayout?, skipping: TraceReader.Skipping, isPart: Bool
    ) throws(TraceError) {
        (name, self.skipping) = (input.name, skipping)
        do throws(TraceError) {
            let input = try CompressedInput.opened(input)
            if isPart, try input.peek(1).isEmpty { return nil }
            let layout =
                if let layout { try layout.adapted(to: input) } else { try TraceLayout.guess(input, format: format) }
            decoder = try layout.decoder(of: input)
            (self.input, self.layout) = (input, layout)
        } catch {
            // Nothing can be read after damage at the beginning.
            throw TraceError(error.trace, error.place, error.reason)
        }
        plain = decoder as? any PlainDecoder
    }

    /// Whether requests can be read in blocks.
    var isPlain: Bool { plain != nil }

    /// Reads requests without URL and HTTP metadata: as many as the buffer has, up to the block's capacity.
    ///
    /// - Parameter block: replaced; empty if the next request, the end or an error has to come from ``next()``.
    mutating func read(into block: inout [PlainRequest]) throws(TraceError) {
        block.removeAll(keepingCapacity: true)
        guard let plain else { return }
        try plain.read(into: &block)
        count += block.count
    }

    /// What was missing in the requests so far and filled in.
    var guesses: TraceGuesses { decoder.guesses }

    /// Identifies the file; `nil` unless it was read to its end.
    var digest: TraceDigest? { decoder.isDrained ? input.digest : nil }

    /// The next request.
    ///
    /// - Returns: `nil` at the end of the trace.
    /// - Throws: ``TraceError`` at a fault that isn't skipped; reading ends there.
    mutating func next() throws(TraceError) -> TraceRequest? {
        while true {
            do throws(TraceError) {
                guard let request = try decoder.next(isTold: skipping != .damage || skipped == 0) else { return nil }
                // If other lines have line ends, a line without one is cut.
                if count > 0, let line = input.openNumber { throw Self.openNumber(name, line) }
                count += 1
                return request
            } catch {
                guard skipping.includes(error) else { throw error }
                if skipped == 0 { firstSkipped = error }
                skipped += 1
                if error.isForeign { foreign += 1 }
            }
        }
    }

    private static func openNumber(_ trace: String, _ line: Int) -> TraceError {
        TraceError(
            trace, .line(line),
            "the last line ends in a number without a line end, so the number may be cut; add the line end if it is whole",
            isNoise: true)
    }
}
