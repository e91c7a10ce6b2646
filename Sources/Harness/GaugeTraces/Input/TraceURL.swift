/// The URLs of a trace as an application's cache meets them. Browsers and servers write characters that RFC 3986
/// doesn't allow (`|`, `[]`, a space, a letter beyond ASCII); Foundation's `URL(string:)` percent-encodes them.
///
/// The host is left alone: Foundation writes that of another script in Punycode, as browsers do.
enum TraceURL {
    /// The URL as Foundation writes it; `nil` where that's the URL itself. What follows the host is encoded; a text
    /// without scheme and host, or a slash at its beginning, is left alone.
    ///
    /// As in Foundation, path, query and fragment are each taken as they are if they are valid. If not, every percent
    /// sign in them is encoded too.
    static func encoded(_ url: ArraySlice<UInt8>) -> [UInt8]? {
        guard !isPlain(url), let start = pathStart(of: url) else { return nil }
        let rest = url[start...]
        let fragment = rest.firstIndex(of: UInt8(ascii: "#")) ?? rest.endIndex
        let query = rest[..<fragment].firstIndex(of: UInt8(ascii: "?")) ?? fragment
        var text = Array(url[..<start])
        text.reserveCapacity(url.count + 16)
        append(rest[..<query], to: &text)
        for part in [rest[query..<fragment], rest[fragment...]] where !part.isEmpty {
            text.append(part[part.startIndex])
            append(part.dropFirst(), to: &text)
        }
        return text.count == url.count ? nil : text
    }

    /// Whether a URL has only characters that stand for themselves in a path and a query, so that it needs no encoding
    /// and is ASCII.
    static func isPlain(_ url: ArraySlice<UInt8>) -> Bool {
        url.withUnsafeBufferPointer { bytes in
            var place = 0
            while place < bytes.count {
                if isAllowed(bytes[place]) {
                    place += 1
                } else if isEscape(bytes, place) {
                    place += 3
                } else {
                    return false
                }
            }
            return true
        }
    }

    /// Where the path begins, or the query or fragment of a URL without one; `nil` without a host.
    private static func pathStart(of url: ArraySlice<UInt8>) -> Int? {
        if url.first == UInt8(ascii: "/") { return url.startIndex }
        guard let mark = url.firstIndex(of: UInt8(ascii: ":")), url[(mark + 1)...].starts(with: "//".utf8) else {
            return nil
        }
        return url[(mark + 3)...].firstIndex { "/?#".utf8.contains($0) } ?? url.endIndex
    }

    private static func append(_ part: ArraySlice<UInt8>, to text: inout [UInt8]) {
        if isPlain(part) { return text.append(contentsOf: part) }
        for byte in part {
            if isAllowed(byte) {
                text.append(byte)
            } else {
                text += [UInt8(ascii: "%"), digit(byte >> 4), digit(byte & 15)]
            }
        }
    }

    private static func digit(_ value: UInt8) -> UInt8 { value < 10 ? 0x30 + value : 0x37 + value }

    /// Whether a byte is one of pchar (RFC 3986, section 3.3) but the percent sign, or `/` or `?`.
    @inline(__always)
    private static func isAllowed(_ byte: UInt8) -> Bool {
        // Two words with a bit for each of the first and of the last 64 characters of ASCII.
        byte < 0x80 && (byte < 0x40 ? 0xAFFF_FFD2_0000_0000 : 0x47FF_FFFE_87FF_FFFF as UInt64) >> (byte & 0x3F) & 1 == 1
    }

    @inline(__always)
    private static func isEscape(_ bytes: UnsafeBufferPointer<UInt8>, _ place: Int) -> Bool {
        bytes[place] == UInt8(ascii: "%") && place + 2 < bytes.count && isHexadecimal(bytes[place + 1])
            && isHexadecimal(bytes[place + 2])
    }

    private static func isHexadecimal(_ byte: UInt8) -> Bool {
        byte >= 0x30 && byte <= 0x39 || byte | 0x20 >= 0x61 && byte | 0x20 <= 0x66
    }
}
