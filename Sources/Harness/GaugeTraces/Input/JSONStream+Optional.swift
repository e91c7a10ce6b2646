// Reading documents whose members may be missing or of an unexpected type.
extension JSONStream {
    /// Calls `read` with each member of an object; `read` must consume the value. Any other value is skipped.
    package mutating func forEachMember(
        _ read: (String, inout JSONStream) throws(TraceError) -> Void
    ) throws(TraceError) {
        guard try kind() == .object else { return try skipValue() }
        try beginObject()
        while let name = try nextMember() { try read(name, &self) }
    }

    /// A string, cut to `limit` bytes; empty if the value has another type, which is skipped.
    package mutating func optionalText(limit: Int) throws(TraceError) -> [UInt8] {
        guard try kind() == .string else {
            try skipValue()
            return []
        }
        return try string(limit: limit).bytes
    }

    /// The text of a string or number, at most 64 KiB; empty if the value has another type, which is skipped.
    package mutating func optionalScalar() throws(TraceError) -> [UInt8] {
        switch try kind() {
        case .string: return try string(limit: Self.longestText).bytes
        case .number: return try numberText(limit: 400)
        default:
            try skipValue()
            return []
        }
    }

    /// A number, or the number in a text of at most 64 bytes; `nil` if the value is something else, which is skipped.
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

    /// A number; `nil` if the value has another type, which is skipped.
    package mutating func optionalNumber() throws(TraceError) -> Double? {
        guard try kind() == .number else {
            try skipValue()
            return nil
        }
        return try number()
    }
}
