/// The default directory of a cache.
enum CacheDirectory {
    /// The process's name in the user's folder for caches: `~/Library/Caches` on Apple systems, elsewhere
    /// `$XDG_CACHE_HOME`, when that is an absolute path, or `~/.cache` (XDG Base Directory Specification).
    static var `default`: String { path(environment: ProcessInfo.processInfo.environment) }

    /// - Parameter environment: the process's environment, or a test's.
    static func path(environment: [String: String]) -> String {
        let name = ProcessInfo.processInfo.processName
        #if canImport(Darwin)
        let caches = FileManager.default.urls(for: .cachesDirectory, in: .userDomainMask).first?.path
        return "\(caches ?? NSTemporaryDirectory())/\(name)/ResponseCache"
        #else
        if let caches = environment["XDG_CACHE_HOME"], caches.hasPrefix("/") {
            return "\(caches)/\(name)/ResponseCache"
        }
        // NSHomeDirectory asks the user database where HOME is not set.
        let home = environment["HOME"].flatMap { $0.hasPrefix("/") ? $0 : nil } ?? NSHomeDirectory()
        return "\(home)/.cache/\(name)/ResponseCache"
        #endif
    }
}
