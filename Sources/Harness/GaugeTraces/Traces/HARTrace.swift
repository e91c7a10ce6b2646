/// An HTTP archive (HAR 1.2), read entry by entry, in the order of the times when the requests were sent. The file is never
/// held as a whole: the bodies in it are skipped, and entries wait in a buffer of 65,536 requests or 64 MiB of header
/// fields until no earlier one is expected.
///
/// Entries without URL, method or response, or with a status of 0 or below, are noise.
///
/// Reads URL, method, status, header fields, size and time of an entry, in any order; all else is skipped. The size is
/// that of the decoded body (`content.size`), which a cache above the transport stores, else `bodySize`.
package struct HARTrace: TraceDecoder {
    /// The number of bytes kept of a URL, of a field's name and of a field's value.
    package static let longestText = 1 << 16
    /// The number of fields kept of a message; `mostFieldBytes` is their total size.
    package static let mostFields = 1_000
    package static let mostFieldBytes = 1 << 18

    private var json: JSONStream
    /// Whether the reader has reached the entries, or the end.
    private var isInEntries = false
    private var isAtEnd = false
    private var entry = 0
    private var waiting = TimeOrder()

    /// Whether a trace begins with an object whose first member is `log`.
    package static func hasSignature(_ beginning: ArraySlice<UInt8>) -> Bool {
        let text = beginning.lazy.filter { $0 != 0x20 && $0 != 0x09 && $0 != 0x0A && $0 != 0x0D }
        return text.starts(with: "{\"log\":{".utf8)
    }

    package init(_ input: TraceInput) { json = JSONStream(input) }

    package mutating func next(isTold: Bool) throws(TraceError) -> TraceRequest? {
        while !waiting.isFull, let request = try nextOfFile() { waiting.insert(request) }
        return waiting.removeFirst()
    }

    /// The next request in the order of the file.
    private mutating func nextOfFile() throws(TraceError) -> TraceRequest? {
        guard !isAtEnd else { return nil }
        do throws(TraceError) {
            if !isInEntries {
                guard try findEntries() else { return try end() }
            }
            guard try json.nextElement() else { return try end() }
        } catch {
            return try endAfter(error)
        }
        entry += 1
        var exchange = HAREntry(number: entry)
        let offset = json.input.offset
        do throws(TraceError) {
            try exchange.read(&json)
        } catch {
            return try endAfter(error)
        }
        do throws(LineFault) {
            return try exchange.request()
        } catch {
            throw TraceError(
                json.input.name, .offset(offset), "entry \(entry): \(error.reason())", isSkippable: true,
                isNoise: exchange.absence != nil)
        }
    }

    /// Ends the trace, since reading cannot resume after damaged JSON. An interruption ends it without damage, wherever it
    /// stands.
    private mutating func endAfter(_ error: TraceError) throws(TraceError) -> TraceRequest? {
        isAtEnd = true
        guard json.input.isCutShort else { throw error }
        return nil
    }

    /// Enters `log.entries`.
    ///
    /// - Returns: `false` if there are no entries; the whole trace has then been read.
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
}
