import Platform

extension FuzzTarget {
    /// The target of that name.
    static func named(_ name: String) -> FuzzTarget? {
        all.first { $0.name == name }
    }

    /// Prints on stderr that no target has this name, and lists the targets.
    static func printUnknown(_ name: String) {
        let names = all.map(\.name).joined(separator: ", ")
        printError("cachefuzz: no target is called '\(name)'; the targets are \(names)")
    }
}

/// Prints one line on stderr.
func printError(_ line: String) {
    let bytes = Array((line + "\n").utf8)
    _ = bytes.withUnsafeBytes { write(STDERR_FILENO, $0.baseAddress, $0.count) }
}
