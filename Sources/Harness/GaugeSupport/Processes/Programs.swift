import Platform

/// Finds programs that may be installed.
package enum Programs {
    /// The path of an executable file with that name in a list of directories such as `PATH`; `nil` if it is missing.
    package static func find(_ name: String, in path: String?) -> String? {
        for directory in (path ?? "").split(separator: ":") {
            let candidate = "\(directory)/\(name)"
            if access(candidate, X_OK) == 0 { return candidate }
        }
        return nil
    }
}
