/// A number of bytes as users write it: `4MiB`, `512 KB`, `0`. All units are powers of 1024, even KB and MB.
package struct ByteSize: Sendable, Equatable {
    /// The number of bytes, not negative.
    package let bytes: Int

    package init(bytes: Int) { self.bytes = bytes }

    private static let units: [String: Int] = [
        "": 0, "b": 0, "k": 10, "kb": 10, "kib": 10, "m": 20, "mb": 20, "mib": 20, "g": 30, "gb": 30, "gib": 30,
        "t": 40, "tb": 40, "tib": 40,
    ]

    /// Reads a size; throws if it is negative, has an unknown unit or doesn't fit into 63 bits.
    package init(_ text: String) throws(UsageError) {
        let examples = "write a whole number and a unit, as 512KB, 4MiB or 1GiB"
        if text.hasPrefix("-") { throw UsageError("size \(text) is negative; pass 0 to disable the tier") }
        let digits = text.prefix { $0.isASCII && $0.isNumber }
        let unit = text.dropFirst(digits.count).drop { $0 == " " }.lowercased()
        guard !digits.isEmpty else { throw UsageError("size '\(text)' is not a number; \(examples)") }
        guard let shift = Self.units[unit] else { throw UsageError("size '\(text)' has an unknown unit; \(examples)") }
        guard let number = Int(digits), number <= Int.max >> shift else {
            throw UsageError("size '\(text)' is too large; the largest is \(Int.max) bytes")
        }
        bytes = number << shift
    }
}

extension ByteSize: CustomStringConvertible {
    /// In the largest unit that leaves a whole number: `20 MiB`, `1500 B`.
    package var description: String {
        for (unit, shift) in [("GiB", 30), ("MiB", 20), ("KiB", 10)]
        where bytes >= 1 << shift && bytes.trailingZeroBitCount >= shift {
            return "\(bytes >> shift) \(unit)"
        }
        return "\(bytes) B"
    }
}

extension Int {
    /// The sum, or the largest `Int` if it doesn't fit.
    @inlinable
    public func addingClamped(_ other: Int) -> Int {
        let (sum, overflowed) = addingReportingOverflow(other)
        return overflowed ? .max : sum
    }
}
