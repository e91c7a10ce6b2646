/// The header fields of a message of an HTTP archive.
package struct HARFields {
    /// The most fields kept of a message; `mostBytes` is their total size.
    package static let most = 1_000
    package static let mostBytes = 1 << 18

    package private(set) var fields: [HTTPExchange.Field] = []
    /// The limit that the fields exceed, if any.
    package private(set) var excess: String?
    private var byteCount = 0

    package init() {}

    package init(_ json: inout JSONStream) throws(TraceError) {
        guard try json.kind() == .array else {
            try json.skipValue()
            return
        }
        try json.beginArray()
        while try json.nextElement() {
            var name: [UInt8] = []
            var value: [UInt8] = []
            var isCut = false
            try json.forEachMember { (member, json) throws(TraceError) in
                guard member == "name" || member == "value", try json.kind() == .string else {
                    return try json.skipValue()
                }
                let text = try json.string(limit: JSONStream.longestText)
                isCut = isCut || text.isCut
                if member == "name" { name = text.bytes } else { value = text.bytes }
            }
            if isCut { excess = "a header field of more than \(JSONStream.longestText) bytes" }
            add(name, value)
        }
    }

    /// Reads an object whose members are values or lists of them, as in Caddy's logs; others are skipped.
    package init(lists json: inout JSONStream) throws(TraceError) {
        try json.forEachMember { (name, json) throws(TraceError) in
            if try json.kind() == .string {
                let text = try json.string(limit: JSONStream.longestText)
                if text.isCut { excess = "a header field of more than \(JSONStream.longestText) bytes" }
                return add(Array(name.utf8), text.bytes)
            }
            if try json.kind() == .number { return add(Array(name.utf8), try json.numberText(limit: 400)) }
            guard try json.kind() == .array else { return try json.skipValue() }
            try json.beginArray()
            while try json.nextElement() {
                guard try json.kind() == .string else {
                    try json.skipValue()
                    continue
                }
                let text = try json.string(limit: JSONStream.longestText)
                if text.isCut { excess = "a header field of more than \(JSONStream.longestText) bytes" }
                add(Array(name.utf8), text.bytes)
            }
        }
    }

    /// Adds a field. A value of several lines becomes one field per line, as browsers mean it; HTTP/2 names that begin
    /// with a colon aren't fields.
    private mutating func add(_ name: [UInt8], _ value: [UInt8]) {
        guard let first = name.first, first != UInt8(ascii: ":") else { return }
        guard value.contains(0x0A) else { return add(name, line: value[...]) }
        for line in value.split(separator: 0x0A, omittingEmptySubsequences: false) { add(name, line: line) }
    }

    private mutating func add(_ name: [UInt8], line: ArraySlice<UInt8>) {
        byteCount += name.count + line.count
        guard fields.count < Self.most, byteCount <= Self.mostBytes else {
            excess = "more than \(Self.most) header fields or \(Self.mostBytes) bytes of them"
            return
        }
        fields.append(HTTPExchange.Field(name: name, value: Self.trimmed(line)))
    }

    private static func trimmed(_ line: ArraySlice<UInt8>) -> [UInt8] {
        func isSpace(_ byte: UInt8) -> Bool { byte == 0x20 || byte == 0x09 || byte == 0x0D }
        var text = line.drop(while: isSpace)
        while let last = text.last, isSpace(last) { text.removeLast() }
        return Array(text)
    }
}
