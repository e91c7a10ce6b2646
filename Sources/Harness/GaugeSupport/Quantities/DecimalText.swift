import Platform

/// Reads the numbers and keys of traces strictly: without sign, space or exponent.
package enum DecimalText {
    /// A decimal integer without leading zeros.
    package static func integer(_ text: ArraySlice<UInt8>) -> UInt64? {
        guard let first = text.first, first != UInt8(ascii: "0") || text.count == 1 else { return nil }
        var value: UInt64 = 0
        for byte in text {
            guard byte >= 0x30, byte <= 0x39 else { return nil }
            let (product, overflowed) = value.multipliedReportingOverflow(by: 10)
            let (sum, overflowedToo) = product.addingReportingOverflow(UInt64(byte - 0x30))
            if overflowed || overflowedToo { return nil }
            value = sum
        }
        return value
    }

    /// Digits, with at most one point among or after them.
    package static func number(_ text: ArraySlice<UInt8>) -> Double? {
        guard text.first != UInt8(ascii: "."), text.count <= 40,
            text.allSatisfy({ $0 >= 0x30 && $0 <= 0x39 || $0 == UInt8(ascii: ".") })
        else { return nil }
        return Double(String(decoding: text, as: UTF8.self))
    }

    /// A 64-bit hash of a text: FNV-1a, finished by ``SplitMix64``. The probability that any two of a million texts
    /// collide is 1 in 37 million.
    package static func hash(_ text: some Sequence<UInt8>) -> UInt64 {
        // A loop over a text's bytes through its protocol would take a quarter of the time of reading a log.
        splitMixed(text.withContiguousStorageIfAvailable { fnv1a($0) } ?? fnv1a(text))
    }
}
