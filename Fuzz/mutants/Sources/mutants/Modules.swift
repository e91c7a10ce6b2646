/// The modules whose sources are changed, each a folder in a half of `Sources`.
enum Modules {
    /// Lower modules first, as in the manifest: an error in one keeps those above it from being compiled.
    static let all = [
        "Sources/Cache/Platform", "Sources/Cache/HTTPSemantics", "Sources/Cache/CacheTiers", "Sources/Cache/HTTPCache",
        "Sources/Cache/CurlTransport", "Sources/Cache/URLCaching", "Sources/Harness/GaugeSupport",
        "Sources/Harness/GaugeStatistics", "Sources/Harness/GaugeTraces", "Sources/Harness/GaugeMeasurement",
        "Sources/Harness/GaugeSubjects", "Sources/Harness/GaugeReports", "Sources/Harness/GaugeVerdicts",
        "Sources/Harness/GaugeKit",
    ]

    static func name(of folder: String) -> String { folder.split(separator: "/").last.map(String.init) ?? folder }

    /// The folders of `names`.
    ///
    /// - Throws: ``WrongUsage`` for a name that is no module.
    static func folders(of names: [String]) throws(WrongUsage) -> [String] {
        for name in names where !all.contains(where: { self.name(of: $0) == name }) {
            let known = all.map { self.name(of: $0) }.joined(separator: ", ")
            throw WrongUsage("there is no module \(name); choose from \(known)")
        }
        return names.isEmpty ? all : all.filter { names.contains(name(of: $0)) }
    }

    /// The folders below the two halves that ``all`` lacks, because a module was added or renamed.
    static func unlisted(in files: [String]) -> Set<String> {
        let folders = files.compactMap { file -> String? in
            let parts = file.split(separator: "/")
            guard file.hasSuffix(".swift"), parts.count > 3, parts[0] == "Sources", parts[1] != "Oracles" else {
                return nil
            }
            return parts.prefix(3).joined(separator: "/")
        }
        return Set(folders).subtracting(all)
    }
}
