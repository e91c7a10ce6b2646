import GaugeKit

extension FuzzTarget {
    /// The first byte chooses the format, the second the length of pieces; the rest is a trace.
    ///
    /// Oracle: whole and in pieces it reads the same, errors included; what is passed over changes nothing of the rest;
    /// what was read, written by ``TraceWriter`` in the same format, is read again as what it was; a format that is
    /// guessed is one by whose name it reads the same; the reader moves no more bytes than there are, and takes work linear
    /// in the length.
    static let traceReader = FuzzTarget("trace_reader") { buffer in
        guard buffer.count >= 2 else { return }
        let chosen = TraceFormat.allCases[Int(buffer[0]) % TraceFormat.allCases.count]
        let bytes = [UInt8](buffer[2...])
        let whole = TraceReading(bytes, chosen)
        let lenient = requireLinear(bytes.count, rate: 200, "a trace") {
            TraceReading(bytes, chosen, skipsDamaged: true)
        }
        for (reading, skipsDamaged) in [(whole, false), (lenient, true)] {
            let pieces = TraceReading(bytes, chosen, pieces: max(1, Int(buffer[1])), skipsDamaged: skipsDamaged)
            require(pieces == reading, "\(chosen) in pieces: \(pieces), whole: \(reading)")
            require(pieces.movedBytes <= bytes.count, "\(pieces.movedBytes) bytes moved to read \(bytes.count)")
        }
        require(
            lenient.requests.starts(with: whole.requests), "\(chosen): passing over damage changes what is before it")
        require(
            whole.error != nil || (lenient == whole && lenient.skipped == 0),
            "\(chosen): something is passed over where nothing is damaged")
        require(lenient.requests.count + lenient.skipped <= bytes.count, "\(chosen): more requests than bytes")

        let guessed = TraceReading(bytes, nil)
        if let format = guessed.format {
            require(
                guessed == (format == chosen ? whole : TraceReading(bytes, format)),
                "guessed to be \(format), but reads otherwise as it")
        }
        if let (text, expected) = TraceWriter.write(lenient.requests, chosen) {
            let again = TraceReading(text, chosen)
            require(
                again.error == nil && again.requests == expected,
                "\(chosen): \(expected), written as \(text.quoted), is read as \(again)")
        }
    }
}

/// What reading a trace came to.
struct TraceReading: Equatable, CustomStringConvertible {
    private(set) var requests: [TraceRequest] = []
    private(set) var error: TraceError?
    private(set) var skipped = 0
    private(set) var firstSkipped: TraceError?
    /// `nil` where it was not recognised.
    private(set) var format: TraceFormat?
    private(set) var movedBytes = 0

    init(_ bytes: [UInt8], _ format: TraceFormat?, pieces: Int = 0, skipsDamaged: Bool = false) {
        let input = Self.input(bytes, pieces: pieces)
        defer { movedBytes = input.movedBytes }
        do throws(TraceError) {
            var reader = try TraceReader(input, format: format, skipsDamaged: skipsDamaged)
            self.format = reader.format
            defer { (skipped, firstSkipped) = (reader.skipped, reader.firstSkipped) }
            while let request = try reader.next() { requests.append(request) }
        } catch {
            self.error = error
        }
    }

    /// Bytes that come a few at a time; all at once for 0.
    private static func input(_ bytes: [UInt8], pieces: Int) -> TraceInput {
        guard pieces > 0 else { return TraceInput(name: "input", bytes: bytes) }
        var rest = bytes[...]
        // So little room that bytes have to move to make some.
        return TraceInput(name: "input", room: 32) { room in
            let piece = rest.prefix(min(pieces, room.count))
            room.copyBytes(from: piece)
            rest = rest.dropFirst(piece.count)
            return piece.count
        }
    }

    static func == (one: Self, other: Self) -> Bool {
        one.requests == other.requests && one.error == other.error && one.skipped == other.skipped
            && one.firstSkipped == other.firstSkipped
    }

    var description: String {
        "\(requests.suffix(3)) (\(requests.count)), \(skipped) passed over, \(error?.description ?? "no error")"
    }
}
