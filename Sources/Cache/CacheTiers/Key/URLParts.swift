// Invariant of the pointers: `writeCanonical` gets the text that these parts were found in, and a buffer of
// `canonicalCount` bytes, of which it writes each once.

/// Where the parts of an http or https URL lie in its text.
@usableFromInline
struct URLParts {
    /// Where the query, or else the path, ends: the fragment does not count.
    @usableFromInline let end: Int
    /// Whether the text is canonical up to `end`.
    @usableFromInline let isCanonical: Bool

    private let hostStart: Int
    private let hostEnd: Int
    private let port: URLScanner.Port
    private let pathStart: Int
    private let needsSlash: Bool

    /// Finds the parts, and checks every byte.
    @usableFromInline
    init(parsing text: UnsafeRawBufferPointer) throws(URLRefusal) {
        guard text.count <= CanonicalURL.longest else { throw URLRefusal(.tooLong, at: CanonicalURL.longest) }
        var scanner = URLScanner(text)
        let isSecure = try scanner.scheme()
        hostStart = scanner.position
        try scanner.host()
        hostEnd = scanner.position
        port = try scanner.port(default: isSecure ? 443 : 80)
        pathStart = scanner.position
        end = try scanner.pathAndQuery()
        needsSlash = pathStart == end || text[pathStart] != UInt8(ascii: "/")
        isCanonical = !scanner.hasCapitals && !needsSlash && port.isCanonical
    }

    /// How many bytes the canonical form has.
    @usableFromInline
    var canonicalCount: Int { hostEnd + port.canonicalCount + (needsSlash ? 1 : 0) + (end - pathStart) }

    /// Writes the canonical form of `text`, which these parts were found in.
    ///
    /// - Parameter buffer: `canonicalCount` bytes.
    @usableFromInline
    func writeCanonical(_ text: UnsafeRawBufferPointer, to buffer: UnsafeMutableRawBufferPointer) {
        for index in 0..<hostEnd {
            buffer[index] = URLBytes.isCapital(text[index]) ? text[index] | 0x20 : text[index]
        }
        var position = hostEnd
        if let number = port.number {
            var rest = number
            for index in (1..<port.canonicalCount).reversed() {
                buffer[position + index] = UInt8(ascii: "0") + UInt8(rest % 10)
                rest /= 10
            }
            buffer[position] = UInt8(ascii: ":")
            position += port.canonicalCount
        }
        if needsSlash {
            buffer[position] = UInt8(ascii: "/")
            position += 1
        }
        UnsafeMutableRawBufferPointer(rebasing: buffer[position...])
            .copyMemory(from: UnsafeRawBufferPointer(rebasing: text[pathStart..<end]))
    }
}
