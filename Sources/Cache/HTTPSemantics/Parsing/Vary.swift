/// The kinds of `Vary` value (RFC 9110, section 12.5.5).
package enum Vary: UInt8, Sendable {
    /// There is no field, or it has no member.
    case nothing
    /// Names of request fields; `VaryNames` goes through them.
    case names
    /// A member is `*`, or not a field name: the response never matches another request.
    case anything

    /// Reads a field value.
    package static func parse(_ bytes: RawSpan) -> Vary {
        bytes.withUnsafeBytes { parse($0) }
    }

    /// Reads all `Vary` lines in `fields`.
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

    /// This line joined with another one.
    func joined(with other: Vary) -> Vary { rawValue > other.rawValue ? self : other }
}

/// Goes through the names of a `Vary` value, as they are written, without allocating.
package struct VaryNames: Sendable {
    private var place = 0
    /// `*`, or something other than a name, was found: nothing more has to be compared.
    package private(set) var isAnything = false

    /// At the start of a value.
    package init() {}

    /// The place of the next name in `bytes`, which must be the same at every call; `nil` after the last.
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
