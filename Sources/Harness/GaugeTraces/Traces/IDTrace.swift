import GaugeSupport

/// One id on each line and nothing else, as in libCacheSim's txt and the traces of the LIRS paper. A plain decimal number
/// below 2^64 is its own id; any other text is hashed. Lines with `*` alone, which separate phases in LIRS traces, are
/// skipped.
package struct IDTrace: LineDecoder {
    package let input: TraceInput
    package var line = 0

    package init(_ input: TraceInput) { self.input = input }

    package func request(_ line: ArraySlice<UInt8>) throws(LineFault) -> TraceRequest {
        let id = CSVFields.trimmed(line)
        guard !id.isEmpty else { throw LineFault("the id is empty") }
        guard !id.contains(0), id.count <= 4096 else { throw LineFault("the id is no text of at most 4096 bytes") }
        return TraceRequest(id: DecimalText.integer(id) ?? DecimalText.hash(id))
    }

    package func isPassedOver(_ line: ArraySlice<UInt8>) -> Bool {
        line.isEmpty || CSVFields.trimmed(line).elementsEqual("*".utf8)
    }
}
