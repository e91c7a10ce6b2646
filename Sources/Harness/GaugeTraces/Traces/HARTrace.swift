/// An HTTP archive (HAR 1.2), entry by entry as they stand in the file, which is never held as a whole: bodies in it are
/// passed over.
///
/// An entry's URL, method, status, header fields, size and time are read, in any order; all else is passed over. The
/// size is that of the decoded body (`content.size`), which is what a cache above the transport stores, else `bodySize`.
/// A 304 stands for the response that it confirms.
package struct HARTrace: TraceDecoder {
    /// Bytes of a URL, a field's name or a field's value that are kept.
    package static let longestText = 1 << 16
    /// Fields of a message that are kept, and bytes of all of them.
    package static let mostFields = 1_000
    package static let mostFieldBytes = 1 << 18

    private var json: JSONStream
    /// What has been read up to: the entries, or the end.
    private var isInEntries = false
    private var isAtEnd = false
    private var entry = 0

    /// Whether a trace begins with an object whose first member is `log`.
    package static func hasSignature(_ beginning: ArraySlice<UInt8>) -> Bool {
        let text = withoutByteOrderMark(beginning).lazy.filter { $0 != 0x20 && $0 != 0x09 && $0 != 0x0A && $0 != 0x0D }
        return text.starts(with: "{\"log\":{".utf8)
    }

    package init(_ input: TraceInput) throws(TraceError) {
        let beginning = try input.peek(3)
        input.skip(beginning.count - Self.withoutByteOrderMark(beginning).count)
        json = JSONStream(input)
    }

    package mutating func next(isTold: Bool) throws(TraceError) -> TraceRequest? {
        guard !isAtEnd else { return nil }
        do throws(TraceError) {
            if !isInEntries {
                guard try findEntries() else { return try end() }
            }
            guard try json.nextElement() else { return try end() }
        } catch {
            // JSON cannot be taken up again after damage.
            isAtEnd = true
            throw error
        }
        entry += 1
        var exchange = HAREntry(number: entry)
        let offset = json.input.offset
        do throws(TraceError) {
            try exchange.read(&json)
        } catch {
            isAtEnd = true
            throw error
        }
        do throws(LineFault) {
            return try exchange.request()
        } catch {
            throw TraceError(
                json.input.name, .offset(offset), "entry \(entry): \(error.reason())", isSkippable: true)
        }
    }

    /// Enters `log.entries`.
    ///
    /// - Returns: `false` if there are none, and all has been read.
    private mutating func findEntries() throws(TraceError) -> Bool {
        guard try json.kind() != .end else {
            throw TraceError(json.input.name, .whole, "empty; an HTTP archive is a JSON object with a log in it")
        }
        try json.beginObject()
        while let name = try json.nextMember() {
            guard name == "log", try json.kind() == .object else {
                try json.skipValue()
                continue
            }
            try json.beginObject()
            while let name = try json.nextMember() {
                guard name == "entries", try json.kind() == .array else {
                    try json.skipValue()
                    continue
                }
                try json.beginArray()
                isInEntries = true
                return true
            }
        }
        return false
    }

    /// Checks what follows the entries.
    private mutating func end() throws(TraceError) -> TraceRequest? {
        isAtEnd = true
        if isInEntries {
            while try json.nextMember(limit: 0) != nil { try json.skipValue() }
            while try json.nextMember(limit: 0) != nil { try json.skipValue() }
        }
        try json.end()
        if !isInEntries {
            throw TraceError(
                json.input.name, .whole, "no HTTP archive: an object with log, and in it an array entries, is missing")
        }
        return nil
    }

    private static func withoutByteOrderMark(_ bytes: ArraySlice<UInt8>) -> ArraySlice<UInt8> {
        bytes.starts(with: [0xEF, 0xBB, 0xBF]) ? bytes.dropFirst(3) : bytes
    }
}
