import GaugeSupport

/// The layout of a text log's lines: fixed texts, with the members of a request between them. Compiled from a format in
/// the specifiers of GoAccess, Apache or nginx, see ``LogPatternReader``.
///
/// A member ends where the text after it begins; in quotes, a backslash makes the next character part of it. Once
/// everything that a request needs has been read, the rest of a line may differ.
package struct LogPattern: Hashable, Sendable {
    /// The most bytes of a log format, and of field names.
    package static let longestFormat = 4096

    enum Part: Hashable, Sendable {
        /// Exactly this text, except that a space stands for any number of spaces and tabs.
        case text([UInt8])
        case member(LogMember)
        case skipped
    }

    /// The name on the command line, or the given format.
    package let name: String
    let parts: [Part]
    /// How many parts a request needs, from the first.
    private let needed: Int
    let absent: Set<LogMember>
    /// What sizes count, if the log doesn't tell.
    let counted: CountedBytes

    init(name: String, parts: [Part], counted: CountedBytes = .unknown) {
        (self.name, self.parts, self.counted) = (name, parts, counted)
        let members = Set(parts.compactMap(Self.member))
        needed = (parts.lastIndex { Self.member($0).map { $0 != .duration } ?? false } ?? -1) + 1
        let hasLine = members.contains(.line)
        absent = Set([.method, .status].filter { !members.contains($0) && !(hasLine && $0 == .method) })
            .union(members.isDisjoint(with: [.time, .date]) ? [.time] : [])
    }

    /// Whether the pattern can tell objects apart.
    var namesObjects: Bool { parts.contains(.member(.url)) || parts.contains(.member(.line)) }

    /// Reads a line as far as the pattern fits.
    ///
    /// - Returns: the members read, and what doesn't fit, if anything.
    func record(_ line: ArraySlice<UInt8>) -> (record: LogRecord, fault: LineFault?) {
        var record = LogRecord()
        record.absent = absent
        var rest = line
        for (place, part) in parts.enumerated() {
            switch part {
            case .text(let text):
                guard let after = Self.rest(of: rest, after: text) else {
                    guard place < needed else { return (record, nil) }
                    let missing = QuotedText.of(text[...])
                    let found = QuotedText.of(rest)
                    return (record, LineFault("\(missing) is missing before \(found)"))
                }
                rest = after
            case .member, .skipped:
                let next = place + 1 < parts.count ? parts[place + 1] : nil
                guard let end = Self.end(of: rest, part, before: next) else {
                    guard place < needed else { return (record, nil) }
                    return (record, Self.unended(part, rest))
                }
                let text = rest[..<end]
                rest = rest[end...]
                if case .member(let member) = part { note(text, member, &record) }
            }
        }
        return (record, nil)
    }

    func request(_ line: ArraySlice<UInt8>) throws(LineFault) -> TraceRequest {
        let (record, fault) = record(line)
        if let fault { throw fault }
        var request = try record.request()
        if counted == .body, request.counted == .unknown { request.counted = .body }
        return request
    }

    private func note(_ text: ArraySlice<UInt8>, _ member: LogMember, _ record: inout LogRecord) {
        switch member {
        // The first of several captured headers.
        case .host: record.note(text.prefix { $0 != UInt8(ascii: "|") && $0 != UInt8(ascii: ",") }, .host)
        case .line, .url: record.note(LogEscapes.resolved(text), member)
        case .time:
            record.note(
                text.first == UInt8(ascii: "[") ? text.dropFirst().prefix { $0 != UInt8(ascii: "]") } : text, .time)
        default: record.note(text, member)
        }
    }

    private static func isSpace(_ byte: UInt8) -> Bool { byte == 0x20 || byte == 0x09 }

    /// The rest of a line that begins with a text.
    private static func rest(of line: ArraySlice<UInt8>, after text: [UInt8]) -> ArraySlice<UInt8>? {
        var rest = line
        for byte in text {
            if byte == 0x20 {
                guard let first = rest.first, isSpace(first) else { return nil }
                rest = rest.drop(while: isSpace)
            } else {
                guard rest.popFirst() == byte else { return nil }
            }
        }
        return rest
    }

    /// Where a member ends: before the first character of the text after it. The last one ends with the line, or at a
    /// space if it's a number.
    private static func end(of line: ArraySlice<UInt8>, _ part: Part, before next: Part?) -> Int? {
        // `$host$request_uri`: the path begins at the slash.
        if case .member(.url)? = next { return line.firstIndex(of: UInt8(ascii: "/")) }
        guard case .text(let text)? = next, let first = text.first else {
            let numbers: [LogMember] = [.status, .size, .body, .response, .port]
            guard let member = member(part), numbers.contains(member) else { return line.endIndex }
            return line.firstIndex(where: isSpace) ?? line.endIndex
        }
        var place = line.startIndex
        while place < line.endIndex {
            let byte = line[place]
            if byte == first || isSpace(byte) && first == 0x20 { return place }
            place += byte == UInt8(ascii: "\\") && first == UInt8(ascii: "\"") ? 2 : 1
        }
        return nil
    }

    private static func unended(_ part: Part, _ rest: ArraySlice<UInt8>) -> LineFault {
        LineFault("nothing ends the \(name(part)) in \(QuotedText.of(rest))")
    }

    private static func member(_ part: Part) -> LogMember? {
        if case .member(let member) = part { member } else { nil }
    }

    private static func name(_ part: Part) -> String { member(part)?.word ?? "field" }
}

