import Platform

/// A setting of a `URLSessionConfiguration` that has no effect on a `CachingSession`.
public struct SettingProblem: Sendable, Hashable, CustomStringConvertible {
    /// The name of the property.
    public let setting: String
    /// Why it has no effect.
    public let reason: String
    /// What to do instead.
    public let remedy: String

    /// The setting, the reason and the remedy.
    public var description: String { "\(setting) has no effect: \(reason); \(remedy)" }

    /// Those settings of a session that are not the default and have no effect.
    ///
    /// - Parameter hasTransport: the application's own carries the requests.
    static func all(of configuration: CachingSession.Configuration, hasTransport: Bool) -> [SettingProblem] {
        let settings = configuration.urlSession.makeConfiguration()
        var problems = hasTransport ? [] : carried(configuration, settings)
        let policy = settings.requestCachePolicy
        if policy != .useProtocolCachePolicy, policy != configuration.requestCachePolicy {
            problems.append(
                SettingProblem(
                    setting: "requestCachePolicy", reason: "it was taken over with urlSession",
                    remedy: "set requestCachePolicy of the CachingSession.Configuration"))
        }
        if let identifier = settings.identifier {
            problems.append(
                SettingProblem(
                    setting: "background(withIdentifier: \"\(identifier)\")",
                    reason: "a CachingSession ends with its process", remedy: "use URLSession for background transfers")
            )
        }
        #if canImport(FoundationNetworking)
        let usual = URLSessionConfiguration.default
        let (old, usualOld): (any DeprecatedSettings, any DeprecatedSettings) = (settings, usual)
        let ignored: [(String, Bool, String)] = [
            ("networkServiceType", settings.networkServiceType != usual.networkServiceType, "remove it"),
            ("allowsCellularAccess", settings.allowsCellularAccess != usual.allowsCellularAccess, "remove it"),
            ("isDiscretionary", settings.isDiscretionary != usual.isDiscretionary, "remove it"),
            (
                "httpShouldUsePipelining", old.httpShouldUsePipelining != usualOld.httpShouldUsePipelining,
                "remove it; HTTP/2 sends requests side by side"
            ),
            (
                "shouldUseExtendedBackgroundIdleMode",
                old.shouldUseExtendedBackgroundIdleMode != usualOld.shouldUseExtendedBackgroundIdleMode, "remove it"
            ),
        ]
        for (setting, isSet, remedy) in ignored where isSet {
            problems.append(SettingProblem(setting: setting, reason: "Linux does not know it", remedy: remedy))
        }
        #endif
        return problems
    }

    /// Those that the library which carries the requests does not know.
    private static func carried(
        _ configuration: CachingSession.Configuration, _ settings: URLSessionConfiguration
    ) -> [SettingProblem] {
        if configuration.usesLibcurl(settings) {
            let unasked = SettingProblem(
                setting: "protocolClasses",
                reason: "libcurl carries the requests because of carrier, pins or certificates, and asks no class",
                remedy: "leave carrier automatic, and set neither pins nor certificates")
            return (settings.hasOwnProtocols ? [unasked] : [])
                + (settings.connectionProxyDictionary.map { ProxyDictionary($0).problems } ?? [])
        }
        let usual = CachingSession.Configuration()
        var ignored = [
            ("largestHeader", configuration.largestHeader != usual.largestHeader),
            ("largestDecodedBody", configuration.largestDecodedBody != usual.largestDecodedBody),
        ]
        #if canImport(FoundationNetworking)
        ignored.append(("connectionProxyDictionary", settings.connectionProxyDictionary != nil))
        #endif
        return ignored.filter(\.1).map { setting, _ in
            SettingProblem(
                setting: setting,
                reason: "URLSession carries the requests because of carrier or protocolClasses, and does not know it",
                remedy: setting == "connectionProxyDictionary"
                    ? "let libcurl carry them, or set http_proxy, https_proxy and no_proxy" : "let libcurl carry them")
        }
    }

    /// A delegate of both kinds, of whose methods half are never called.
    static func neverCalled(_ delegate: AnyObject?, _ methods: String, remedy: String) -> [SettingProblem] {
        guard let delegate else { return [] }
        return [
            SettingProblem(
                setting: "delegate", reason: "the methods of \(methods) of \(type(of: delegate)) are not called",
                remedy: remedy)
        ]
    }

    private static let told = ForkSafe<Set<SettingProblem>>([])

    /// Writes problems to the standard error, each once in a process.
    static func tell(_ problems: [SettingProblem]) {
        guard !problems.isEmpty else { return }
        let new = told.withLock { told in problems.filter { told.insert($0).inserted } }
        for problem in new { FileHandle.standardError.write(Data("CachingSession: \(problem)\n".utf8)) }
    }
}

#if canImport(FoundationNetworking)
/// Settings that Foundation has deprecated: to name them is a warning.
private protocol DeprecatedSettings {
    var httpShouldUsePipelining: Bool { get }
    var shouldUseExtendedBackgroundIdleMode: Bool { get }
}

extension URLSessionConfiguration: DeprecatedSettings {}
#endif
