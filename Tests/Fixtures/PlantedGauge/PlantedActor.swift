import GaugeKit

/// A dictionary behind an actor. In the build `worse` a lookup takes longer.
actor PlantedActor: AsyncCacheSubject {
    static let name = "actor"
    static let capabilities: SubjectCapabilities = [.memory, .threads]

    /// A few of its rows, in no suite.
    static let benchmarks = SubjectBenchmarks.rows(asynchronous: PlantedActor.self, isPeer: false, reference: name)
        .filter { ["hit/1k", "store/1k", "hits/1k/2-tasks"].contains($0.name.case) }
        .map { row in
            var row = row
            row.suites = []
            return row
        }

    private var bodies: [String: SubjectValue] = [:]

    init(_ configuration: SubjectConfiguration) {}

    nonisolated func key(for url: String) -> String { url }

    func lookUp(_ key: String) -> (body: SubjectValue, outcome: Outcome)? {
        if PlantedGauge.build == "worse" { PlantedGauge.spin(500) }
        return bodies[key].map { ($0, .memoryHit) }
    }

    func store(_ body: SubjectValue, for key: String) -> Outcome {
        bodies[key] = body
        return .store
    }

    func remove(_ key: String) { bodies[key] = nil }
}
