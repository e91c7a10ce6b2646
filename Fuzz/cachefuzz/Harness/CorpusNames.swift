/// The names of inputs: kind-hash-slug, the hash the first 8 digits of the bytes' SHA-1.
///
///     seed-…        written by hand
///     corpus-…      found by fuzzing, as few inputs as have the same coverage; `Fuzz/fuzz merge` chooses them anew
///     regression-…  broke a promise once; never removed
enum CorpusNames {
    static let kinds = ["corpus", "regression", "seed"]

    /// The name of an input.
    ///
    /// - Parameter slug: what it is, in small letters, digits and dashes.
    static func name(kind: String, slug: String, of bytes: [UInt8]) -> String { "\(kind)-\(hash(of: bytes))-\(slug)" }

    /// The name that a file's input has in a pack: the file's own, if it is one that these bytes have; otherwise that of
    /// an input found by fuzzing.
    static func name(ofFile file: String, with bytes: [UInt8]) -> String {
        let parts = file.split(separator: "-", maxSplits: 2)
        if parts.count == 3, kinds.contains(String(parts[0])), parts[1] == hash(of: bytes), CorpusPack.isName(file) {
            return file
        }
        return name(kind: "corpus", slug: slug(of: bytes), of: bytes)
    }

    private static func hash(of bytes: [UInt8]) -> String { String(SHA1.hex(bytes).prefix(8)) }

    /// The beginning of the text, or the length of what is not text.
    static func slug(of bytes: [UInt8]) -> String {
        let start = bytes.prefix(40)
        let isText = start.allSatisfy { 0x20...0x7E ~= $0 || [0x09, 0x0A, 0x0D].contains($0) }
        let words = start.split { !($0 < 0x80 && (Character(Unicode.Scalar($0)).isLetter || 0x30...0x39 ~= $0)) }
        var slug = String(
            words.map { String(decoding: $0, as: UTF8.self) }.joined(separator: "-").lowercased().prefix(24))
        while slug.hasSuffix("-") { slug.removeLast() }
        return isText && !slug.isEmpty ? slug : "\(bytes.count)-bytes"
    }
}
