/// An HTTP archive (HAR 1.2), read entry by entry, in the order in which requests were sent. Never held as a whole:
/// bodies are skipped, and entries wait in a buffer of 65,536 requests or 64 MiB of header fields until no earlier one
/// is expected.
///
/// Entries without URL or response, with a status of 0 or below, or of another scheme than http or https are noise. An
/// entry without a time follows the one before it, and one without a method is a GET; both are counted. The archive may
/// be wrapped in a call (JSONP).
///
/// Reads URL, method, status, header fields, size and time of an entry, in any order. The size is that of the decoded
/// body (`content.size`), which a cache above the transport stores, or else `bodySize`.
package struct HARTrace: TraceDecoder {
    private var json: JSONStream
    private var isInEntries = false
    private var isAtEnd = false
    private var entry = 0
    private var waiting = TimeOrder()
    package private(set) var guesses = TraceGuesses()
    /// The time of the last entry with one.
    private var lastTime: Double?
    /// Entries before the first that has a time.
    private var untimed: [TraceRequest] = []
    private var isWrapped = false

    /// Whether a trace begins with an archive: an object with the member `log`, alone or in a call.
    package static func hasSignature(_ beginning: ArraySlice<UInt8>) -> Bool {
        let text = beginning.filter { $0 != 0x20 && $0 != 0x09 && $0 != 0x0A && $0 != 0x0D }[...]
        let document = text.dropFirst(wrapperCount(text) ?? 0)
        guard document.first == UInt8(ascii: "{") else { return false }
        let log = Array("\"log\":{".utf8)
        if document.dropFirst().starts(with: log) { return true }
        guard let place = document.indices.first(where: { document[$0...].starts(with: log) }) else { return false }
        return ["version", "creator", "browser", "pages", "entries", "comment"].contains {
            document[(place + log.count)...].starts(with: "\"\($0)\":".utf8)
        }
    }

    /// Bytes of the call before the document, e.g. `onInputData(`; `nil` if there is none.
    private static func wrapperCount(_ text: ArraySlice<UInt8>) -> Int? {
        let name = text.prefix(128).prefix {
            $0 | 0x20 >= 0x61 && $0 | 0x20 <= 0x7A || $0 >= 0x30 && $0 <= 0x39 || "_$. \t\r\n".utf8.contains($0)
        }
        return text.dropFirst(name.count).first == UInt8(ascii: "(") ? name.count + 1 : nil
    }

    package init(_ input: TraceInput) { json = JSONStream(input) }

    package mutating func next(isTold: Bool) throws(TraceError) -> TraceRequest? {
        while !waiting.isFull, untimed.count < TimeOrder.mostRequests, let request = try nextOfFile() {
            insert(request)
        }
        // If none has a time, they stay in the order of the file.
        if waiting.isEmpty, !untimed.isEmpty { giveTime(0) }
        return waiting.removeFirst()
    }

    /// An entry without a time gets that of the entry before it in the file; the first ones get that of the first entry
    /// with one.
    private mutating func insert(_ request: TraceRequest) {
        guard let time = request.time ?? lastTime else { return untimed.append(request) }
        giveTime(time)
        waiting.insert(request.sent(at: time))
    }

    private mutating func giveTime(_ time: Double) {
        lastTime = time
        for request in untimed { waiting.insert(request.sent(at: time)) }
        untimed = []
    }

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
            let request = try exchange.request()
            guesses = guesses + exchange.guesses
            return request
        } catch {
            throw TraceError(
                json.input.name, .offset(offset), "entry \(entry): \(error.reason())", isSkippable: true,
                isNoise: exchange.absence != nil, isForeign: exchange.isForeign)
        }
    }

    /// Ends the trace, since reading can't resume after damaged JSON. An interruption ends it anywhere without damage.
    /// Before the entries there is nothing to skip the damage for.
    private mutating func endAfter(_ error: TraceError) throws(TraceError) -> TraceRequest? {
        isAtEnd = true
        guard json.input.isCutShort else {
            throw isInEntries ? error : TraceError(error.trace, error.place, error.reason)
        }
        return nil
    }

    /// Enters `log.entries`.
    ///
    /// - Returns: `false` if there are none; the whole trace has then been read.
    private mutating func findEntries() throws(TraceError) -> Bool {
        guard try json.kind() != .end else {
            throw TraceError(json.input.name, .whole, "empty; an HTTP archive is a JSON object with a log in it")
        }
        if let count = Self.wrapperCount(try json.input.peek(256)) {
            json.input.skip(count)
            isWrapped = true
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
        if isWrapped {
            try json.expect(UInt8(ascii: ")"))
            if try json.kind() == .other { _ = try json.take(UInt8(ascii: ";")) }
        }
        try json.end()
        if !isInEntries {
            throw TraceError(
                json.input.name, .whole, "no HTTP archive: an object with log, and in it an array entries, is missing")
        }
        return nil
    }
}

extension TraceRequest {
    /// The same request, sent at `moment`, if the entry has no time.
    fileprivate func sent(at moment: Double) -> TraceRequest {
        guard time == nil else { return self }
        var request = self
        request.time = moment
        request.exchange?.sent = moment
        return request
    }
}

/// Requests waiting for their turn in time: a heap with the earliest on top, and of equal times the first inserted.
struct TimeOrder {
    private var heap: [(time: Double, number: Int, request: TraceRequest)] = []
    private var inserted = 0
    private var fieldBytes = 0

    /// The most waiting requests, and bytes of their header fields and URLs.
    static let mostRequests = 1 << 16
    static let mostBytes = 64 << 20

    /// Whether one has to be taken out before another goes in.
    var isFull: Bool { heap.count >= Self.mostRequests || fieldBytes >= Self.mostBytes }

    var isEmpty: Bool { heap.isEmpty }

    mutating func insert(_ request: TraceRequest) {
        heap.append((request.time ?? -.infinity, inserted, request))
        inserted += 1
        fieldBytes += Self.bytes(of: request)
        var at = heap.count - 1
        while at > 0, isBefore(at, (at - 1) / 2) {
            heap.swapAt(at, (at - 1) / 2)
            at = (at - 1) / 2
        }
    }

    mutating func removeFirst() -> TraceRequest? {
        guard let first = heap.first?.request else { return nil }
        fieldBytes -= Self.bytes(of: first)
        heap.swapAt(0, heap.count - 1)
        heap.removeLast()
        var at = 0
        while 2 * at + 1 < heap.count {
            var child = 2 * at + 1
            if child + 1 < heap.count, isBefore(child + 1, child) { child += 1 }
            guard isBefore(child, at) else { break }
            heap.swapAt(at, child)
            at = child
        }
        return first
    }

    private func isBefore(_ one: Int, _ other: Int) -> Bool {
        (heap[one].time, heap[one].number) < (heap[other].time, heap[other].number)
    }

    private static func bytes(of request: TraceRequest) -> Int {
        let fields = (request.exchange?.requestFields ?? []) + (request.exchange?.responseFields ?? [])
        return fields.reduce(request.url?.utf8.count ?? 0) { $0 + $1.name.count + $1.value.count + 64 }
    }
}
