import Platform

/// Programs that may be installed or not.
package enum Programs {
    /// The path of an executable file of that name in a list of directories such as `PATH`; `nil` when there is none.
    package static func find(_ name: String, in path: String?) -> String? {
        for directory in (path ?? "").split(separator: ":") {
            let candidate = "\(directory)/\(name)"
            if access(candidate, X_OK) == 0 { return candidate }
        }
        return nil
    }
}
