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
        guard id.count <= 4096 else { throw LineFault("the id is longer than 4096 bytes") }
        guard id.allSatisfy({ $0 >= 0x20 && $0 != 0x7F || $0 == 0x09 }) else {
            throw LineFault(
                "the id \(QuotedText.of(id)) has control characters; either it is not text, or its lines do not end with LF"
            )
        }
        return TraceRequest(id: DecimalText.integer(id) ?? DecimalText.hash(id))
    }

    package func isPassedOver(_ line: ArraySlice<UInt8>) -> Bool {
        let id = CSVFields.trimmed(line)
        return id.isEmpty || id.elementsEqual("*".utf8)
    }
}
