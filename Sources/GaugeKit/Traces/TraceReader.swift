/// Reads a trace request by request, in memory bounded by its longest line.
public struct TraceReader {
    /// The format that is read.
    public let format: TraceFormat
    /// Whether the format was not given but recognised by its signature.
    public let isGuessed: Bool
    /// Requests read so far.
    public private(set) var count = 0
    private var decoder: any TraceDecoder

    /// Starts reading.
    ///
    /// - Parameters:
    ///   - input: where the bytes come from.
    ///   - format: what they are; `nil` for the format whose signature they begin with.
    /// - Throws: ``TraceError`` when the format is not recognised, or the header is damaged.
    public init(_ input: TraceInput, format: TraceFormat? = nil) throws(TraceError) {
        isGuessed = format == nil
        let format = if let format { format } else { try TraceFormat.guess(input) }
        self.format = format
        switch format {
        case .be32: decoder = BE32Trace(input)
        case .csv: decoder = try CSVTrace(input)
        }
    }

    /// The next request.
    ///
    /// - Returns: `nil` at the end of the trace.
    /// - Throws: ``TraceError`` at damage; nothing can be read after it.
    public mutating func next() throws(TraceError) -> TraceRequest? {
        guard let request = try decoder.next() else { return nil }
        count += 1
        return request
    }
}

/// What knows one format.
protocol TraceDecoder {
    /// The next request, `nil` at the end.
    mutating func next() throws(TraceError) -> TraceRequest?
}
