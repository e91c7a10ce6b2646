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

    /// Those of a configuration's settings that are not the default, and have no effect.
    static func all(of settings: URLSessionConfiguration) -> [SettingProblem] {
        var problems: [SettingProblem] = []
        if let identifier = settings.identifier {
            problems.append(
                SettingProblem(
                    setting: "background(withIdentifier: \"\(identifier)\")",
                    reason: "a CachingSession ends with its process", remedy: "use URLSession for background transfers")
            )
        }
        #if canImport(FoundationNetworking)
        if settings.connectionProxyDictionary?.isEmpty == false {
            problems.append(
                SettingProblem(
                    setting: "connectionProxyDictionary", reason: "libcurl takes proxies from the environment",
                    remedy: "set http_proxy, https_proxy and no_proxy"))
        }
        let usual = URLSessionConfiguration.default
        let ignored: [(String, Bool, String)] = [
            ("networkServiceType", settings.networkServiceType != usual.networkServiceType, "remove it"),
            ("allowsCellularAccess", settings.allowsCellularAccess != usual.allowsCellularAccess, "remove it"),
            ("isDiscretionary", settings.isDiscretionary != usual.isDiscretionary, "remove it"),
        ]
        for (setting, isSet, remedy) in ignored where isSet {
            problems.append(SettingProblem(setting: setting, reason: "Linux does not know it", remedy: remedy))
        }
        #endif
        return problems
    }

    private static let told = Locked<Set<SettingProblem>>([])

    /// Writes problems to the standard error, each once in a process.
    static func tell(_ problems: [SettingProblem]) {
        guard !problems.isEmpty else { return }
        let new = told.withLock { told in problems.filter { told.insert($0).inserted } }
        for problem in new { FileHandle.standardError.write(Data("CachingSession: \(problem)\n".utf8)) }
    }
}
