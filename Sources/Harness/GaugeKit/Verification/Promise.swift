/// A property of a URL cache that applications rely on, and a check whether a subject has it.
package struct Promise: Sendable {
    package let name: String
    package let summary: String
    /// The capabilities that the check needs; a subject without them doesn't break the promise.
    package let needs: SubjectCapabilities
    /// Whether caches that count entries are tried, too, in place of a capacity.
    package let holdsOfEntries: Bool
    /// The declared limit that the promise is about.
    package let declaration: SubjectLimits.Declaration?
    /// The eviction policies under which the promise is made.
    package let policies: Set<SubjectEvictionPolicy>
    /// The kind of random sequences that try the promise; `nil` for fixed steps.
    package let sequences: ModelSequence.Kind?
    /// - Throws: ``PromiseBroken``, ``PromiseNotApplicable``; any other error of the subject breaks the promise too.
    package let check: @Sendable (Trial) throws -> Void

    package init(
        _ name: String, _ summary: String, needs: SubjectCapabilities = [], holdsOfEntries: Bool = false,
        declares declaration: SubjectLimits.Declaration? = nil,
        policies: Set<SubjectEvictionPolicy> = Set(SubjectEvictionPolicy.allCases),
        sequences: ModelSequence.Kind? = nil,
        check: @escaping @Sendable (Trial) throws -> Void
    ) {
        (self.name, self.summary, self.needs, self.holdsOfEntries) = (name, summary, needs, holdsOfEntries)
        (self.declaration, self.policies, self.sequences, self.check) = (declaration, policies, sequences, check)
    }

    /// The type that is checked: the one driven by whole requests if possible, or the subject itself if only that has
    /// the capabilities.
    package func driven(_ subject: any CacheSubject.Type) -> any CacheSubject.Type {
        !lacking(subject.verified.capabilities).isEmpty && lacking(subject.capabilities).isEmpty
            ? subject : subject.verified
    }

    /// The needed capabilities that are missing here.
    private func lacking(_ capabilities: SubjectCapabilities) -> SubjectCapabilities {
        let needs = holdsOfEntries && capabilities.countsEntries ? needs.subtracting(.capacity) : needs
        return needs.subtracting(capabilities)
    }

    /// The names of needed capabilities and limits that a subject doesn't declare.
    package func lacking(_ subject: any CacheSubject.Type) -> [String] {
        let driven = driven(subject)
        let lacking = lacking(driven.capabilities)
        let limit = declaration.flatMap { driven.limits.declares($0) ? nil : $0.rawValue }
        return SubjectCapabilities.named.filter { lacking.contains($0.set) }.map(\.name) + (limit.map { [$0] } ?? [])
    }

    /// What most promises store.
    static let request = SubjectRequest("https://a.example/p")

    /// The promises that fixed steps try.
    package static let fixed =
        keys + collisions + requests + capacities + eviction + orders + uses + places + room + lifetimes + policies
        + files + reopened + outcomes + others

    /// All promises, in the order of the report.
    package static let all = fixed + models
}

/// The promise can't be checked on this subject; the description says why.
package struct PromiseNotApplicable: Error, CustomStringConvertible {
    package let description: String
}

/// Leaves the promise untried unless a condition holds.
func require(_ condition: Bool, _ otherwise: @autoclosure () -> String) throws(PromiseNotApplicable) {
    if !condition { throw PromiseNotApplicable(description: otherwise()) }
}

/// Breaks the promise unless a condition holds.
package func expect(_ condition: Bool, _ otherwise: @autoclosure () -> String) throws(PromiseBroken) {
    if !condition { throw PromiseBroken(otherwise()) }
}
