import HTTPAgreement
import HTTPSemantics

extension FuzzTarget {
    /// The input is a `Vary` field.
    ///
    /// Oracle: the reference reads the same. Case, whitespace around commas, empty members, the members' order,
    /// repetition and division into lines change no variant. Names read, written and read again stay the same, whether
    /// the server sends them or the application adds them. An unreadable field matches no request. Reading is linear in
    /// the length. The reference also agrees whether the two halves of the input, as values of `Accept-Language`,
    /// select one variant.
    static let vary = FuzzTarget("vary") { buffer in
        let bytes = [UInt8](buffer)
        require(.vary(bytes))
        // The same bytes as two values of `Accept-Language`.
        let middle = bytes.firstIndex(of: 0x0A) ?? bytes.count / 2
        require(.acceptLanguage(Array(bytes[..<middle]), Array(bytes[middle...].drop { $0 == 0x0A })))
        let kind = requireLinear(bytes.count, rate: 40, "Vary") { Vary.parse(ContiguousArray(bytes).span.bytes) }
        // All changes at once, because one reading is cheaper than four.
        for other in [bytes.uppercased, [0x20, 0x2C] + bytes.lowercased.spread + [0x2C, 0x09]] {
            require(
                Vary.parse(ContiguousArray(other).span.bytes) == kind,
                "\(bytes.quoted) is something else as \(other.quoted)")
        }

        // A String would change bytes that aren't UTF-8.
        guard let text = String(validating: bytes, as: UTF8.self) else { return }
        let selection = VarySelection(text)
        require(selection.matchesNothing == (kind == .anything), "\(bytes.quoted) matches something, but is \(kind)")
        require(selection.isEmpty == (kind == .nothing), "\(bytes.quoted) selects nothing, but is \(kind)")
        let key = selection.variantKey(of: request)
        require((key == nil) == selection.matchesNothing, "\(bytes.quoted) has a variant")
        let members = bytes.split(separator: 0x2C)
        // So that a repeated member is not one too many.
        if bytes.allSatisfy({ $0 < 0x80 }), members.count < VaryNames.mostNames, bytes.count < VaryNames.mostBytes / 2 {
            // Any member may come first, and may be repeated.
            let backwards = members.reversed() + members.prefix(1)
            let other = String(
                decoding: Array(backwards.joined(separator: Array(" ,,\t".utf8))).uppercased, as: UTF8.self)
            require(
                VarySelection(other).variantKey(of: request) == key, "\(bytes.quoted) has another variant as \(other)")
        }
        let lines = bytes.split(separator: 0x2C, maxSplits: 1, omittingEmptySubsequences: false)
        let fields = HTTPFields(lines.map { .init(name: "vary", value: String(decoding: $0, as: UTF8.self)) })
        require(Vary.parse(fields) == kind, "\(bytes.quoted) is something else over two lines")
        guard !selection.matchesNothing else { return }
        let names = selection.names
        let written = VarySelection(names.dropFirst().joined(separator: ", "), also: Array(names.prefix(1)))
        require(written == selection, "\(bytes.quoted) is read back from \(names) as \(written)")
    }

    private static let request: HTTPFields = [
        "Accept": "text/html, */*", "Accept-Encoding": "gzip", "Cookie": "a=b; c", "accept": "image/png", "X-A": "",
    ]
}
