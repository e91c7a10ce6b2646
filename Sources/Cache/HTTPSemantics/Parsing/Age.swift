/// The `Age` field: seconds since the origin made or confirmed the response (RFC 9111, section 5.1).
package enum Age {
    /// The first member of the value, which should have only one: decimal digits, clamped to 2^31 seconds.
    ///
    /// - Returns: `DeltaSeconds.invalid` for anything else, which a cache ignores.
    package static func parse(_ bytes: RawSpan) -> DeltaSeconds {
        bytes.withUnsafeBytes { parse($0) }
    }

    /// The first member of all `Age` lines in `fields`.
    package static func parse(_ fields: HTTPFields) -> DeltaSeconds {
        fields["Age"].map { withFieldBytes(of: $0) { parse($0) } } ?? .absent
    }

    static func parse(_ bytes: UnsafeRawBufferPointer) -> DeltaSeconds {
        var place = 0
        guard let first = nextListMember(bytes, from: &place) else { return .invalid }
        return clampedDecimal(bytes, first).map { .seconds($0) } ?? .invalid
    }
}
