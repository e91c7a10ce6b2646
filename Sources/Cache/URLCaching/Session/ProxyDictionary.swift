import CurlTransport
import Platform

/// What `URLSessionConfiguration.connectionProxyDictionary` says, by the names that Apple's systems have for it.
///
/// As there, a proxy counts where its `Enable` is 1. Nothing goes out directly because a proxy is named wrongly: its
/// requests fail with `cannotFindHost`.
struct ProxyDictionary {
    private(set) var settings = ProxySettings()
    private(set) var problems: [SettingProblem] = []

    private static let known: Set<String> = [
        "HTTPEnable", "HTTPProxy", "HTTPPort", "HTTPSEnable", "HTTPSProxy", "HTTPSPort", "SOCKSEnable", "SOCKSProxy",
        "SOCKSPort", "ExceptionsList",
    ]

    init(_ dictionary: [AnyHashable: Any]) {
        for case let name as String in dictionary.keys.map(\.base) where !Self.known.contains(name) {
            // Switched off, it asks for nothing.
            if name.hasSuffix("Enable"), dictionary[name].flatMap(Self.number) == 0 { continue }
            note(name, "only HTTP, HTTPS and SOCKS proxies by name and port are known", "remove it")
        }
        settings.http = proxy("HTTP", scheme: "http", port: 80, dictionary)
        settings.https = proxy("HTTPS", scheme: "http", port: 80, dictionary)
        // Used for what has no proxy of its own. It looks up names, as on Apple's systems.
        if let socks = proxy("SOCKS", scheme: "socks5h", port: 1080, dictionary) {
            settings.http = settings.http ?? socks
            settings.https = settings.https ?? socks
        }
        for exception in dictionary["ExceptionsList"] as? [String] ?? [] {
            let host = exception.hasPrefix("*.") ? String(exception.dropFirst(2)) : exception
            if host == "*" || !host.isEmpty && !host.contains(where: { "*?, ".contains($0) }) {
                settings.exceptions.append(host)
            } else {
                note("ExceptionsList: \(exception)", "it is no host or *.domain", "name the hosts")
            }
        }
    }

    /// - Returns: `nil` if it is not switched on.
    private mutating func proxy(
        _ kind: String, scheme: String, port usual: Int, _ dictionary: [AnyHashable: Any]
    ) -> String? {
        guard let isEnabled = dictionary[kind + "Enable"].flatMap(Self.number), isEnabled != 0 else {
            if dictionary[kind + "Proxy"] != nil, dictionary[kind + "Enable"] == nil {
                note(kind + "Proxy", "it is not switched on", "set \(kind)Enable to 1")
            }
            return nil
        }
        let host = dictionary[kind + "Proxy"] as? String ?? ""
        let port = dictionary[kind + "Port"].map { Self.number($0) ?? 0 } ?? usual
        let isName = host.utf8.allSatisfy { $0 > 0x20 && $0 < 0x7F && !"/@?#\\%".utf8.contains($0) }
        guard !host.isEmpty, isName, 1...65_535 ~= port else {
            note(
                kind + "Proxy", "\"\(host)\" with port \(port) is no proxy, and requests by it fail",
                "set \(kind)Proxy to a host and \(kind)Port to 1...65535")
            return "http://proxy.invalid:1"
        }
        return "\(scheme)://\(host.contains(":") && !host.hasPrefix("[") ? "[\(host)]" : host):\(port)"
    }

    private static func number(_ value: Any) -> Int? {
        switch value {
        case let number as Int: number
        case let flag as Bool: flag ? 1 : 0
        case let number as NSNumber: number.intValue
        case let text as String: Int(text)
        default: nil
        }
    }

    private mutating func note(_ name: String, _ reason: String, _ remedy: String) {
        problems.append(SettingProblem(setting: "connectionProxyDictionary[\(name)]", reason: reason, remedy: remedy))
    }
}
