/// The kinds of `Vary` value (RFC 9110, section 12.5.5).
package enum Vary: UInt8, Sendable {
    /// No field, or none with a member.
    case nothing
    /// Names of request fields; iterate over them with `VaryNames`.
    case names
    /// It contains `*` or something that is not a field name: the response never matches another request.
    case anything

    package static func parse(_ bytes: RawSpan) -> Vary {
        bytes.withUnsafeBytes { parse($0) }
    }

    package static func parse(_ fields: HTTPFields) -> Vary {
        var result = Vary.nothing
        for field in fields.fields where field.name == "Vary" {
            result = result.joined(with: withFieldBytes(of: field.value) { parse($0) })
        }
        return result
    }

    static func parse(_ bytes: UnsafeRawBufferPointer) -> Vary {
        var names = VaryNames()
        var result = Vary.nothing
        while names.next(in: bytes) != nil { result = .names }
        return names.isAnything ? .anything : result
    }

    func joined(with other: Vary) -> Vary { rawValue > other.rawValue ? self : other }
}

/// Iterates over the names of a `Vary` value, as written, without allocating.
package struct VaryNames: Sendable {
    private var place = 0
    /// `*`, or something other than a name, was found: nothing more needs comparing.
    package private(set) var isAnything = false

    package init() {}

    /// Where the next name is, `nil` after the last. Pass the same `bytes` at every call.
    package mutating func next(in bytes: RawSpan) -> FieldRange? {
        bytes.withUnsafeBytes { next(in: $0) }
    }

    mutating func next(in bytes: UnsafeRawBufferPointer) -> FieldRange? {
        guard !isAnything, let member = nextListMember(bytes, from: &place) else { return nil }
        let isStar = member.count == 1 && bytes[member.lowerBound] == UInt8(ascii: "*")
        isAnything = isStar || !member.allSatisfy { isTokenByte(bytes[$0]) }
        return isAnything ? nil : FieldRange(member)
    }
}
