/// What container runtimes and log collectors put around each line.
package enum LogEnvelope: String, CaseIterable, Sendable {
    case none
    /// Docker's `json-file`: `{"log":"…\n","stream":"stdout","time":"…"}`.
    case docker
    /// Kubernetes' runtimes: `2026-11-26T10:00:00.123456789Z stdout F …`.
    case cri
    /// A program's name, number and a colon, as syslog and the journal write before a line: `… nginx[17]: …`.
    case program
    /// The same by RFC 5424: `<165>1 2026-11-26T10:00:00Z host nginx 17 - - …`.
    case syslog
    /// The name of a container and a bar, as `docker compose logs` writes it: `web-1  | …`.
    case bar
    /// A date alone: `2026-11-26T10:00:00Z …`.
    case date
    /// An object with the line as a member, from collectors: `{"message": "…", "host": …}`.
    case member
    /// Anything before an object, as in Caddy's console log.
    case object

    /// The line without its envelope; `nil` if the line has none of this kind.
    func content(of line: ArraySlice<UInt8>) -> ArraySlice<UInt8>? {
        switch self {
        case .none: line
        case .docker: Self.member(of: line, named: ["log"])
        case .cri: Self.afterDate(line, streams: true)
        case .program: Self.after("]: ", in: line) ?? Self.after(": ", in: line)
        case .syslog: Self.afterSyslog(line)
        case .bar: Self.after("| ", in: line)
        case .date: Self.afterDate(line, streams: false)
        case .member: Self.member(of: line, named: Self.members)
        case .object: line.firstIndex(of: UInt8(ascii: "{")).map { line[$0...] }
        }
    }

    private static func after(_ text: String, in line: ArraySlice<UInt8>) -> ArraySlice<UInt8>? {
        let text = Array(text.utf8)
        // Before the content stand a date and names: far fewer bytes than a line may have.
        for place in line.indices.prefix(256) where line[place...].starts(with: text) {
            return line[(place + text.count)...].drop { $0 == 0x20 }
        }
        return nil
    }

    private static func afterDate(_ line: ArraySlice<UInt8>, streams: Bool) -> ArraySlice<UInt8>? {
        var fields = TextFields(line)
        guard let date = fields.next(), LogDate.parseISO8601(date) != nil else { return nil }
        var content = line[date.endIndex...].dropFirst()
        guard streams else { return content }
        guard let stream = fields.next(), stream.starts(with: "std".utf8), let tag = fields.next() else { return nil }
        guard tag.elementsEqual("F".utf8) else { return nil }
        content = line[tag.endIndex...].dropFirst()
        return content
    }

    private static func afterSyslog(_ line: ArraySlice<UInt8>) -> ArraySlice<UInt8>? {
        guard line.first == UInt8(ascii: "<") else { return nil }
        var fields = TextFields(line)
        for _ in 0..<6 { guard fields.next() != nil else { return nil } }
        guard let data = fields.next(from: "[", to: "]") ?? fields.next() else { return nil }
        let end =
            data.endIndex < line.endIndex && line[data.endIndex] == UInt8(ascii: "]")
            ? data.endIndex + 1 : data.endIndex
        return line[end...].drop { $0 == 0x20 }
    }

    private static let members: Set = [
        "message", "textpayload", "line", "log", "common_log", "original", "msg", "raw", "_raw",
    ]

    private static func member(of line: ArraySlice<UInt8>, named names: Set<String>) -> ArraySlice<UInt8>? {
        guard line.first == UInt8(ascii: "{") else { return nil }
        var json = JSONStream(TraceInput(name: "", bytes: Array(line)))
        var content: [UInt8]?
        do throws(TraceError) {
            try json.forEachMember { (name, json) throws(TraceError) in
                guard content == nil, names.contains(name.lowercased()), try json.kind() == .string else {
                    return try json.skipValue()
                }
                content = try json.string(limit: TraceInput.longestLine).bytes
            }
        } catch {
            return nil
        }
        guard var content else { return nil }
        while let last = content.last, last == 0x0A || last == 0x0D { content.removeLast() }
        return content[...]
    }
}
