/// Numbers and keys in the text of traces, read strictly: no sign, no space, no exponent.
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

    /// 64 bits that stand for a text: FNV-1a, finished by ``SplitMix64``. Two of a million texts share them with a
    /// probability of 1 in 37 million.
    package static func hash(_ text: some Sequence<UInt8>) -> UInt64 {
        var hash: UInt64 = 0xCBF2_9CE4_8422_2325
        for byte in text { hash = (hash ^ UInt64(byte)) &* 0x0000_0100_0000_01B3 }
        return SplitMix64.mix(hash)
    }
}
