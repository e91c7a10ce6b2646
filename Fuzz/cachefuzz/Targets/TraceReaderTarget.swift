import GaugeKit

extension FuzzTarget {
    /// The first byte chooses the format, or that it is guessed, the second the length of pieces; the rest is a trace.
    ///
    /// Oracle: whole and in pieces it reads the same, errors included; what is passed over changes nothing of the rest,
    /// and is what a strict reader refuses; what was read, written by ``TraceWriter`` in the same format, is read again as
    /// what it was; a format that is guessed is one by whose name it reads the same; what has no body has no size; the
    /// reader moves no more bytes than there are, and takes work linear in the length.
    static let traceReader = FuzzTarget("trace_reader", of: .gauge) { buffer in
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
            lenient.requests.count + lenient.ending.skipped <= bytes.count,
            "\(lenient.format as Any): more requests than bytes")
        let sized = lenient.requests.first {
            $0.size != nil && ($0.exchange?.method == "HEAD" || $0.exchange?.status == 304)
        }
        require(sized == nil, "a size is believed of what has no body: \(sized as Any)")
        guard let format = lenient.format else { return }
        if let (text, expected) = TraceWriter.write(lenient.requests, format) {
            TraceReading(expected).requireAll(
                in: TraceInput(name: "input", bytes: text), format, "\(format), written as \(text.quoted)")
        }
    }
}

/// What reading a trace came to.
struct TraceReading: CustomStringConvertible {
    /// What there was beside requests.
    struct Ending: Equatable {
        var error: TraceError?
        var skipped = 0
        var firstSkipped: TraceError?
    }

    private(set) var requests: [TraceRequest]
    private(set) var ending = Ending()
    /// `nil` where it was not recognised.
    private(set) var format: TraceFormat?

    /// What is expected of a trace without damage.
    fileprivate init(_ requests: [TraceRequest]) { self.requests = requests }

    /// Reads bytes that are there all at once.
    init(_ bytes: [UInt8], _ format: TraceFormat?, skipsDamaged: Bool) {
        requests = []
        do throws(TraceError) {
            let input = TraceInput(name: "input", bytes: bytes)
            var reader = try TraceReader(input, format: format, skipsDamaged: skipsDamaged)
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

    /// Bytes that come a few at a time.
    private final class Pieces {
        private let bytes: [UInt8]
        private let length: Int
        private var place = 0

        init(_ bytes: [UInt8], length: Int) {
            self.bytes = bytes
            self.length = length
        }

        // So little room that bytes have to move to make some.
        var input: TraceInput { TraceInput(name: "input", room: 32, source: next) }

        private func next(_ room: UnsafeMutableRawBufferPointer) -> Int {
            let first = place
            let count = min(length, room.count, bytes.count - first)
            bytes.withUnsafeBytes { room.copyMemory(from: UnsafeRawBufferPointer(rebasing: $0[first..<first + count])) }
            place = first + count
            return count
        }
    }

    /// Ends the process unless the same bytes, which this reading passed over the damage of, come to the same in pieces,
    /// and to no more for a strict reader.
    ///
    /// Where nothing is damaged one reading is both: in pieces and strict. A format that was guessed is guessed in pieces
    /// too, but then read by its name: guessing looks so far ahead that the rest would no longer come in pieces.
    func requireSame(in bytes: [UInt8], _ chosen: TraceFormat?, pieces length: Int) {
        let isDamaged = ending.skipped > 0
        if chosen == nil, let format {
            let input = Pieces(bytes, length: length).input
            let guess = try? TraceReader(input).format
            require(guess == format, "in pieces of \(length) guessed to be \(guess as Any), whole \(format)")
            requireFewMoves(of: bytes, input)
        }
        let format = chosen ?? format
        let input = Pieces(bytes, length: length).input
        requireAll(in: input, format, skipsDamaged: isDamaged, "in pieces of \(length), as \(format as Any)")
        requireFewMoves(of: bytes, input)
        guard isDamaged else { return }
        let strict = follow(TraceInput(name: "input", bytes: bytes), format, skipsDamaged: false, "strictly").ending
        require(
            strict.error != nil && strict.error == ending.firstSkipped && strict.skipped == 0,
            "strictly: \(strict), passing over damage: \(self)")
    }

    private func requireFewMoves(of bytes: [UInt8], _ input: TraceInput) {
        require(input.movedBytes <= bytes.count, "\(input.movedBytes) bytes moved to read \(bytes.count)")
    }

    /// Ends the process unless `input` comes to the same as this reading.
    fileprivate func requireAll(
        in input: TraceInput, _ format: TraceFormat?, skipsDamaged: Bool = false, _ how: @autoclosure () -> String
    ) {
        let (count, ending) = follow(input, format, skipsDamaged: skipsDamaged, how())
        require(
            count == requests.count && ending == self.ending,
            "\(how()): \(ending) after \(count) requests, expected: \(self)")
    }

    /// Ends the process unless the requests of `input` are the first of this reading, and says how many they are.
    private func follow(
        _ input: TraceInput, _ format: TraceFormat?, skipsDamaged: Bool, _ how: @autoclosure () -> String
    ) -> (count: Int, ending: Ending) {
        var count = 0
        var ending = Ending()
        do throws(TraceError) {
            var reader = try TraceReader(input, format: format, skipsDamaged: skipsDamaged)
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
