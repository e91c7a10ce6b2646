import GaugeSupport

/// One entry of an HTTP archive, filled in as it is read.
package struct HAREntry {
    package let number: Int
    private var started: [UInt8] = []
    private var milliseconds: Double = 0
    /// Milliseconds until the head arrived, from the stated phases; `nil` if none is stated.
    private var headMilliseconds: Double?
    private var method: [UInt8] = []
    private var url: (bytes: [UInt8], isCut: Bool) = ([], false)
    private var hasResponse = false
    private var status: Double?
    /// What was missing in this entry and filled in.
    package private(set) var guesses = TraceGuesses()
    private var contentSize: Double?
    private var bodySize: Double?
    private var isOfBrowserCache = false
    private var requestFields = HARFields()
    private var responseFields = HARFields()

    package init(number: Int) { self.number = number }

    /// Reads the entry's object, with its members in any order. The last of duplicate members counts; members of an
    /// unexpected type are skipped and count as missing.
    package mutating func read(_ json: inout JSONStream) throws(TraceError) {
        try json.forEachMember { (name, json) throws(TraceError) in
            switch name {
            case "startedDateTime": started = try json.optionalScalar()
            case "time": milliseconds = try json.looseNumber() ?? 0
            case "timings": try readTimings(&json)
            case "request": try readRequest(&json)
            case "response": try readResponse(&json)
            // Chrome's, and Safari's name for it.
            case "_fromCache", "_fetchType":
                isOfBrowserCache = ["memory", "disk", "Memory Cache", "Disk Cache"].contains(
                    String(decoding: try json.optionalText(limit: 64), as: UTF8.self))
            default: try json.skipValue()
            }
        }
    }

    private mutating func readRequest(_ json: inout JSONStream) throws(TraceError) {
        try json.forEachMember { (name, json) throws(TraceError) in
            switch name {
            case "method": method = try json.optionalText(limit: 64)
            case "url":
                if try json.kind() == .string {
                    url = try json.string(limit: JSONStream.longestText)
                } else {
                    url = ([], false)
                    try json.skipValue()
                }
            case "headers": requestFields = try HARFields(&json)
            default: try json.skipValue()
            }
        }
    }

    /// The phases up to the first byte of the response. The handshake (`ssl`) is part of `connect`.
    private mutating func readTimings(_ json: inout JSONStream) throws(TraceError) {
        try json.forEachMember { (name, json) throws(TraceError) in
            guard ["blocked", "dns", "connect", "send", "wait"].contains(name) else { return try json.skipValue() }
            if let phase = try json.looseNumber(), phase >= 0 { headMilliseconds = (headMilliseconds ?? 0) + phase }
        }
    }

    private mutating func readResponse(_ json: inout JSONStream) throws(TraceError) {
        hasResponse = try json.kind() != .word
        try json.forEachMember { (name, json) throws(TraceError) in
            switch name {
            case "status": status = try json.looseNumber()
            case "headers": responseFields = try HARFields(&json)
            case "bodySize": bodySize = try json.looseNumber()
            case "content":
                try json.forEachMember { (name, json) throws(TraceError) in
                    if name == "size" { contentSize = try json.looseNumber() } else { try json.skipValue() }
                }
            default: try json.skipValue()
            }
        }
    }

    /// Why the entry holds no answered request: no URL, no response, or a status of 0 or below, as exporters write for
    /// a blocked or cancelled one. `nil` if it holds one.
    package var absence: String? {
        if url.bytes.isEmpty { return "request.url is missing" }
        if isForeign { return "\(QuotedText.of(url.bytes[...])) is not a request of HTTP" }
        guard hasResponse, let status, status > 0 else { return "the request got no response" }
        return nil
    }

    /// Whether the URL has another scheme than http or https: what never was a request of HTTP, such as `data:`,
    /// `blob:`, `chrome-extension:` and WebSockets.
    package var isForeign: Bool {
        guard let mark = url.bytes.firstIndex(of: UInt8(ascii: ":")) else { return false }
        let scheme = String(decoding: url.bytes[..<mark], as: UTF8.self).lowercased()
        let isScheme = scheme.utf8.allSatisfy {
            $0 >= 0x61 && $0 <= 0x7A || $0 >= 0x30 && $0 <= 0x39 || "+-.".utf8.contains($0)
        }
        return isScheme && scheme != "http" && scheme != "https"
    }

    /// The request of the entry. Without a method it is a GET (WebPageTest omits that); it may have no time (Safari
    /// omits it for what came from its memory cache).
    ///
    /// - Throws: the fault of the entry.
    package mutating func request() throws(LineFault) -> TraceRequest {
        if let absence { throw LineFault(absence) }
        let written = try writtenURL()
        let url = String(decoding: written, as: UTF8.self)
        if method.isEmpty {
            method = Array("GET".utf8)
            guesses.methods += 1
        }
        guard let method = String(validating: method, as: UTF8.self),
            method.utf8.allSatisfy({ $0 > 0x20 && $0 < 0x7F })
        else { throw LineFault("request.method is not a method's name") }
        guard let status = status.flatMap({ Int(exactly: $0) }), (1...999).contains(status) else {
            throw LineFault("response.status is not a number from 1 to 999")
        }
        let sent = try sentTime()
        guard milliseconds < 1e12 else { throw LineFault("time is not a number of milliseconds") }
        let head = headMilliseconds.map { min(max(0, $0), 1e12) }
        // Exporters that leave out the total, or write −1, state the phases.
        let total = max(0, milliseconds) > 0 ? milliseconds : head ?? 0
        if let excess = requestFields.excess ?? responseFields.excess { throw LineFault(excess) }
        var request = TraceRequest(
            id: URLIdentity.hash(of: written), url: url, size: size(status: status), time: sent,
            exchange: HTTPExchange(
                method: method, status: status, requestFields: requestFields.fields,
                responseFields: responseFields.fields, sent: sent, duration: total / 1000,
                headDelay: head.map { min($0, total) / 1000 }))
        request.exchange?.isOfBrowserCache = isOfBrowserCache
        return request
    }

    private mutating func sentTime() throws(LineFault) -> Double? {
        guard !started.isEmpty else {
            guesses.times += 1
            return nil
        }
        guard started.count <= 64, let date = LooseDate(started[...]) else {
            let text = QuotedText.of(started[...])
            throw LineFault("startedDateTime \(text) is not of the form 2009-07-24T19:20:30.45+01:00")
        }
        if !date.hasZone { guesses.zones += 1 }
        return date.seconds
    }

    /// The URL in UTF-8, percent-encoded where needed.
    private func writtenURL() throws(LineFault) -> [UInt8] {
        guard !url.isCut else { throw LineFault("request.url is longer than \(JSONStream.longestText) bytes") }
        guard String(validating: url.bytes, as: UTF8.self) != nil else { throw LineFault("request.url is not UTF-8") }
        return TraceURL.encoded(url.bytes[...]) ?? url.bytes
    }

    /// The body's bytes. −1 means unknown; the size of a 304 or a HEAD is ignored, since they have no body.
    private func size(status: Int) -> Int? {
        guard status != 304, !method.elementsEqual("HEAD".utf8) else { return nil }
        for size in [contentSize, bodySize] {
            if let size, size >= 0, let bytes = Int(exactly: size.rounded()) { return bytes }
        }
        return nil
    }
}
