import GaugeSupport

/// webcachesim's text: `time id size` on each line, whole numbers separated by spaces. The rest of a line (in some
/// traces, features of the object) is ignored.
package struct WebcachesimTrace: LineDecoder {
    package let input: TraceInput
    package var line = 0

    package init(_ input: TraceInput) { self.input = input }

    package func request(_ line: ArraySlice<UInt8>) throws(LineFault) -> TraceRequest {
        var fields = TextFields(line)
        guard let time = fields.next(), let id = fields.next(), let size = fields.next() else {
            throw LineFault("fewer than the three fields of webcachesim: time, id and size")
        }
        guard let seconds = DecimalText.number(time) else {
            throw LineFault("the time \(QuotedText.of(time)) is not a number")
        }
        guard let id = DecimalText.integer(id) else {
            throw LineFault("the id \(QuotedText.of(id)) is not a whole number from 0 to 18446744073709551615")
        }
        guard let size = DecimalText.integer(size).flatMap(Int.init(exactly:)) else {
            throw LineFault("the size \(QuotedText.of(size)) is not a number of bytes")
        }
        return TraceRequest(id: id, size: size, time: seconds)
    }
}
