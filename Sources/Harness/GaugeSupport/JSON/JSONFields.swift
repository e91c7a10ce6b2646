/// Reads the members of an object one by one, checks types and ranges, and at the end reports unknown members, with the
/// nearest valid name.
package struct JSONFields {
    /// The object's name in the document, for errors: `keys`.
    package let name: String
    package let place: JSONPlace
    private let members: [String: JSONNode]
    private let order: [String]
    private var asked: [String] = []

    package init(_ node: JSONNode, name: String) throws(JSONError) {
        guard case .object(let members) = node.value else {
            throw JSONError(place: node.place, reason: "\(name) is \(node.kind); write an object in {…}")
        }
        self.name = name
        place = node.place
        order = members.map(\.name)
        // The reader has rejected duplicate names.
        self.members = Dictionary(members.map { ($0.name, $0.value) }) { first, _ in first }
    }

    /// A member, or `nil` if it is missing.
    package mutating func optional(_ key: String) -> JSONNode? {
        asked.append(key)
        return members[key]
    }

    package mutating func required(_ key: String) throws(JSONError) -> JSONNode {
        guard let node = optional(key) else { throw missing(key) }
        return node
    }

    /// Ends the reading; throws if a member was never requested.
    package func finish() throws(JSONError) {
        guard let unknown = order.first(where: { !asked.contains($0) }), let node = members[unknown] else { return }
        throw JSONError(
            place: node.place,
            reason: "\(name) has no '\(unknown.prefix(80))'\(NearNames.question(unknown, among: asked)); "
                + "it takes \(asked.joined(separator: ", "))")
    }

    package mutating func number(
        _ key: String, in range: ClosedRange<Double>, default value: Double? = nil
    ) throws(JSONError) -> Double {
        guard let node = optional(key) else {
            guard let value else { throw missing(key) }
            return value
        }
        guard case .number(let number) = node.value, range.contains(number) else {
            throw self.error(
                key, node, "a number from \(Self.text(range.lowerBound)) to \(Self.text(range.upperBound))")
        }
        return number
    }

    /// A whole number in a range, which must be within the numbers that a `Double` holds exactly.
    package mutating func whole(_ key: String, in range: ClosedRange<Int>, default value: Int? = nil) throws(JSONError)
        -> Int
    {
        guard let number = try optionalWhole(key, in: range) ?? value else { throw missing(key) }
        return number
    }

    /// The same for a member that may be missing.
    package mutating func optionalWhole(_ key: String, in range: ClosedRange<Int>) throws(JSONError) -> Int? {
        guard let node = optional(key) else { return nil }
        guard case .number(let number) = node.value, let whole = Int(exactly: number), range.contains(whole) else {
            throw self.error(key, node, "a whole number from \(range.lowerBound) to \(range.upperBound)")
        }
        return whole
    }

    /// `true` or `false`; `false` if missing.
    package mutating func flag(_ key: String) throws(JSONError) -> Bool {
        guard let node = optional(key) else { return false }
        guard case .flag(let flag) = node.value else { throw error(key, node, "true or false") }
        return flag
    }

    /// A text of at most `longest` bytes.
    package mutating func text(_ key: String, atMost longest: Int, default value: String? = nil) throws(JSONError)
        -> String
    {
        guard let node = optional(key) else {
            guard let value else { throw missing(key) }
            return value
        }
        guard case .text(let text) = node.value, text.utf8.count <= longest else {
            throw error(key, node, "a text of at most \(longest) bytes")
        }
        return text
    }

    package mutating func word(_ key: String, among words: [String]) throws(JSONError) -> String {
        let node = try required(key)
        guard case .text(let word) = node.value else { throw error(key, node, words.joined(separator: ", ")) }
        guard words.contains(word) else {
            throw JSONError(
                place: node.place,
                reason: "\(name).\(key): '\(word.prefix(80))' is unknown\(NearNames.question(word, among: words)); "
                    + "the choice is \(words.joined(separator: ", "))")
        }
        return word
    }

    package mutating func list(_ key: String, count: ClosedRange<Int>) throws(JSONError) -> [JSONNode] {
        let node = try required(key)
        guard case .list(let list) = node.value, count.contains(list.count) else {
            throw error(key, node, "a list of \(count.lowerBound) to \(count.upperBound) members")
        }
        return list
    }

    package func missing(_ key: String) -> JSONError {
        JSONError(place: place, reason: "\(name) lacks '\(key)'; add it")
    }

    private func error(_ key: String, _ node: JSONNode, _ wanted: String) -> JSONError {
        var got = node.kind
        if case .number(let number) = node.value { got = Self.text(number) }
        return JSONError(place: node.place, reason: "\(name).\(key) is \(got); it takes \(wanted)")
    }

    /// The number as text, without a zero fraction.
    package static func text(_ number: Double) -> String { Int(exactly: number).map(String.init) ?? String(number) }
}
