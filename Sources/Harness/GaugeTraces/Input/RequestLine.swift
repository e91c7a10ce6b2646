/// A request line as logs quote it: `GET /path HTTP/1.1`. The version may be missing, and the target may contain spaces,
/// since servers log what a client sent.
struct RequestLine {
    let method: ArraySlice<UInt8>
    let target: ArraySlice<UInt8>

    /// `nil` without a method and a target.
    init?(_ text: ArraySlice<UInt8>) {
        var fields = TextFields(text)
        guard let method = fields.next() else { return nil }
        var target = CSVFields.trimmed(text[method.endIndex...])
        let version = target[(target.lastIndex(where: Self.isSpace).map { $0 + 1 } ?? target.startIndex)...]
        if version.starts(with: "HTTP/".utf8) { target = CSVFields.trimmed(target[..<version.startIndex]) }
        guard !target.isEmpty else { return nil }
        (self.method, self.target) = (method, target)
    }

    private static func isSpace(_ byte: UInt8) -> Bool { byte == 0x20 || byte == 0x09 }
}
