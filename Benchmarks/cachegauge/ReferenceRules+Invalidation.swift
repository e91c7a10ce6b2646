import Foundation
import GaugeTraces

extension ReferenceRules {
    /// The URLs of `Location` and `Content-Location` that have the request's origin (RFC 9111, section 4.4).
    func invalidated(by exchange: HTTPExchange, url: String) -> [String] {
        guard let base = URL(string: url) else { return [] }
        return exchange.responseFields.compactMap { field in
            let name = String(decoding: field.name, as: UTF8.self).lowercased()
            guard name == "location" || name == "content-location",
                let other = URL(string: String(decoding: field.value, as: UTF8.self), relativeTo: base)?.absoluteURL,
                Self.origin(of: other) == Self.origin(of: base)
            else { return nil }
            return other.absoluteString
        }
    }

    private static func origin(of url: URL) -> [String?] {
        let scheme = url.scheme?.lowercased()
        return [scheme, url.host()?.lowercased(), "\(url.port ?? (scheme == "https" ? 443 : 80))"]
    }
}
