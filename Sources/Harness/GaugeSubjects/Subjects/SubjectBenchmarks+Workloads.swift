import GaugeMeasurement
import GaugeTraces

extension SubjectBenchmarks {
    /// A row for each predefined workload, as `cache/page-loads`, and `cache/mix` for the web-like workload, which alone
    /// is in the default suite.
    @inlinable
    package static func workloads<Subject: CacheSubject>(
        _ type: Subject.Type, isPeer: Bool, reference: String = "tiered"
    ) -> [Benchmark] {
        let tier: SubjectTier = Subject.capabilities.contains(.disk) ? .both : .memory
        let work = { (name: String, suites: Set<String>) in
            SubjectCase("cache", name, tier: tier, bodyCount: 0, suites: suites, reference: reference)
        }
        return [mix(type, work("mix", ["default"]), isPeer: isPeer)]
            + WorkloadPlan.presets.map { plan in
                mix(type, work(plan.name, []), isPeer: isPeer, workload: { Workload(plan, seed: $0) })
            }
    }
}
