import GaugeSupport

/// Reads a JSON document (RFC 8259) that somebody wrote by hand and that may be hostile, as a tree of the values of a
/// ``JSONStream``.
///
/// It is stricter than the stream: text must be valid UTF-8 with surrogates in pairs, a number must fit into a
/// `Double`, and the bounds below hold. A duplicate name in an object is an error, since readers differ in which value
/// they take. Errors name line and column. Time is linear in the text.
package struct JSONReader {
    /// The default limit of a document, bytes. One passed to a child process has to fit into an argument of 128 KiB.
    package static let longestDocument = 1 << 16
    /// The deepest nesting of lists and objects.
    package static let deepest = 16
    /// The longest text or name, bytes of UTF-8.
    package static let longestText = 4_096
    /// The longest number, bytes as written.
    package static let longestNumber = 64

    private let bytes: [UInt8]
    private var json: JSONStream
    /// A byte and its place, from which later places are counted.
    private var placed = 0
    private var place = JSONPlace()

    private init(_ document: [UInt8]) {
        // Some editors begin a file with the mark of UTF-8.
        bytes = document.starts(with: [0xEF, 0xBB, 0xBF]) ? Array(document.dropFirst(3)) : document
        json = JSONStream(TraceInput(name: "", bytes: bytes), deepest: Self.deepest, refusesHalfPairs: true)
    }

    /// Reads a whole document.
    ///
    /// - Parameter longest: the longest document that is accepted, bytes.
    package static func read(
        _ bytes: [UInt8], atMost longest: Int = JSONReader.longestDocument
    ) throws(JSONError) -> JSONNode {
        guard bytes.count <= longest else {
            let reason = "the document has \(bytes.count) bytes; at most \(longest) are taken"
            throw JSONError(place: JSONPlace(), reason: reason)
        }
        var reader = JSONReader(bytes)
        do throws(TraceError) {
            let node = try reader.value()
            try reader.json.end()
            return node
        } catch {
            var offset = 0
            if case .offset(let wrong) = error.place { offset = wrong }
            throw JSONError(place: reader.place(of: offset), reason: error.reason)
        }
    }

    private mutating func value() throws(TraceError) -> JSONNode {
        let kind = try json.kind()
        let place = place(of: json.input.offset)
        let value: JSONNode.Value =
            switch kind {
            case .object: .object(try members())
            case .array: .list(try elements())
            case .string: .text(try text { (json, limit) throws(TraceError) in try json.string(limit: limit) })
            case .number: .number(try number())
            case .word:
                switch try json.word() {
                case "true": .flag(true)
                case "false": .flag(false)
                default: .null
                }
            case .other, .end: throw json.valueExpected()
            }
        return JSONNode(value: value, place: place)
    }

    private mutating func members() throws(TraceError) -> [(name: String, value: JSONNode)] {
        try json.beginObject()
        var members: [(name: String, value: JSONNode)] = []
        var names: Set<String> = []
        while try json.hasMember() {
            _ = try json.kind()
            let start = json.input.offset
            let name = try text { (json, limit) throws(TraceError) in try json.name(limit: limit) { (Array($0), $1) } }
            guard names.insert(name).inserted else {
                throw json.error("'\(name.prefix(80))' appears a second time; keep one of them", at: start)
            }
            members.append((name, try value()))
        }
        return members
    }

    private mutating func elements() throws(TraceError) -> [JSONNode] {
        try json.beginArray()
        var elements: [JSONNode] = []
        while try json.nextElement() { elements.append(try value()) }
        return elements
    }

    private mutating func text(
        _ read: (inout JSONStream, _ limit: Int) throws(TraceError) -> (bytes: [UInt8], isCut: Bool)
    ) throws(TraceError) -> String {
        let start = json.input.offset
        let (bytes, isCut) = try read(&json, Self.longestText)
        guard !isCut else { throw json.error("a text is longer than \(Self.longestText) bytes", at: start) }
        guard let text = String(validating: bytes, as: UTF8.self) else {
            throw json.error("this text is not UTF-8", at: start)
        }
        return text
    }

    private mutating func number() throws(TraceError) -> Double {
        let start = json.input.offset
        let written = try json.numberText(limit: Self.longestNumber + 1)
        guard written.count <= Self.longestNumber else {
            throw json.error("a number is longer than \(Self.longestNumber) bytes", at: start)
        }
        let text = String(decoding: written, as: UTF8.self)
        guard let number = Double(text), number.isFinite else {
            throw json.error("\(text) is too large; write a number that a Double can hold", at: start)
        }
        return number
    }

    /// The place of a byte at or after that of the last call.
    private mutating func place(of offset: Int) -> JSONPlace {
        for byte in bytes[placed..<max(placed, offset)] {
            place.column += 1
            if byte == UInt8(ascii: "\n") { place = JSONPlace(line: place.line + 1, column: 1) }
        }
        placed = max(placed, offset)
        return place
    }
}
