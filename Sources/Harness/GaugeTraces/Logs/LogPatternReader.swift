import GaugeSupport

/// Compiles formats of text logs: GoAccess's specifiers (`%h %^[%d:%t %^] "%r" %s %b`), Apache's (`%h %l %u %t "%r" %>s
/// %O`), or nginx's variables (`$remote_addr [$time_local] "$request" $status`).
enum LogPatternReader {
    /// - Throws: `GaugeError` that names the fault.
    static func pattern(_ format: String) throws(GaugeError) -> LogPattern {
        let text = format.hasSuffix("\n") ? String(format.dropLast()) : format
        var parts: [LogPattern.Part] = []
        let isNginx = text.contains("$")
        let isApache = !isNginx && isApacheFormat(text)
        var rest = Array(text.replacing("\\t", with: "\t").replacing("\\\"", with: "\"").utf8)[...]
        while let byte = rest.popFirst() {
            switch byte {
            case UInt8(ascii: "%") where !isNginx:
                if isApache { try readApache(&rest, &parts) } else { try readGoAccess(&rest, &parts) }
            case UInt8(ascii: "$") where isNginx: readVariable(&rest, &parts)
            case UInt8(ascii: "~") where rest.first == UInt8(ascii: "h") && !isApache && !isNginx:
                // GoAccess reads the first address of a list in braces.
                rest.removeFirst()
                if rest.first == UInt8(ascii: "{") { rest = rest.drop { $0 != UInt8(ascii: "}") }.dropFirst() }
                parts.append(.skipped)
            default: append(byte, to: &parts)
            }
        }
        let pattern = LogPattern(name: format, parts: merged(parts))
        guard pattern.namesObjects else {
            throw GaugeError(
                "the log format has neither a request line (%r) nor a path (%U), and nothing else tells the objects apart"
            )
        }
        return pattern
    }

    /// A preset, in the specifiers of GoAccess; `%{size}` names a member.
    static func preset(_ name: String, _ format: String, _ counted: CountedBytes) -> LogPattern? {
        var parts: [LogPattern.Part] = []
        var rest = Array(format.utf8)[...]
        while let byte = rest.popFirst() {
            if byte != UInt8(ascii: "%") {
                append(byte, to: &parts)
            } else if rest.first == UInt8(ascii: "{") {
                let member = String(decoding: rest.dropFirst().prefix { $0 != UInt8(ascii: "}") }, as: UTF8.self)
                rest = rest.drop { $0 != UInt8(ascii: "}") }.dropFirst()
                guard let member = LogMember.worded(member) else { return nil }
                parts.append(.member(member))
            } else {
                guard (try? readGoAccess(&rest, &parts)) != nil else { return nil }
            }
        }
        return LogPattern(name: name, parts: merged(parts), counted: counted)
    }

    private static func append(_ byte: UInt8, to parts: inout [LogPattern.Part]) {
        guard case .text(var text)? = parts.last else { return parts.append(.text([byte])) }
        if byte != 0x20 || text.last != 0x20 { text.append(byte) }
        parts[parts.count - 1] = .text(text)
    }

    /// Merges members without a text between them: skipped ones, and a URL with its query (`%U%q`,
    /// `$uri$is_args$args`).
    private static func merged(_ parts: [LogPattern.Part]) -> [LogPattern.Part] {
        var merged: [LogPattern.Part] = []
        for part in parts {
            if part == .skipped, merged.last == .skipped { continue }
            if part == .skipped || part == .member(.query), merged.last == .member(.url) { continue }
            merged.append(part)
        }
        return merged
    }

    // MARK: GoAccess

    private static let goAccess: [UInt8: LogPattern.Part] = [
        UInt8(ascii: "x"): .member(.time), UInt8(ascii: "d"): .member(.date), UInt8(ascii: "t"): .member(.clock),
        UInt8(ascii: "v"): .member(.host), UInt8(ascii: "r"): .member(.line), UInt8(ascii: "m"): .member(.method),
        UInt8(ascii: "U"): .member(.url), UInt8(ascii: "q"): .member(.query), UInt8(ascii: "s"): .member(.status),
        // As in Apache's formats: the body, and the whole response.
        UInt8(ascii: "b"): .member(.body), UInt8(ascii: "O"): .member(.response),
    ]

    /// The member that a text of a JSON template stands for: the first specifier of GoAccess, or variable of nginx. A
    /// path after a host is a whole URL.
    static func member(inTemplate text: String) -> LogMember? {
        guard text.contains("$") else {
            guard let letter = text.utf8.drop(while: { $0 != UInt8(ascii: "%") }).dropFirst().first,
                case .member(let member)? = goAccess[letter]
            else { return nil }
            return member
        }
        var rest = Array(text.utf8)[...]
        var parts: [LogPattern.Part] = []
        while let byte = rest.popFirst() { if byte == UInt8(ascii: "$") { readVariable(&rest, &parts) } }
        if parts.contains(.member(.url)) { return .url }
        if case .member(let member)? = parts.first { return member }
        return nil
    }

    private static let goAccessSkipped = Set("heCHRuKkMDTLn^~GIN".utf8)

