/// Whether a subject reads URLs, or takes their text as a key, as a store of keys and values does. Where the text is the
/// key, promises about spellings of a URL mean nothing.
enum URLReading {
    /// - Throws: ``PromiseNotApplicable`` for a subject that tells all spellings of a URL apart and does not declare
    ///   whole requests; errors of the subject.
    static func require(_ trial: Trial) throws {
        guard !trial.capabilities.contains(.requests), try !joinsSpellings(trial) else { return }
        throw PromiseNotApplicable(
            description: "it takes the text of a URL as its key, and does not say that it has whole requests")
    }

    private static let url = "https://a.example/"
    private static let spellings = [
        "https://A.Example/", "https://a.example:443/", "HTTPS://a.example/", "https://a.example",
        "https://a.example/#part",
    ]

    /// Whether any other spelling finds the entry.
    private static func joinsSpellings(_ trial: Trial) throws -> Bool {
        try trial.silently(true) {
            try trial.begin()
            defer { trial.clean() }
            try trial.store(SubjectRequest(url))
            return try spellings.contains {
                try trial.found(SubjectRequest($0), storedAs: SubjectRequest(url)) != nil
            }
        }
    }
}
