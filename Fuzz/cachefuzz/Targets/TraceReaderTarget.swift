import GaugeTraces

extension FuzzTarget {
    /// The first byte chooses the format or format detection, the second the length of the pieces; the rest is a trace.
    ///
    /// Oracle: a trace reads the same whole and in pieces, errors included. Skipped lines change nothing in the rest,
    /// and a strict reader refuses them. Requests written by ``TraceWriter`` in the same format are read again
    /// unchanged. Plain lines of an Apache log say what ``LogLineModel`` reads in them. Texts in brackets or quotes are
    /// read as dates like ``DateModel`` does. Given the detected format by
    /// name, the trace reads the same. A request without a body has no size. The reader moves at most as many bytes as
    /// there are, and is linear in the length. The latter, and fewer requests than bytes, isn't required of compressed
    /// traces, whose bytes can stand for any number of others.
    static let traceReader = FuzzTarget("trace_reader", of: .gauge) { buffer in
        guard buffer.count >= 2 else { return }
        var choices: [TraceFormat?] = TraceFormat.allCases
        // Where it was when the seeds were written.
        choices.insert(nil, at: 8)
        let chosen = choices[Int(buffer[0]) % choices.count]
        let bytes = [UInt8](buffer[2...])
        let isCompressed = TraceReading.isCompressed(bytes)
        let lenient =
            isCompressed
            ? TraceReading(bytes, chosen, skipping: .damage)
            // A first line that fits no format is tried with each, whose tables are made once.
            : requireLinear(bytes.count, rate: 400, fixed: 80_000, "a trace") {
                TraceReading(bytes, chosen, skipping: .damage)
            }
        lenient.requireSame(in: bytes, chosen, pieces: max(1, Int(buffer[1])))
        require(
            isCompressed || lenient.requests.count + lenient.ending.skipped <= bytes.count,
            "\(lenient.format as Any): more requests than bytes")
        let sized = lenient.requests.first {
            $0.size != nil && ($0.exchange?.method == "HEAD" || $0.exchange?.status == 304)
        }
        require(sized == nil, "a request without a body has a size: \(sized as Any)")
        checkDates(bytes)
        if lenient.format == .combined { checkLines(bytes) }
        guard let format = lenient.format else { return }
        if let (text, expected) = TraceWriter.write(lenient.requests, format) {
            TraceReading(expected).requireAll(
                in: TraceInput(name: "input", bytes: text), format, "\(format), written as \(text.quoted)")
        }
    }
}

extension FuzzTarget {
    /// Reads the first lines one by one.
    private static func checkLines(_ bytes: [UInt8]) {
        for line in bytes.split(separator: 0x0A, maxSplits: 3).prefix(3).map(Array.init) {
            guard let model = LogLineModel(line) else { continue }
            let reading = TraceReading(line, .combined, skipping: .damage)
            require(
                reading.requests.count == 1 && model.isSame(as: reading.requests[0]),
                "\(line.quoted) says \(model), and is read as \(reading)")
        }
    }

    private static func checkDates(_ bytes: [UInt8]) {
        var places = 0
        for (index, byte) in bytes.enumerated() where byte == UInt8(ascii: "[") || byte == UInt8(ascii: "\"") {
            let end = byte == UInt8(ascii: "[") ? UInt8(ascii: "]") : byte
            // No date is longer.
            let text = bytes[(index + 1)...].prefix(65).prefix { $0 != end }
            guard text.count <= 64, text.count >= 19, places < 16 else { continue }
            places += 1
            let seconds = LogDate.parse(text)
            require(seconds == DateModel.apache(text), "\(Array(text).quoted) is read as \(seconds as Any)")
            for seconds in [LogDate.parseISO8601(text), LogDate.parseWithoutZone(text)].compactMap(\.self) {
                require(seconds == DateModel.yearFirst(text), "\(Array(text).quoted) is read as \(seconds)")
            }
        }
    }
}

struct TraceReading: CustomStringConvertible {
    /// The result apart from the requests.
    struct Ending: Equatable {
        var error: TraceError?
        var skipped = 0
        var firstSkipped: TraceError?
    }

    private(set) var requests: [TraceRequest]
    private(set) var ending = Ending()
    /// The format; `nil` if not recognised.
    private(set) var format: TraceFormat?

    /// The expected result for an undamaged trace.
    fileprivate init(_ requests: [TraceRequest]) { self.requests = requests }

