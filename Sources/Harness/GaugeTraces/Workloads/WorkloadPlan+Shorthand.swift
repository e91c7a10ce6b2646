import GaugeSupport

extension WorkloadPlan {
    /// Reads `KIND,member=value,member=value`: a flat object of a workload file as written on a command line.
    ///
    /// Values are numbers, `true`, `false`, or else texts. Text that begins with `{` or `[` is JSON.
    package static func shorthand(_ text: String) throws(JSONError) -> JSONNode {
        if text.hasPrefix("{") || text.hasPrefix("[") { return try JSONReader.read(Array(text.utf8)) }
        guard text.utf8.count <= JSONReader.longestText else {
            throw JSONError(place: JSONPlace(), reason: "it is longer than \(JSONReader.longestText) bytes")
        }
        var members: [(name: String, value: JSONNode)] = []
        var column = 1
        for part in text.split(separator: ",", omittingEmptySubsequences: false) {
            let place = JSONPlace(line: 1, column: column)
            column += part.utf8.count + 1
            let sides = part.split(separator: "=", maxSplits: 1, omittingEmptySubsequences: false).map(String.init)
            let name = sides.count == 2 ? sides[0] : "kind"
            guard sides.count == 2 || members.isEmpty else {
                throw JSONError(place: place, reason: "'\(part.prefix(80))' has no '='; write member=value")
            }
            guard !members.contains(where: { $0.name == name }) else {
                throw JSONError(
                    place: place, reason: "'\(name.prefix(80))' appears a second time; keep one of them")
            }
            members.append((name, JSONNode(value: value(sides.last ?? ""), place: place)))
        }
        return JSONNode(value: .object(members), place: JSONPlace())
    }

    private static func value(_ text: String) -> JSONNode.Value {
        if let number = Double(text), number.isFinite { return .number(number) }
        return text == "true" ? .flag(true) : text == "false" ? .flag(false) : .text(text)
    }

    /// Reads several objects in shorthand, separated by semicolons.
    package static func shorthandList(_ text: String) throws(JSONError) -> JSONNode {
        if text.hasPrefix("[") { return try shorthand(text) }
        var nodes: [JSONNode] = []
        for part in text.split(separator: ";", omittingEmptySubsequences: false) {
            nodes.append(try shorthand(String(part)))
        }
        return JSONNode(value: .list(nodes), place: JSONPlace())
    }
}