extension LogPattern {
    /// Layouts of servers, proxies and networks without a decoder of their own, in the order in which they are tried.
    package static let presets: [LogPattern] = sources.compactMap(LogPatternReader.preset)

    package static func presets(named name: String) -> [LogPattern] { presets.filter { $0.name == name.uppercased() } }

    private static let sources: [(name: String, format: String, counted: CountedBytes)] = [
        // Amazon's load balancers: type, time, balancer, client, target, three times, status, target's, received, sent.
        ("AWSALB", #"%^ %x %^ %^ %^ %^ %^ %^ %s %^ %^ %{size} "%r" "#, .unknown),
        ("AWSELB", #"%x %^ %^ %^ %^ %^ %^ %s %^ %^ %{size} "%r" "#, .unknown),
        // Amazon S3: owner, bucket, time, address, requester, id, operation, key, request, status, error, bytes.
        ("AWSS3", #"%^ %v [%x] %^ %^ %^ %^ %^ "%r" %s %^ %b "#, .body),
        // Istio has more between status and sizes than Envoy; earlier versions had something else there.
        ("ISTIO", #"[%x] "%r" %s %^ %^ %^ "%^" %^ %b %^ %^ "%^" "%^" "%^" "%v""#, .body),
        ("ISTIO", #"[%x] "%r" %s %^ "%^" "%^" %^ %b %^ %^ "%^" "%^" "%^" "%v""#, .body),
        ("ENVOY", #"[%x] "%r" %s %^ %^ %b %^ %^ "%^" "%^" "%^" "%v""#, .body),
        // HAProxy: client, time, frontend, backend, timers, status, bytes, cookies, state, counts, queues, captures.
        ("HAPROXY", #"%^ [%x] %^ %^ %^ %s %O %^ %^ %^ %^ %^ {%v} %^"%r""#, .response),
        ("HAPROXY", #"%^ [%x] %^ %^ %^ %s %O %^ %^ %^ %^ %^/%^ %^"%r""#, .response),
        // Nginx Proxy Manager, with the upstream's status and without.
        ("NPM", #"[%x] %^ %^ %s - %m %{scheme} %v "%U" [Client %^] [Length %b] "#, .body),
        ("NPM", #"[%x] %s - %m %{scheme} %v "%U" [Client %^] [Length %b] "#, .body),
        // Servers in Python and Go: no sizes, and no times in uvicorn's.
        ("UVICORN", #"INFO: %^ - "%r" %s "#, .unknown),
        ("GIN", #"[GIN] %d - %t | %s | %^ | %^ | %m "%U""#, .unknown),
        // Bunny's network: cache, status, thousandths of a second, bytes, zone, address, referrer, URL.
        ("BUNNY", #"%^|%s|%x|%{size}|%^|%^|%^|%U|"#, .unknown),
    ]
}

/// A text log in the layout of a ``LogPattern``: one that the user described, or a preset. The first pattern that fits
/// a line counts.
package struct PatternLog: LineDecoder {
    package let input: TraceInput
    package var line = 0
    package var envelope: LogEnvelope
    private let patterns: [LogPattern]

    package init(_ input: TraceInput, _ patterns: [LogPattern], envelope: LogEnvelope = .none) {
        (self.input, self.patterns, self.envelope) = (input, patterns, envelope)
    }

    package var isLog: Bool { true }

    package func request(_ line: ArraySlice<UInt8>) throws(LineFault) -> TraceRequest {
        var first: LineFault?
        for pattern in patterns {
            do throws(LineFault) { return try pattern.request(line) } catch { first = first ?? error }
        }
        throw first ?? LineFault("no layout; describe the lines with --log-format")
    }

    /// All presets of the log that fits a line; empty if none does.
    static func presets(fitting line: ArraySlice<UInt8>) -> [LogPattern] {
        LogPattern.presets.first { (try? $0.request(line)) != nil }.map { LogPattern.presets(named: $0.name) } ?? []
    }
}
