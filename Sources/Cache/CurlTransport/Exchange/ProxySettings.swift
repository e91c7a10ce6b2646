import Foundation

/// The proxies of a configuration, in the place of those of the environment.
package struct ProxySettings: Sendable, Hashable {
    /// As libcurl takes it, `scheme://host:port`; `nil` to ask origins directly.
    package var http: String?
    /// The same for https.
    package var https: String?
    /// Hosts that are asked directly: names, which stand for their subdomains, too, or `*` for all.
    package var exceptions: [String] = []

    /// No proxy.
    package init() {}

    /// Sets the options of a transfer. An empty text keeps libcurl from looking into the environment.
    func apply(to easy: CurlLibrary.Handle, _ library: CurlLibrary, isEncrypted: Bool) {
        library.set(easy, .proxy, (isEncrypted ? https : http) ?? "")
        library.set(easy, .exceptedHosts, exceptions.joined(separator: ","))
    }
}
