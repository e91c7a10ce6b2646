import HTTPReference
import HTTPSemantics

extension Agreement {
    /// Both readings of an HTTP-date.
    ///
    /// - Parameter parse: the reading to be judged.
    package static func httpDate(
        _ bytes: [UInt8], now: Int64,
        by parse: (UnsafeRawBufferPointer, _ now: Int64) -> Int64? = {
            HTTPDate.parse(RawSpan(_unsafeBytes: $0), now: $1)
        }
    ) -> Agreement {
        let fast = bytes.withUnsafeBytes { parse($0, now) }
        let reference = Reference.HTTPDate.parse(bytes, now: now)
        let format = bytes.count == 29 ? "IMF-fixdate" : bytes.count == 24 ? "asctime" : "RFC 850"
        return comparing(fast: fast, reference: reference, valid: reference == nil ? nil : format)
    }

    /// Both ways of writing a time as IMF-fixdate.
    package static func httpDate(writing seconds: Int64) -> Agreement {
        guard let reference = Reference.HTTPDate.format(seconds) else {
            return .agreed("no such year", isValid: false)
        }
        return comparing(fast: Array(HTTPDate.format(seconds).utf8), reference: reference, valid: "written")
    }
}
