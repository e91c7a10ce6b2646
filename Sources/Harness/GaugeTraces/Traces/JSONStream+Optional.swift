// Reading documents whose members may be missing or of another type than they should.
extension JSONStream {
    /// Calls `read` with each member of an object, whose value it has to consume; passes over what is no object.
    package mutating func forEachMember(
        _ read: (String, inout JSONStream) throws(TraceError) -> Void
    ) throws(TraceError) {
        guard try kind() == .object else { return try skipValue() }
        try beginObject()
        while let name = try nextMember() { try read(name, &self) }
    }

    /// A string, cut to `limit` bytes; nothing if it is something else, which is passed over.
    package mutating func optionalText(limit: Int) throws(TraceError) -> [UInt8] {
        guard try kind() == .string else {
            try skipValue()
            return []
        }
        return try string(limit: limit).bytes
    }

    /// A number; `nil` if it is something else, which is passed over.
    package mutating func optionalNumber() throws(TraceError) -> Double? {
        guard try kind() == .number else {
            try skipValue()
            return nil
        }
        return try number()
    }
}
