import GaugeSupport

/// Reads JSON (RFC 8259) value by value. The document may have any length: it is never held as a whole.
///
/// You ask for the values that you expect; all others are skipped, and their syntax checked. Nesting depth and the
/// lengths of kept values are bounded. Time is linear in the text. ``JSONReader`` makes a tree of the values.
package struct JSONStream {
    /// The most bytes kept of a URL, and of a field's name and value.
    package static let longestText = 1 << 16

    package let input: TraceInput
    private let deepest: Int
    let refusesHalfPairs: Bool
    /// The number of open brackets, and a bit for each: whether it's an object's. The lowest bit is the innermost.
    private var depth = 0
    private var objects: UInt64 = 0
    /// Whether the innermost bracket is still empty, so that no comma is expected.
    private var isFirst = true

    /// Starts at the next byte of an input.
    ///
    /// - Parameters:
    ///   - deepest: the deepest nesting of lists and objects, at most 64.
    ///   - refusesHalfPairs: whether an escape of half a surrogate pair is an error; otherwise it becomes U+FFFD.
    package init(_ input: TraceInput, deepest: Int = 64, refusesHalfPairs: Bool = false) {
        self.input = input
        self.deepest = min(deepest, objects.bitWidth)
        self.refusesHalfPairs = refusesHalfPairs
    }

    /// The kind of value that begins at the next byte after whitespace.
    package enum Kind { case object, array, string, number, word, other, end }

    /// The kind of the next value, without consuming it.
    package mutating func kind() throws(TraceError) -> Kind {
        try skipWhitespace()
        guard let byte = try input.peekByte() else { return .end }
        switch byte {
        case UInt8(ascii: "{"): return .object
        case UInt8(ascii: "["): return .array
        case UInt8(ascii: "\""): return .string
        case UInt8(ascii: "-"), 0x30...0x39: return .number
        case UInt8(ascii: "t"), UInt8(ascii: "f"), UInt8(ascii: "n"): return .word
        default: return .other
        }
    }

    /// Enters an object; ``nextMember()`` then reads its members.
    package mutating func beginObject() throws(TraceError) { try begin(UInt8(ascii: "{"), isObject: true) }

    /// Enters an array; ``nextElement()`` then reads its elements.
    package mutating func beginArray() throws(TraceError) { try begin(UInt8(ascii: "["), isObject: false) }

    private mutating func begin(_ bracket: UInt8, isObject: Bool) throws(TraceError) {
        try expect(bracket)
        guard depth < deepest else {
            throw error("lists and objects are nested more than \(deepest) deep", at: input.offset - 1)
        }
        depth += 1
        objects = objects << 1 | (isObject ? 1 : 0)
        isFirst = true
    }

    /// The name of the innermost object's next member, whose value comes next; `nil` at the object's end, which is
    /// consumed.
    ///
    /// - Parameter limit: the number of bytes of the name that are kept; the rest is skipped.
    package mutating func nextMember(limit: Int = 256) throws(TraceError) -> String? {
        guard try hasMember() else { return nil }
        return try name(limit: limit) { name, _ in String(decoding: name, as: UTF8.self) }
    }

    /// Whether the innermost object has another member, whose name comes next. Consumes the object's end.
    package mutating func hasMember() throws(TraceError) -> Bool { try goesOn(to: UInt8(ascii: "}")) }

    package mutating func name<Name>(
        limit: Int, _ made: (_ bytes: ArraySlice<UInt8>, _ isCut: Bool) -> Name
    ) throws(TraceError) -> Name {
        let name = try string(limit: limit, made)
        try expect(UInt8(ascii: ":"))
        return name
    }

    /// Whether the innermost array has another element, which comes next. Consumes the array's end.
    package mutating func nextElement() throws(TraceError) -> Bool { try goesOn(to: UInt8(ascii: "]")) }

    private mutating func goesOn(to bracket: UInt8) throws(TraceError) -> Bool {
        try skipWhitespace()
        if try input.peekByte() == bracket {
            input.skipByte()
            depth -= 1
            objects >>= 1
            isFirst = false
            return false
        }
        if !isFirst { try expect(UInt8(ascii: ",")) }
        isFirst = false
        return true
    }

    package mutating func skipValue() throws(TraceError) {
        let outside = depth
        repeat {
            if depth > outside {
                if objects & 1 == 1 {
                    guard try nextMember(limit: 0) != nil else { continue }
                } else {
                    guard try nextElement() else { continue }
                }
            }
            switch try kind() {
            case .object: try beginObject()
            case .array: try beginArray()
            case .string: _ = try string(limit: 0)
            case .number: _ = try numberText(limit: 0)
            case .word: _ = try word()
            case .other, .end: throw valueExpected()
            }
        } while depth > outside
    }

    /// Checks that nothing but whitespace is left.
    package mutating func end() throws(TraceError) {
        guard try kind() == .end else { throw fault("something follows the document; remove it") }
    }

    package func valueExpected() -> TraceError {
        (try? input.peekByte()) == nil
            ? fault("the document ends where a value is expected")
            : fault("a value is expected here: an object, a list, a text in \"…\", a number, true, false, null")
    }

    /// The error that the text isn't JSON, at an offset or at the next byte.
    package func fault(_ reason: String, at offset: Int? = nil) -> TraceError {
        error("not JSON: \(reason)", at: offset ?? input.offset)
    }

    package func error(_ reason: String, at offset: Int) -> TraceError {
        TraceError(input.name, .offset(offset), reason, isSkippable: true)
    }

    func skipWhitespace() throws(TraceError) {
        while let byte = try input.peekByte(), byte == 0x20 || byte == 0x0A || byte == 0x0D || byte == 0x09 {
            input.skipByte()
        }
    }

    func take(_ byte: UInt8) throws(TraceError) -> Bool {
        guard try input.peekByte() == byte else { return false }
        input.skipByte()
        return true
    }

    func expect(_ byte: UInt8) throws(TraceError) {
        try skipWhitespace()
        guard try input.peekByte() == byte else { throw missing(byte) }
        input.skipByte()
    }

    /// The error that the next byte is another one.
    private func missing(_ byte: UInt8) -> TraceError {
        let expected =
            switch byte {
            case UInt8(ascii: ","): objects & 1 == 1 ? "',' or '}'" : "',' or ']'"
            // A value's kind is known before it is read, a name's isn't.
            case UInt8(ascii: "\""): "a name in \"…\""
            default: "'\(Unicode.Scalar(byte))'"
            }
        let isAtEnd = (try? input.peekByte()) == nil
        return fault(isAtEnd ? "the document ends where \(expected) is expected" : "\(expected) is expected here")
    }
}

