/// Reads a JSON document (RFC 8259) that was written by hand and may be hostile. The reader is strict, reports the
/// place of an error, takes time proportional to the length, and keeps the bounds below. A duplicate name in an object
/// is an error, since readers differ in which of the two values they use.
package struct JSONReader {
    /// The default limit of a document, bytes. A document passed to a child process has to fit into an argument of 128
    /// KiB.
    package static let longestDocument = 1 << 16
    /// The deepest nesting of lists and objects.
    package static let deepest = 16
    /// The longest text or name, bytes as written.
    package static let longestText = 4_096
    /// The longest number, bytes as written.
    package static let longestNumber = 64

    package let bytes: [UInt8]
    package var position = 0
    package var place = JSONPlace()
    private var depth = 0
    /// The number of byte accesses, which shows that the work is linear.
    package private(set) var steps = 0

    private init(_ bytes: [UInt8]) { self.bytes = bytes }

    /// Reads a whole document.
    ///
    /// - Parameter longest: the longest document that is accepted, bytes.
    package static func read(
        _ bytes: [UInt8], atMost longest: Int = JSONReader.longestDocument
    ) throws(JSONError) -> JSONNode { try reading(bytes, atMost: longest).node.get() }

    /// Reads a whole document, and returns the number of steps too.
    package static func reading(
        _ bytes: [UInt8], atMost longest: Int = JSONReader.longestDocument
    ) -> (node: Result<JSONNode, JSONError>, steps: Int) {
        guard bytes.count <= longest else {
            let reason = "the document has \(bytes.count) bytes; at most \(longest) are taken"
            return (.failure(JSONError(place: JSONPlace(), reason: reason)), 0)
        }
        var reader = JSONReader(bytes)
        let node = Result { () throws(JSONError) in try reader.document() }
        return (node, reader.steps)
    }

    private mutating func document() throws(JSONError) -> JSONNode {
        skipBlanks()
        let node = try value()
        skipBlanks()
        guard peek() == nil else { throw error("something follows the document; remove it") }
        return node
    }

    private mutating func value() throws(JSONError) -> JSONNode {
        let start = place
        guard let first = peek() else { throw error("the document ends where a value is expected") }
        let value: JSONNode.Value
        switch first {
        case UInt8(ascii: "{"): value = .object(try members())
        case UInt8(ascii: "["): value = .list(try elements())
        case UInt8(ascii: "\""): value = .text(try text())
        case UInt8(ascii: "t"): value = .flag(try word("true", true))
        case UInt8(ascii: "f"): value = .flag(try word("false", false))
        case UInt8(ascii: "n"): value = try word("null", .null)
        case UInt8(ascii: "-"), UInt8(ascii: "0")...UInt8(ascii: "9"): value = .number(try number())
        default:
            throw error("a value is expected here: an object, a list, a text in \"…\", a number, true, false, null")
        }
        return JSONNode(value: value, place: start)
    }

    private mutating func members() throws(JSONError) -> [(name: String, value: JSONNode)] {
        try enter()
        var members: [(name: String, value: JSONNode)] = []
        var names: Set<String> = []
        skipBlanks()
        if takeIf("}") { return leave(members) }
        while true {
            skipBlanks()
            guard peek() == UInt8(ascii: "\"") else { throw error("a name in \"…\" is expected here") }
            let start = place
            let name = try text()
            guard names.insert(name).inserted else {
                throw JSONError(
                    place: start, reason: "'\(name.prefix(80))' appears a second time; keep one of them")
            }
            skipBlanks()
            guard takeIf(":") else { throw error("':' is expected here") }
            skipBlanks()
            members.append((name, try value()))
            skipBlanks()
            if takeIf("}") { return leave(members) }
            guard takeIf(",") else { throw error("',' or '}' is expected here") }
        }
    }

    private mutating func elements() throws(JSONError) -> [JSONNode] {
        try enter()
        var elements: [JSONNode] = []
        skipBlanks()
        if takeIf("]") { return leave(elements) }
        while true {
            skipBlanks()
            elements.append(try value())
            skipBlanks()
            if takeIf("]") { return leave(elements) }
            guard takeIf(",") else { throw error("',' or ']' is expected here") }
        }
    }

    private mutating func enter() throws(JSONError) {
        depth += 1
        guard depth <= Self.deepest else { throw error("lists and objects are nested more than \(Self.deepest) deep") }
        advance()
    }

    private mutating func leave<Content>(_ content: Content) -> Content {
        depth -= 1
        return content
    }

    private mutating func word<Meaning>(_ word: StaticString, _ meaning: Meaning) throws(JSONError) -> Meaning {
        let start = place
        for byte in "\(word)".utf8 {
            guard peek() == byte else { throw JSONError(place: start, reason: "'\(word)' is expected here") }
            advance()
        }
        return meaning
    }
}

extension JSONReader {
    /// The current byte.
    package mutating func peek() -> UInt8? {
        steps += 1
        return position < bytes.count ? bytes[position] : nil
    }

    /// Advances by one byte.
    package mutating func advance() {
        if bytes[position] == UInt8(ascii: "\n") {
            place = JSONPlace(line: place.line + 1, column: 1)
        } else {
            place.column += 1
        }
        position += 1
    }

    /// Consumes a character if it is the current byte.
    package mutating func takeIf(_ character: Unicode.Scalar) -> Bool {
        guard peek() == UInt8(ascii: character) else { return false }
        advance()
        return true
    }

    package mutating func skipBlanks() {
        while let byte = peek(), byte == 0x20 || byte == 0x0A || byte == 0x0D || byte == 0x09 { advance() }
    }

    package func error(_ reason: String) -> JSONError { JSONError(place: place, reason: reason) }
}
