import GaugeKit

extension FuzzTarget {
    /// The first byte chooses the format, or that it is guessed, the second the length of pieces; the rest is a trace.
    ///
    /// Oracle: whole and in pieces it reads the same, errors included; what is passed over changes nothing of the rest,
    /// and is what a strict reader refuses; what was read, written by ``TraceWriter`` in the same format, is read again as
    /// what it was; a format that is guessed is one by whose name it reads the same; what has no body has no size; the
    /// reader moves no more bytes than there are, and takes work linear in the length.
    static let traceReader = FuzzTarget("trace_reader") { buffer in
        guard buffer.count >= 2 else { return }
        let formats = TraceFormat.allCases
        let choice = Int(buffer[0]) % (formats.count + 1)
        let chosen = choice < formats.count ? formats[choice] : nil
        let bytes = [UInt8](buffer[2...])
        let lenient = requireLinear(bytes.count, rate: 100, "a trace") {
            TraceReading(bytes, chosen, skipsDamaged: true)
        }
        lenient.requireSame(in: bytes, chosen, pieces: max(1, Int(buffer[1])))
        require(
            lenient.requests.count + lenient.skipped <= bytes.count,
            "\(lenient.format as Any): more requests than bytes")
        let sized = lenient.requests.first {
            $0.size != nil && ($0.exchange?.method == "HEAD" || $0.exchange?.status == 304)
        }
        require(sized == nil, "a size is believed of what has no body: \(sized as Any)")
        guard let format = lenient.format else { return }
        if chosen == nil {
            let named = TraceReading(bytes, format, skipsDamaged: true)
            require(named == lenient, "guessed to be \(format), but reads otherwise as it: \(named), \(lenient)")
        }
        if let (text, expected) = TraceWriter.write(lenient.requests, format) {
            let again = TraceReading(text, format)
            require(
                again.error == nil && again.requests == expected,
                "\(format): \(expected), written as \(text.quoted), is read as \(again)")
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
        var place = 0
        // So little room that bytes have to move to make some.
        return TraceInput(name: "input", room: 32) { room in
            let count = min(pieces, room.count, bytes.count - place)
            bytes.withUnsafeBytes { room.copyMemory(from: UnsafeRawBufferPointer(rebasing: $0[place..<place + count])) }
            place += count
            return count
        }
    }

    /// Ends the process unless the same bytes, which this reading passed over the damage of, come to the same in pieces,
    /// and to no more for a strict reader.
    ///
    /// Where nothing is damaged one reading is both: in pieces and strict.
    func requireSame(in bytes: [UInt8], _ format: TraceFormat?, pieces length: Int) {
        let isDamaged = skipped > 0
        let pieces = TraceReading(bytes, format, pieces: length, skipsDamaged: isDamaged)
        require(pieces == self, "in pieces of \(length): \(pieces), whole: \(self)")
        require(pieces.movedBytes <= bytes.count, "\(pieces.movedBytes) bytes moved to read \(bytes.count)")
        guard isDamaged else { return }
        let strict = TraceReading(bytes, format)
        require(
            strict.error != nil && strict.error == firstSkipped && strict.skipped == 0
                && requests.starts(with: strict.requests),
            "strictly: \(strict), passing over damage: \(self)")
    }

    static func == (one: Self, other: Self) -> Bool {
        one.requests == other.requests && one.error == other.error && one.skipped == other.skipped
            && one.firstSkipped == other.firstSkipped
    }

    var description: String {
        "\(requests.suffix(3)) (\(requests.count)), \(skipped) passed over, \(error?.description ?? "no error")"
    }
}