// For documents whose members may be missing or of an unexpected type.
extension JSONStream {
    /// Calls `read` with each member of an object; it must consume the value. Any other value is skipped.
    package mutating func forEachMember(
        _ read: (String, inout JSONStream) throws(TraceError) -> Void
    ) throws(TraceError) {
        guard try kind() == .object else { return try skipValue() }
        try beginObject()
        while let name = try nextMember() { try read(name, &self) }
    }

    /// A string, cut to `limit` bytes; empty for another type, which is skipped.
    package mutating func optionalText(limit: Int) throws(TraceError) -> [UInt8] {
        guard try kind() == .string else {
            try skipValue()
            return []
        }
        return try string(limit: limit).bytes
    }

    /// The text of a string or number, at most 64 KiB; empty for another type, which is skipped.
    package mutating func optionalScalar() throws(TraceError) -> [UInt8] {
        switch try kind() {
        case .string: return try string(limit: Self.longestText).bytes
        case .number: return try numberText(limit: 400)
        default:
            try skipValue()
            return []
        }
    }

    /// A number, or one in a text of at most 64 bytes; `nil` for anything else, which is skipped.
    package mutating func looseNumber() throws(TraceError) -> Double? {
        guard try kind() == .string else { return try optionalNumber() }
        let (text, isCut) = try string(limit: 64)
        guard !isCut else { return nil }
        var number = JSONStream(TraceInput(name: "", bytes: text))
        guard (try? number.kind()) == .number, let value = try? number.number(), (try? number.kind()) == .end else {
            return nil
        }
        return value
    }

    /// A number; `nil` for another type, which is skipped.
    package mutating func optionalNumber() throws(TraceError) -> Double? {
        guard try kind() == .number else {
            try skipValue()
            return nil
        }
        return try number()
    }
}
