import Foundation
import GaugeKit
import Platform

/// The key of a request: method, whole URL, and the request's fields that the response names in `Vary`.
package struct FlawedKey: Hashable, Sendable {
    struct Refused: Error {}

    package let text: String
    /// Whether a response to the request may be stored.
    let isStorable: Bool

    /// - Parameter keyField: the request field whose value is added, if it has one.
    package init(_ request: SubjectRequest, _ flaw: Flaw, keyField: String? = nil) throws {
        var url = request.url
        if flaw == .decodesPercent { url = url.replacing("%25", with: "%") }
        if flaw == .decodesQuestionMark { url = url.replacing("%3F", with: "?") }
        if flaw == .dropsSlash, url.hasSuffix("/") { url.removeLast() }
        if flaw == .mergesSlashes { url = url.replacing(/([^:])\/\//) { "\($0.1)/" } }
        if flaw == .dropsWWW { url = url.replacing("://www.", with: "://") }
        if flaw == .decodesPlus { url = url.replacing("+", with: "%20") }
        if flaw == .lastParameter { url = url.replacing("a=1&a=", with: "a=") }
        url = Self.flawed(url: url, flaw)
        guard
            let parts = url.wholeMatch(of: /([A-Za-z]+):\/\/([^\/?#@:]+)(:[0-9]*)?(\/[^?#]*)?(\?[^#]*)?(#.*)?/)
        else { throw Refused() }
        let scheme = parts.1.lowercased()
        guard scheme == "http" || scheme == "https" else { throw Refused() }
        let port = parts.3.map(String.init) ?? ""
        let isDefault =
            switch port {
            case ":",
                ":443" where scheme == "https":
                true
            case ":80": scheme == "http" ? flaw != .port80 : flaw == .dropsPort
            default: false
            }
        let path = parts.4.map(String.init) ?? (flaw == .emptyPath ? "" : "/")
        var query = parts.5.map(String.init) ?? ""
        if flaw == .dropsQuestionMark, query == "?" { query = "" }
        query = Self.flawed(query, flaw)
        var text = "\(flaw == .schemeCase ? String(parts.1) : scheme)://\(parts.2.lowercased())"
        text += "\(isDefault ? "" : port)\(path)\(query)"
        let vary = flaw == .varyCase ? request.vary : request.vary.lowercased()
        let all = vary.split(separator: ",").map { $0.trimmingCharacters(in: .whitespaces) }
        let names = flaw == .firstVary ? Array(all.prefix(1)) : all
        if let added = request.fields.first(where: { $0.name == keyField }) { text += "\n\(added.value)" }
        for name in names.sorted() {
            let isNamed = { (field: String) in flaw == .varyCase ? field == name : field.lowercased() == name }
            let lines = request.fields.filter { isNamed($0.name) }.map(\.value)
            let values = flaw == .firstLine ? Array(lines.prefix(1)) : lines
            let absent = flaw == .absentVary ? ":fr" : ""
            text += "\n\(name)=\(values.isEmpty ? absent : ":" + values.joined(separator: ","))"
        }
        self.text = text
        let methods: [Flaw: String] = [.storesHead: "HEAD", .storesPut: "PUT", .storesDelete: "DELETE"]
        isStorable =
            (request.method == "GET" || request.method == methods[flaw]) && (!names.contains("*") || flaw == .starVary)
    }

    private static func flawed(url: String, _ flaw: Flaw) -> String {
        switch flaw {
        case .longKey: String(url.prefix(1_024))
        case .portPrefix: url.replacing(/:443[0-9]*/, with: "")
        case .portWithin: url.replacing(":443", with: "")
        case .decodesDelimiters:
            [("%26", "&"), ("%3D", "="), ("%2C", ",")].reduce(url) { $0.replacing($1.0, with: $1.1) }
        case .composesLetters: url.replacing("e%CC%81", with: "%C3%A9")
        case .pathParameters: url.replacing(/;[^?#]*/, with: "")
        case .leadingZeros: url.replacing(/=0+/, with: "=")
        case .fragmentOfQuery where url.contains("?"): url.replacing("#", with: "&")
        case .queryOfFragment: url.replacing(/#[^?]*/, with: "")
        default: url
        }
    }

    private static func flawed(_ query: String, _ flaw: Flaw) -> String {
        var list = query.dropFirst().split(separator: "&", omittingEmptySubsequences: false).map(String.init)
        switch flaw {
        case .ignoresValues: list = list.prefix(1) + list.dropFirst().map { String($0.prefix { $0 != "=" }) }
        case .sortsParameters: list.sort()
        case .dropsEquals: list = list.map { $0.hasSuffix("=") ? String($0.dropLast()) : $0 }
        case .dropsEmptyParameter where list.count > 1: list.removeAll { $0.isEmpty }
        case .queryCase: list = list.map { $0.lowercased() }
        case .dropsCampaign: list.removeAll { $0.hasPrefix("utm_") }
        default: return query
        }
        return query.isEmpty ? "" : "?" + list.joined(separator: "&")
    }

    var hash: UInt64 { fnv1a(text.utf8) }
}

/// A stored entry. As bytes it begins with a checksum of all that follows.
struct FlawedEntry {
    let key: String
    let body: [UInt8]
    let userInfo: [String: PropertyValue]?
    var stored: Double

    init(_ key: String, _ body: [UInt8], userInfo: [String: PropertyValue]? = nil) {
        (self.key, self.body, self.userInfo) = (key, body, userInfo)
        stored = FlawedClock.now()
    }

    /// Bytes in memory, by this cache's rule.
    var cost: Int { Flaw.current == .freeEmptyBodies && body.isEmpty ? 0 : body.count + key.utf8.count + 64 }

    private static func bytes(_ number: UInt64) -> [UInt8] {
        (0..<8).map { UInt8(truncatingIfNeeded: number >> ($0 * 8)) }
    }

    private static func number(_ bytes: some BidirectionalCollection<UInt8>) -> UInt64 {
        bytes.prefix(8).reversed().reduce(0) { $0 << 8 | UInt64($1) }
    }

    var bytes: [UInt8] {
        let info = userInfo.flatMap {
            try? PropertyListSerialization.data(
                fromPropertyList: PropertyValue.table($0).plain, format: .binary, options: 0)
        }
        let rest =
            Self.bytes(stored.bitPattern) + Self.bytes(UInt64(key.utf8.count)) + Self.bytes(UInt64(info?.count ?? 0))
            + Array(key.utf8) + Array(info ?? Data()) + body
        return Self.bytes(fnv1a(Self.checked(rest))) + rest
    }

    /// The part that the checksum covers: all of it.
    private static func checked(_ rest: some RandomAccessCollection<UInt8>) -> [UInt8] {
        guard Flaw.current == .uncheckedMetadata else { return Array(rest) }
        return Array(rest.prefix(24)) + rest.suffix(1_000)
    }

    /// Reads an entry; `nil` if it is damaged.
    init?(_ bytes: [UInt8]) {
        guard
            bytes.count >= 32,
            Flaw.current == .writesInPlace || Self.number(bytes) == fnv1a(Self.checked(bytes[8...]))
        else { return nil }
        stored = Double(bitPattern: Self.number(bytes[8...]))
        let (keyCount, infoCount) = (Int(Self.number(bytes[16...])), Int(Self.number(bytes[24...])))
        guard bytes.count >= 32 + keyCount + infoCount else { return nil }
        key = String(decoding: bytes[32..<(32 + keyCount)], as: UTF8.self)
        let info = Data(bytes[(32 + keyCount)..<(32 + keyCount + infoCount)])
        let plain = info.isEmpty ? nil : try? PropertyListSerialization.propertyList(from: info, format: nil)
        userInfo = (plain as? [AnyHashable: Any]).flatMap(PropertyValue.table)
        body = Array(bytes[(32 + keyCount + infoCount)...])
    }
}

/// The time of day, seconds since 1970, for tests to replace.
package enum FlawedClock {
    /// A closure in a structure: as the value of a task it makes an optimised build crash (Swift 6.3).
    package struct Source: Sendable {
        fileprivate let read: @Sendable () -> Double

        package init(_ read: @escaping @Sendable () -> Double) { self.read = read }
    }

    @TaskLocal package static var source = Source { Date().timeIntervalSince1970 }

    static func now() -> Double { source.read() }
}
