/// Finds the URLs that an answer invalidates, by the text of RFC 3986 (section 5.2 and appendix B) and RFC 9111
/// (section 4.4). It splits arrays and copies segments one by one.
enum ReferenceModel {
    private struct Parts {
        var scheme: [UInt8]?
        var authority: [UInt8]?
        var path: [UInt8]
        var query: [UInt8]?
    }

    private static let letters = Set("abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ".utf8)
    private static let digits = Set("0123456789".utf8)
    private static let others = Set("-._~:/?#[]@!$&'()*+,;=%".utf8)

    /// The URLs whose stored responses a successful unsafe request invalidates: its own, without a user, and those of
    /// the first `Location` and `Content-Location` with the same origin.
    static func outdated(by url: String, _ fields: [(name: String, value: String)]) -> [String] {
        var targets = [url]
        guard var base = parts(Array(url.utf8)) else { return targets }
        if let authority = base.authority, let at = authority.lastIndex(of: UInt8(ascii: "@")) {
            base.authority = Array(authority[(at + 1)...])
            targets = [String(decoding: joined(base), as: UTF8.self)]
        }
        guard let origin = origin(base) else { return targets }
        for name in ["location", "content-location"] {
            guard let field = fields.first(where: { Array($0.name.utf8).lowercased == Array(name.utf8) }) else {
                continue
            }
            let value = Array(field.value.utf8).trimmed
            guard !value.isEmpty, let reference = parts(value) else { continue }
            let target = resolve(reference, base)
            let text = String(decoding: joined(target), as: UTF8.self)
            if Self.origin(target) == origin, !targets.contains(text) { targets.append(text) }
        }
        return targets
    }

    /// The bytes before the first of `separators`, and the rest from there.
    private static func cut(_ bytes: [UInt8], at separators: String) -> (before: [UInt8], rest: [UInt8]) {
        let end = bytes.firstIndex { separators.utf8.contains($0) } ?? bytes.count
        return (Array(bytes[..<end]), Array(bytes[end...]))
    }

    /// Splits a reference as in appendix B; `nil` if it has a byte that no reference may have.
    private static func parts(_ text: [UInt8]) -> Parts? {
        guard text.allSatisfy({ letters.contains($0) || digits.contains($0) || others.contains($0) }) else {
            return nil
        }
        let (beforeQuery, query) = cut(cut(text, at: "#").before, at: "?")
        var (scheme, rest) = cut(beforeQuery, at: ":/")
        let isScheme =
            rest.first == UInt8(ascii: ":") && scheme.first.map(letters.contains) ?? false
            && scheme.allSatisfy { letters.contains($0) || digits.contains($0) || "+-.".utf8.contains($0) }
        if isScheme { rest.removeFirst() } else { rest = beforeQuery }
        var parts = Parts(scheme: isScheme ? scheme.lowercased : nil, path: rest)
        if !query.isEmpty { parts.query = Array(query.dropFirst()) }
        if rest.starts(with: "//".utf8) {
            let (authority, path) = cut(Array(rest.dropFirst(2)), at: "/")
            (parts.authority, parts.path) = (authority, path)
        }
        return parts
    }

    /// Section 5.2.2, line for line.
    private static func resolve(_ reference: Parts, _ base: Parts) -> Parts {
        if reference.scheme != nil {
            var target = reference
            target.path = withoutDots(reference.path)
            return target
        }
        var target = reference
        target.scheme = base.scheme
        if reference.authority != nil {
            target.path = withoutDots(reference.path)
            return target
        }
        target.authority = base.authority
        if reference.path.isEmpty {
            target.path = base.path
            if reference.query == nil { target.query = base.query }
        } else if reference.path.first == UInt8(ascii: "/") {
            target.path = withoutDots(reference.path)
        } else if base.path.isEmpty {
            target.path = withoutDots([UInt8(ascii: "/")] + reference.path)
        } else {
            let lastSlash = base.path.lastIndex(of: UInt8(ascii: "/")) ?? -1
            target.path = withoutDots(base.path[...lastSlash] + reference.path)
        }
        return target
    }

    /// Section 5.2.4, step by step, for paths that begin with a slash.
    private static func withoutDots(_ path: some Sequence<UInt8>) -> [UInt8] {
        var (input, output): ([UInt8], [UInt8]) = (Array(path), [])
        func dropLastSegment() { output.removeSubrange((output.lastIndex(of: UInt8(ascii: "/")) ?? 0)...) }
        while !input.isEmpty {
            if input.starts(with: "/./".utf8) {
                input.removeFirst(2)
            } else if input == Array("/.".utf8) {
                input.removeLast()
            } else if input.starts(with: "/../".utf8) {
                input.removeFirst(3)
                dropLastSegment()
            } else if input == Array("/..".utf8) {
                input.removeLast(2)
                dropLastSegment()
            } else {
                let segment = input.prefix(1) + input.dropFirst().prefix { $0 != UInt8(ascii: "/") }
                output += segment
                input.removeFirst(segment.count)
            }
        }
        return output
    }

    /// Section 5.3.
    private static func joined(_ parts: Parts) -> [UInt8] {
        (parts.scheme.map { $0 + Array(":".utf8) } ?? []) + (parts.authority.map { Array("//".utf8) + $0 } ?? [])
            + parts.path + (parts.query.map { Array("?".utf8) + $0 } ?? [])
    }

    /// Scheme, host and port; `nil` if responses of this scheme aren't cached.
    private static func origin(_ parts: Parts) -> [String]? {
        guard let scheme = parts.scheme.map({ String(decoding: $0, as: UTF8.self) }),
            ["http", "https"].contains(scheme),
            let authority = parts.authority, !authority.contains(UInt8(ascii: "@"))
        else { return nil }
        let literal = authority.lastIndex(of: UInt8(ascii: "]")).map { Array(authority[..<$0]) } ?? []
        let (name, port) = cut(Array(authority[literal.count...]), at: ":")
        let host = (literal + name).lowercased
        let number = port.dropFirst().drop { $0 == UInt8(ascii: "0") }
        guard !host.isEmpty, number.allSatisfy(digits.contains), number.count <= 5,
            let value = number.isEmpty ? 0 : Int(String(decoding: number, as: UTF8.self)), value <= 65_535
        else { return nil }
        let standard = port.count <= 1 ? (scheme == "http" ? 80 : 443) : value
        return [scheme, String(decoding: host, as: UTF8.self), "\(standard)"]
    }
}
