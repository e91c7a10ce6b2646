extension URLReference {
    /// This reference resolved against `base` (RFC 3986, section 5.2.2).
    func resolved(against base: URLReference) -> URLReference {
        var target = self
        if scheme != nil || authority != nil {
            target.scheme = scheme ?? base.scheme
            target.path = Self.withoutDotSegments(path)
            return target
        }
        target.scheme = base.scheme
        target.authority = base.authority
        if path.isEmpty {
            target.path = base.path
            target.query = query ?? base.query
        } else if path.utf8.first == UInt8(ascii: "/") {
            target.path = Self.withoutDotSegments(path)
        } else {
            target.path = Self.withoutDotSegments(merged(with: base))
        }
        return target
    }

    /// This relative path in place of the last segment of the base's (RFC 3986, section 5.2.3).
    private func merged(with base: URLReference) -> String {
        guard let slash = base.path.utf8.lastIndex(of: UInt8(ascii: "/")) else {
            return base.authority == nil ? path : "/" + path
        }
        return String(base.path[...slash]) + path
    }

    /// The path without `.` and `..` segments (RFC 3986, section 5.2.4). Linear in the length.
    static func withoutDotSegments(_ path: String) -> String {
        let slash = UInt8(ascii: "/")
        let isAbsolute = path.utf8.first == slash
        let segments = path.utf8.split(separator: slash, omittingEmptySubsequences: false).dropFirst(isAbsolute ? 1 : 0)
        var kept: [Substring.UTF8View] = []
        var endsInDot = false
        for segment in segments {
            let isDot = segment.elementsEqual(".".utf8)
            let isDotDot = segment.elementsEqual("..".utf8)
            if isDotDot { _ = kept.popLast() }
            if !isDot && !isDotDot { kept.append(segment) }
            endsInDot = isDot || isDotDot
        }
        if endsInDot { kept.append("".utf8[...]) }
        return (isAbsolute ? "/" : "") + kept.map { String(Substring($0)) }.joined(separator: "/")
    }
}