    private static func readGoAccess(
        _ rest: inout ArraySlice<UInt8>, _ parts: inout [LogPattern.Part]
    ) throws(GaugeError) {
        guard let letter = rest.popFirst() else {
            throw GaugeError("the log format ends in %; write %% for a percent sign")
        }
        if letter == UInt8(ascii: "%") { return append(letter, to: &parts) }
        if letter == UInt8(ascii: "~") { return }
        if let part = goAccess[letter] { return parts.append(part) }
        guard goAccessSkipped.contains(letter) else {
            throw GaugeError(
                "%\(Unicode.Scalar(letter)) is no specifier; there are %x or %d and %t for the time, %r or %m, %U and %q, %s, %b "
                    + "(body) or %O (with header), %v for the host, and %^ for what is passed over")
        }
        parts.append(.skipped)
    }

    // MARK: Apache

    private static func isApacheFormat(_ text: String) -> Bool {
        ["%>s", "%l", "%{", "%<s", "%B", "%V", "%p", "%a"].contains { text.contains($0) }
    }

    private static func readApache(
        _ rest: inout ArraySlice<UInt8>, _ parts: inout [LogPattern.Part]
    ) throws(GaugeError) {
        rest = rest.drop { "<>!,0123456789".utf8.contains($0) }
        var argument = ""
        if rest.first == UInt8(ascii: "{") {
            argument = String(decoding: rest.dropFirst().prefix { $0 != UInt8(ascii: "}") }, as: UTF8.self).lowercased()
            rest = rest.drop { $0 != UInt8(ascii: "}") }.dropFirst()
        }
        if rest.first == UInt8(ascii: "^") { rest = rest.dropFirst(2) }
        guard let letter = rest.popFirst() else {
            throw GaugeError("the log format ends in %; write %% for a percent sign")
        }
        switch Character(Unicode.Scalar(letter)) {
        case "%": append(letter, to: &parts)
        case "r": parts.append(.member(.line))
        case "m": parts.append(.member(.method))
        case "U": parts.append(.member(.url))
        case "q": parts.append(.member(.query))
        case "s": parts.append(.member(.status))
        case "b", "B": parts.append(.member(.body))
        case "O": parts.append(.member(.response))
        case "v", "V": parts.append(.member(.host))
        case "p": parts.append(.member(.port))
        case "t" where argument.isEmpty:
            append(UInt8(ascii: "["), to: &parts)
            parts.append(.member(.time))
            append(UInt8(ascii: "]"), to: &parts)
        case "t": appendTime(argument, isSplit: rest.first == 0x20, to: &parts)
        case "i": parts.append(argument == "host" ? .member(.host) : .skipped)
        default: parts.append(.skipped)
        }
    }

    /// A time in a format of strftime. Several with a space or a point between them are one text:
    /// `%{%T}t.%{msec_frac}t`.
    ///
    /// - Parameter isSplit: whether a space ends the time, so that the format tells which spaces it contains.
    private static func appendTime(_ format: String, isSplit: Bool, to parts: inout [LogPattern.Part]) {
        if parts.count >= 2, case .text(let between) = parts[parts.count - 1], parts[parts.count - 2] == .member(.time),
            between == [0x20] || between == [UInt8(ascii: ".")]
        {
            parts.removeLast()
            return
        }
        let pieces = format.split(separator: " ")
        guard isSplit, pieces.count > 1 else { return parts.append(.member(.time)) }
        for (place, piece) in pieces.enumerated() {
            if place > 0 { append(0x20, to: &parts) }
            let hasClock = piece.contains("%h") || piece.contains("%t")
            let hasDay = piece.contains("%y") || piece.contains("%f")
            parts.append(hasDay ? .member(hasClock ? .time : .date) : hasClock ? .member(.clock) : .skipped)
        }
    }

    // MARK: nginx

    private static let variables: [String: LogMember] = [
        "request": .line, "request_method": .method, "request_uri": .url, "uri": .url, "document_uri": .url,
        "args": .query,
        "query_string": .query, "host": .host, "http_host": .host, "server_name": .host, "scheme": .scheme,
        "server_port": .port, "status": .status, "body_bytes_sent": .body, "bytes_sent": .response, "time_local": .time,
        "time_iso8601": .time, "msec": .time, "request_time": .duration,
    ]

    private static func readVariable(_ rest: inout ArraySlice<UInt8>, _ parts: inout [LogPattern.Part]) {
        let isBraced = rest.first == UInt8(ascii: "{")
        if isBraced { rest.removeFirst() }
        let name = rest.prefix { $0 | 0x20 >= 0x61 && $0 | 0x20 <= 0x7A || $0 >= 0x30 && $0 <= 0x39 || $0 == 0x5F }
        rest = rest.dropFirst(name.count)
        if isBraced, rest.first == UInt8(ascii: "}") { rest.removeFirst() }
        let variable = String(decoding: name, as: UTF8.self)
        parts.append(variables[variable].map { .member($0) } ?? .skipped)
        // The zone follows after a space.
        if variable == "time_local", rest.first == 0x20 {
            append(0x20, to: &parts)
            parts.append(.skipped)
        }
    }
}
