/// The kinds of `Vary` value (RFC 9110, section 12.5.5).
package enum Vary: UInt8, Sendable {
    /// No field, or none with a member.
    case nothing
    /// Names of request fields; iterate over them with `VaryNames`.
    case names
    /// It contains `*`, something that is not a field name, or more than `VaryNames` reads: the response never matches
    /// another request.
    case anything

    package static func parse(_ bytes: RawSpan) -> Vary {
        bytes.withUnsafeBytes { parse($0) }
    }

    package static func parse(_ fields: HTTPFields) -> Vary {
        var names = VaryNames()
        for field in fields.fields where field.name == "Vary" {
            withFieldBytes(of: field.value) { names.readLine($0) }
        }
        return names.vary
    }

    static func parse(_ bytes: UnsafeRawBufferPointer) -> Vary {
        var names = VaryNames()
        names.readLine(bytes)
        return names.vary
    }
}

/// Iterates over the names of a `Vary` value, as written, without allocating.
///
/// Each lookup of the URL compares the fields that it names, so there is a limit, which no origin in use comes near.
package struct VaryNames: Sendable {
    /// The most names of all lines together.
    package static let mostNames = 64
    /// The most bytes of all names together.
    package static let mostBytes = 2_048

    private var place = 0
    private var nameCount = 0
    private var byteCount = 0
    /// `*`, something other than a name, or more than the limit was found: nothing more needs comparing.
    package private(set) var isAnything = false

    /// What the names read so far say.
    var vary: Vary { isAnything ? .anything : nameCount > 0 ? .names : .nothing }

    /// Reads the whole of one more line.
    mutating func readLine(_ bytes: UnsafeRawBufferPointer) {
        place = 0
        while next(in: bytes) != nil {}
    }

    package init() {}

    /// Where the next name is, `nil` after the last. Pass the same `bytes` at every call.
    package mutating func next(in bytes: RawSpan) -> FieldRange? {
        bytes.withUnsafeBytes { next(in: $0) }
    }

    mutating func next(in bytes: UnsafeRawBufferPointer) -> FieldRange? {
        guard !isAnything, let member = nextListMember(bytes, from: &place) else { return nil }
        let isStar = member.count == 1 && bytes[member.lowerBound] == UInt8(ascii: "*")
        nameCount += 1
        byteCount += member.count
        isAnything =
            isStar || nameCount > Self.mostNames || byteCount > Self.mostBytes
            || !member.allSatisfy { isTokenByte(bytes[$0]) }
        return isAnything ? nil : FieldRange(member)
    }
}
