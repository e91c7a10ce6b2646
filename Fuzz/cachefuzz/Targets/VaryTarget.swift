import HTTPAgreement
import HTTPSemantics

extension FuzzTarget {
    /// The input is a `Vary` field.
    ///
    /// Oracle: the reference reads the same; letters may change their case; whitespace around commas, empty members, the
    /// order of members and their repetition change no variant; names that are read, written and read again stay what
    /// they were; what could not be read matches no request; and reading takes work linear in the length.
    static let vary = FuzzTarget("vary") { buffer in
        let bytes = [UInt8](buffer)
        require(.vary(bytes))
        let kind = requireLinear(bytes.count, rate: 40, "Vary") { Vary.parse(bytes.span.bytes) }
        for other in [bytes.uppercased, bytes.lowercased, bytes.spread, [0x20, 0x2C] + bytes + [0x2C, 0x09]] {
            require(Vary.parse(other.span.bytes) == kind, "\(bytes.quoted) is something else as \(other.quoted)")
        }

        let text = String(decoding: bytes, as: UTF8.self)
        // Bytes that are no UTF-8 would be others in a String.
        guard Array(text.utf8) == bytes else { return }
        let selection = VarySelection(text)
        require(selection.matchesNothing == (kind == .anything), "\(bytes.quoted) matches something, but is \(kind)")
        require(selection.isEmpty == (kind == .nothing), "\(bytes.quoted) selects nothing, but is \(kind)")
        let key = selection.variantKey(of: request)
        require((key == nil) == selection.matchesNothing, "\(bytes.quoted) has a variant")
        let backwards = Array(bytes.split(separator: 0x2C).reversed().joined(separator: Array(" ,,\t".utf8)))
        for other in [bytes.uppercased, bytes + [0x2C, 0x20] + bytes, backwards] where bytes.allSatisfy({ $0 < 0x80 }) {
            let text = String(decoding: other, as: UTF8.self)
            require(
                VarySelection(text).variantKey(of: request) == key, "\(bytes.quoted) has another variant as \(text)")
        }
        guard !selection.matchesNothing else { return }
        let written = VarySelection(selection.names.joined(separator: ", "))
        require(written.names == selection.names, "\(bytes.quoted) is read back from \(selection.names) as \(written)")
    }

    private static let request: HTTPFields = [
        "Accept": "text/html, */*", "Accept-Encoding": "gzip", "Cookie": "a=b; c", "accept": "image/png", "X-A": "",
    ]
}
