import GaugeSupport

/// The members of a log's lines as the user names them: `method=req.verb,url=req.path,status=res.code`. A name with dots is a
/// path into nested objects.
package struct LogFields: Hashable, Sendable {
    /// The text that was given.
    package let text: String
    private let members: [String: LogMember]
    /// Members that are not named, and are assumed.
    let absent: Set<LogMember>

    /// - Throws: `GaugeError` that names the fault.
    package init(_ text: String) throws(GaugeError) {
        guard text.utf8.count <= LogPattern.longestFormat else {
            throw GaugeError("the names of fields are longer than \(LogPattern.longestFormat) bytes")
        }
        self.text = text
        var members: [String: LogMember] = [:]
        for part in text.split(separator: ",", omittingEmptySubsequences: false) {
            let sides = part.split(separator: "=", maxSplits: 1).map { String($0).trimmingSpaces }
            guard sides.count == 2, !sides[1].isEmpty else {
                throw GaugeError("'\(part)' is not like status=response.code: what it is, and the name in the log")
            }
            guard let member = LogMember(rawValue: sides[0] == "path" ? "url" : sides[0]) else {
                let names = LogMember.allCases.map(\.rawValue)
                throw GaugeError(
                    "'\(sides[0])' is nothing that a request has\(NearNames.question(sides[0], among: names)); "
                        + "there are \(names.joined(separator: ", "))")
            }
            members[sides[1].lowercased()] = member
        }
        guard members.values.contains(.url) || members.values.contains(.line) else {
            throw GaugeError("url is missing, and nothing else tells the objects apart; add url=NAME")
        }
        self.members = members
        let named = Set(members.values)
        let hasLine = named.contains(.line)
        absent = Set([.method, .status, .time].filter { !named.contains($0) && !(hasLine && $0 == .method) })
            .subtracting(named.contains(.date) ? [.time] : [])
    }

    /// The names in a JSON object whose texts are GoAccess's specifiers: `{"req": {"method": "%m"}, "status": "%s"}`.
    ///
    /// - Throws: `GaugeError` that names the fault.
    package init(template: String) throws(GaugeError) {
        let node: JSONNode
        do throws(JSONError) { node = try JSONReader.read(Array(template.utf8)) } catch {
            throw GaugeError("the log format begins as JSON, but \(error)")
        }
        var parts: [String] = []
        Self.collect(node, path: [], &parts)
        try self.init(parts.joined(separator: ","))
    }

    private static func collect(_ node: JSONNode, path: [String], _ parts: inout [String]) {
        switch node.value {
        case .object(let members): for (name, value) in members { collect(value, path: path + [name], &parts) }
        case .text(let text):
            guard let mark = text.utf8.firstIndex(of: UInt8(ascii: "%")), mark < text.utf8.indices.last ?? mark,
                let member = LogPatternReader.member(ofSpecifier: text.utf8[text.utf8.index(after: mark)])
            else { return }
            parts.append("\(member.rawValue)=\(path.joined(separator: "."))")
        default: break
        }
    }

    /// The member with this path.
    func member(_ path: String) -> LogMember? { members[path] }
}

extension String {
    fileprivate var trimmingSpaces: String {
        var text = self[...]
        while text.first == " " { text.removeFirst() }
        while text.last == " " { text.removeLast() }
        return String(text)
    }
}
