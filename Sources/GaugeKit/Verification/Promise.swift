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

    /// All of them, in the order of the report.
    static let all = keys + requests + capacities + eviction + files + others
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
