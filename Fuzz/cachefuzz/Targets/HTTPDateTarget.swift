import HTTPAgreement
import HTTPSemantics

extension FuzzTarget {
    /// The input is an HTTP-date, read at several current times.
    ///
    /// Oracle: the reference reads the same. Case changes nothing. A date read, written and read again stays the same.
    /// The two ways of writing agree, and neither writes into too small a buffer. A field with the date reads the same.
    /// Reading is linear in the length.
    static let httpDate = FuzzTarget("http_date") { buffer in
        let bytes = [UInt8](buffer)
        require(.expires(bytes, now: clocks[0]))
        for now in clocks {
            require(.httpDate(bytes, now: now))
            let seconds = requireLinear(bytes.count, rate: 8, "a date") {
                HTTPDate.parse(ContiguousArray(bytes).span.bytes, now: now)
            }
            for recased in [bytes.uppercased, bytes.lowercased] {
                let other = HTTPDate.parse(ContiguousArray(recased).span.bytes, now: now)
                require(other == seconds, "\(bytes.quoted) depends on case: \(seconds as Any), \(other as Any)")
            }
            // The leap second at the end of 9999 is the first time that can't be written.
            guard let seconds, seconds < 253_402_300_800 else { continue }
            require(.httpDate(writing: seconds))
            let text = HTTPDate.format(seconds)
            let written = withUnsafeTemporaryAllocation(byteCount: HTTPDate.formattedCount - 1, alignment: 1) {
                HTTPDate.write(seconds, into: $0)
            }
            require(written == 0, "\(text) is written into \(HTTPDate.formattedCount - 1) bytes")
            require(HTTPDate.parse(text, now: now) == seconds, "\(bytes.quoted) is \(seconds), but written \(text)")
        }
    }

    /// 2026, the ends of centuries, a leap day, and the bounds of Int64.
    private static let clocks: [Int64] = [
        1_795_219_200, 0, 946_684_799, 946_684_800, 1_835_395_200, 4_102_444_799, 253_402_300_799, .min, .max,
    ]
}
