/// How Foundation writes the URL of a text, character by character.
enum URLModel {
    private static let allowed = Set(
        "!$&'()*+,-./0123456789:;=?@ABCDEFGHIJKLMNOPQRSTUVWXYZ_abcdefghijklmnopqrstuvwxyz~".utf8)

    /// The text with everything after its host percent-encoded, or as it is where it has no host.
    static func encoded(_ url: String) -> String {
        let url = Array(url.utf8)
        var start = 0
        if url.first != UInt8(ascii: "/") {
            guard let colon = url.firstIndex(of: UInt8(ascii: ":")), url.dropFirst(colon + 1).starts(with: "//".utf8)
            else { return String(decoding: url, as: UTF8.self) }
            start = colon + 3
            while start < url.count, !"/?#".utf8.contains(url[start]) { start += 1 }
        }
        let fragment = url[start...].split(
            separator: UInt8(ascii: "#"), maxSplits: 1, omittingEmptySubsequences: false)
        let query = (fragment.first ?? []).split(
            separator: UInt8(ascii: "?"), maxSplits: 1, omittingEmptySubsequences: false)
        let written = [query, Array(fragment.dropFirst())].map { parts in
            Array(parts.map(part).joined(separator: [UInt8(ascii: "?")]))
        }
        let hasFragment = fragment.count > 1
        return String(
            decoding: url[..<start] + written[0] + (hasFragment ? [UInt8(ascii: "#")] + written[1] : []), as: UTF8.self)
    }

    /// A path, query or fragment: as it is if it is valid, otherwise with every byte encoded that stands for itself
    /// nowhere, the percent sign too.
    private static func part(_ bytes: ArraySlice<UInt8>) -> [UInt8] {
        var place = bytes.startIndex
        while place < bytes.endIndex {
            let digits = bytes[place...].dropFirst().prefix(2)
            if allowed.contains(bytes[place]) {
                place += 1
            } else if bytes[place] == UInt8(ascii: "%"), digits.count == 2, digits.allSatisfy(isDigit) {
                place += 3
            } else {
                break
            }
        }
        guard place < bytes.endIndex else { return Array(bytes) }
        return bytes.flatMap { byte -> [UInt8] in
            if allowed.contains(byte) { return [byte] }
            let digits = String(byte, radix: 16, uppercase: true)
            return Array("%\(digits.utf8.count < 2 ? "0" : "")\(digits)".utf8)
        }
    }

    private static func isDigit(_ byte: UInt8) -> Bool { "0123456789abcdefABCDEF".utf8.contains(byte) }
}