    /// Reads bytes that are all available at once.
    init(_ bytes: [UInt8], _ format: TraceFormat?, skipping: TraceReader.Skipping) {
        requests = []
        do throws(TraceError) {
            let input = TraceInput(name: "input", bytes: bytes)
            var reader = try TraceReader(input, format: format, skipping: skipping)
            self.format = reader.format
            defer { (ending.skipped, ending.firstSkipped) = (reader.skipped, reader.firstSkipped) }
            while let request = try reader.next() {
                if requests.isEmpty { requests.reserveCapacity(8) }
                requests.append(request)
            }
        } catch {
            ending.error = error
        }
    }

    static func isCompressed(_ bytes: [UInt8]) -> Bool {
        bytes.starts(with: [0x1F, 0x8B]) || bytes.starts(with: [0x28, 0xB5, 0x2F, 0xFD])
            || bytes.dropFirst().starts(with: [0x2A, 0x4D, 0x18])
    }

    /// Bytes that arrive a few at a time.
    private final class Pieces {
        private let bytes: [UInt8]
        private let length: Int
        private var place = 0

        init(_ bytes: [UInt8], length: Int) {
            self.bytes = bytes
            self.length = length
        }

        // A buffer so small that bytes have to be moved to make room.
        var input: TraceInput { TraceInput(name: "input", room: 32, source: next) }

        private func next(_ room: UnsafeMutableRawBufferPointer) -> Int {
            let first = place
            let count = min(length, room.count, bytes.count - first)
            bytes.withUnsafeBytes { room.copyMemory(from: UnsafeRawBufferPointer(rebasing: $0[first..<first + count])) }
            place = first + count
            return count
        }
    }

    /// Ends the process unless the same bytes give the same result in pieces, and a strict reader reads no more of
    /// them. This reading skipped damaged lines.
    ///
    /// If nothing is damaged, one reading is both in pieces and strict. A detected format is detected in pieces too,
    /// but then read by name: detection looks so far ahead that the rest wouldn't arrive in pieces anymore.
    ///
    /// Damage in compressed data is noticed sooner or later, depending on the pieces, so damaged traces aren't
    /// compared.
    func requireSame(in bytes: [UInt8], _ chosen: TraceFormat?, pieces length: Int) {
        let isDamaged = ending.skipped > 0
        if Self.isCompressed(bytes), isDamaged || ending.error != nil { return }
        if chosen == nil, let format {
            let input = Pieces(bytes, length: length).input
            let guess = try? TraceReader(input).format
            require(guess == format, "in pieces of \(length) guessed to be \(guess as Any), whole \(format)")
            requireFewMoves(of: bytes, input)
        }
        let format = chosen ?? format
        let input = Pieces(bytes, length: length).input
        requireAll(
            in: input, format, skipping: isDamaged ? .damage : .nothing, "in pieces of \(length), as \(format as Any)")
        requireFewMoves(of: bytes, input)
        guard isDamaged else { return }
        let strict = follow(TraceInput(name: "input", bytes: bytes), format, skipping: .nothing, "strictly").ending
        require(
            strict.error != nil && strict.error == ending.firstSkipped && strict.skipped == 0,
            "strictly: \(strict), passing over damage: \(self)")
    }

    private func requireFewMoves(of bytes: [UInt8], _ input: TraceInput) {
        require(input.movedBytes <= bytes.count, "\(input.movedBytes) bytes moved to read \(bytes.count)")
    }

    fileprivate func requireAll(
        in input: TraceInput, _ format: TraceFormat?, skipping: TraceReader.Skipping = .nothing,
        _ how: @autoclosure () -> String
    ) {
        let (count, ending) = follow(input, format, skipping: skipping, how())
        require(
            count == requests.count && ending == self.ending,
            "\(how()): \(ending) after \(count) requests, expected: \(self)")
    }

    /// Ends the process unless the requests of `input` are the first of this reading. Returns how many.
    private func follow(
        _ input: TraceInput, _ format: TraceFormat?, skipping: TraceReader.Skipping, _ how: @autoclosure () -> String
    ) -> (count: Int, ending: Ending) {
        var count = 0
        var ending = Ending()
        do throws(TraceError) {
            var reader = try TraceReader(input, format: format, skipping: skipping)
            defer { (ending.skipped, ending.firstSkipped) = (reader.skipped, reader.firstSkipped) }
            while let request = try reader.next() {
                require(
                    count < requests.count && requests[count] == request,
                    "\(how()): request \(count) is \(request), expected: \(self)")
                count += 1
            }
        } catch {
            ending.error = error
        }
        return (count, ending)
    }

    var description: String {
        "\(requests.suffix(3)) (\(requests.count)), \(ending.skipped) passed over, "
            + (ending.error?.description ?? "no error")
    }
}
