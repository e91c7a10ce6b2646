// Invariant of the pointers: an object whose class is exactly `HTTPURLResponse` has stored properties of these types at
// the offsets of `KeptProperties`: Swift's runtime says so, by the tables that were made when Foundation was compiled.
// They are written only in an initialiser, before anybody else has the object.

import HTTPSemantics

#if canImport(FoundationNetworking)
@_spi(Reflection) import Swift

/// The properties in which Foundation on Linux keeps what it has read from the fields of a response.
private struct KeptProperties {
    let fields: Int
    let mimeType: Int
    let textEncodingName: Int
    let expectedContentLength: Int

    /// `nil` where this Foundation has other properties.
    static let known = Self()

    private init?() {
        var offsets: [String: Int] = [:]
        // `classType` and `ignoreUnknown`, which the standard library declares as variables, so Swift 6 refuses them.
        let options = _EachFieldOptions(rawValue: 1 << 0 | 1 << 1)
        _forEachField(of: HTTPURLResponse.self, options: options) { name, offset, type, _ in
            offsets["\(String(cString: name)): \(type)"] = offset
            return true
        }
        guard let fields = offsets["_allHeaderFields: Dictionary<String, String>"],
            let mimeType = offsets["mimeType: Optional<String>"],
            let textEncodingName = offsets["textEncodingName: Optional<String>"],
            let expectedContentLength = offsets["expectedContentLength: Int64"]
        else { return nil }
        self.fields = fields
        self.mimeType = mimeType
        self.textEncodingName = textEncodingName
        self.expectedContentLength = expectedContentLength
    }
}

extension HTTPURLResponse {
    /// The fields, by the names that Foundation has given them. `allHeaderFields` converts each name and value and
    /// builds another dictionary on every call: 1 µs for ten fields, as long as all else that a store does.
    ///
    /// `nil` for a subclass, which may have its own fields, and where this Foundation keeps them otherwise.
    var keptFields: [String: String]? {
        guard type(of: self) == HTTPURLResponse.self, let known = KeptProperties.known else { return nil }
        return withExtendedLifetime(self) { place(known.fields, of: [String: String].self).pointee }
    }

    /// A response with these fields, whose names are as Foundation spells them (`CapitalisedName`); of this class and
    /// no other. `nil` for a status that Foundation refuses.
    ///
    /// Foundation's initialiser spells each name anew, and compares all with the three that it reads, at 1 µs for each
    /// field; a `Content-Type` takes 4 µs. So it gets only what is not read here, and the rest is put in afterwards.
    convenience init?(url: URL, statusCode: Int, kept fields: [String: String]) {
        let known = KeptProperties.known
        var parsed = known == nil ? fields : [:]
        var type: PlainContentType?
        var length: Int64?
        for (name, value) in fields where known != nil {
            switch name.utf8.count {
            case 12 where name == "Content-Type":
                type = PlainContentType(value)
                if type == nil { parsed[name] = value }
            case 14 where name == "Content-Length":
                length = value.utf8.allSatisfy { $0 &- UInt8(ascii: "0") < 10 } ? Int64(value) : nil
                if length == nil { parsed[name] = value }
            case 19 where name == "Content-Disposition": parsed[name] = value
            default: break
            }
        }
        self.init(
            url: url, statusCode: statusCode, httpVersion: "HTTP/1.1", headerFields: parsed.isEmpty ? nil : parsed)
        guard let known else { return }
        precondition(Swift.type(of: self) == HTTPURLResponse.self, "a subclass has properties of its own")
        place(known.fields, of: [String: String].self).pointee = fields
        if let length { place(known.expectedContentLength, of: Int64.self).pointee = length }
        if let type {
            place(known.mimeType, of: String?.self).pointee = type.mimeType
            place(known.textEncodingName, of: String?.self).pointee = type.textEncodingName
        }
    }

    private func place<Value>(_ offset: Int, of type: Value.Type) -> UnsafeMutablePointer<Value> {
        (Unmanaged.passUnretained(self).toOpaque() + offset).assumingMemoryBound(to: type)
    }
}

/// A `Content-Type` that everybody reads alike: `type/subtype`, and perhaps a `charset` without quotes.
private struct PlainContentType {
    let mimeType: String
    let textEncodingName: String?

    /// `nil` for any other.
    init?(_ text: String) {
        let bytes = text.utf8
        let end = bytes.firstIndex(of: UInt8(ascii: ";")) ?? bytes.endIndex
        let type = bytes[..<end]
        guard !type.isEmpty, type.allSatisfy({ Self.isPlain($0) || $0 == UInt8(ascii: "/") }) else { return nil }
        mimeType = String(Substring(type)).lowercased()
        guard end < bytes.endIndex else {
            textEncodingName = nil
            return
        }
        var rest = bytes[bytes.index(after: end)...]
        if rest.first == UInt8(ascii: " ") { rest.removeFirst() }
        guard rest.starts(with: "charset=".utf8) else { return nil }
        let name = rest.dropFirst(8)
        guard !name.isEmpty, name.allSatisfy(Self.isPlain) else { return nil }
        textEncodingName = String(Substring(name)).lowercased()
    }

    private static func isPlain(_ byte: UInt8) -> Bool {
        (byte | 0x20) &- UInt8(ascii: "a") < 26 || byte &- UInt8(ascii: "0") < 10 || "-._+".utf8.contains(byte)
    }
}
#else
extension HTTPURLResponse {
    var keptFields: [String: String]? { nil }

    convenience init?(url: URL, statusCode: Int, kept fields: [String: String]) {
        self.init(url: url, statusCode: statusCode, httpVersion: "HTTP/1.1", headerFields: fields)
    }
}
#endif

extension HTTPURLResponse {
    /// The fields, as they were given to an initialiser.
    var namedFields: [String: String]? { keptFields ?? allHeaderFields as? [String: String] }
}

/// The spelling of field names in Foundation's responses.
enum CapitalisedName {
    /// On Linux each part begins with a capital, but in names that begin with `X-` and in `WWW-Authenticate`. Apple's
    /// Foundation is left to itself.
    static func of(_ name: String) -> String {
        #if canImport(FoundationNetworking)
        capitalised(name)
        #else
        name
        #endif
    }

    private static func capitalised(_ name: String) -> String {
        var name = name
        let (isPlain, isRight) = name.withUTF8 { bytes -> (Bool, Bool) in
            if bytes.count > 1, bytes[0] | 0x20 == UInt8(ascii: "x"), bytes[1] == UInt8(ascii: "-") {
                return (true, true)
            }
            var isRight = true
            var isStart = true
            for byte in bytes {
                let isLetter = (byte | 0x20) &- UInt8(ascii: "a") < 26
                guard isLetter || byte == UInt8(ascii: "-") else { return (false, false) }
                if isLetter, isStart != (byte & 0x20 == 0) { isRight = false }
                isStart = !isLetter
            }
            return (true, isRight)
        }
        if isPlain, isRight { return name }
        if HTTPFields.Name(name) == "WWW-Authenticate" { return "WWW-Authenticate" }
        guard isPlain else { return name.capitalized }
        var isStart = true
        return String(
            decoding: name.utf8.map { byte in
                defer { isStart = byte == UInt8(ascii: "-") }
                return byte == UInt8(ascii: "-") ? byte : isStart ? byte & ~0x20 : byte | 0x20
            }, as: UTF8.self)
    }
}
