/// Something that applications rely on a URL cache for, and how to try whether a subject keeps it.
struct Promise: Sendable {
    /// The name on the command line.
    let name: String
    /// What is promised, in a sentence.
    let summary: String
    /// What a subject has to be able to do for it; one that is not is not blamed.
    let needs: SubjectCapabilities
    /// Tries it.
    ///
    /// - Throws: ``PromiseBroken``, ``PromiseNotApplicable``; any other error of the subject breaks the promise too.
    let check: @Sendable (Trial) throws -> Void

    init(
        _ name: String, _ summary: String, needs: SubjectCapabilities = [],
        check: @escaping @Sendable (Trial) throws -> Void
    ) {
        self.name = name
        self.summary = summary
        self.needs = needs
        self.check = check
    }

    /// What a subject is driven as: by whole requests where it can be, as itself in what only that can do.
    func driven(_ subject: any CacheSubject.Type) -> any CacheSubject.Type {
        !subject.verified.capabilities.isSuperset(of: needs) && subject.capabilities.isSuperset(of: needs)
            ? subject : subject.verified
    }

    /// What a subject would have to be able to do and does not say that it is.
    func lacking(_ subject: any CacheSubject.Type) -> [String] {
        let capabilities = driven(subject).capabilities
        return SubjectCapabilities.named.filter { needs.contains($0.set) && !capabilities.contains($0.set) }
            .map(\.name)
    }

    /// All of them, in the order of the report.
    static let all = keys + collisions + requests + capacities + eviction + policies + files + others
}

/// The subject cannot be tried; why.
struct PromiseNotApplicable: Error, CustomStringConvertible {
    let description: String
}

/// What became of a promise.
enum PromiseVerdict: Codable, Equatable, Sendable {
    case kept
    case broken(reason: String)
    case notApplicable(reason: String)
}

/// Breaks the promise unless a condition holds.
func expect(_ condition: Bool, _ otherwise: @autoclosure () -> String) throws(PromiseBroken) {
    if !condition { throw PromiseBroken(otherwise()) }
}
