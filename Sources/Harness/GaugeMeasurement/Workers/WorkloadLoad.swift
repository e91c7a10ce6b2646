import GaugeSupport
import GaugeTraces

/// A workload for `run`, and the rate at which its requests are sent.
package struct WorkloadLoad: Sendable {
    package let plan: WorkloadPlan
    /// Requests per second; `nil` for a closed loop.
    package let rate: Double?

    /// Creates a load that sends `rate` requests per second or, with `nil`, sends each request after the previous
    /// answer.
    package init(plan: WorkloadPlan, rate: Double?) {
        self.plan = plan
        self.rate = rate
    }

    /// The options that pass it to a worker.
    package var arguments: [String] { ["--workload=\(plan.json)"] + (rate.map { ["--rate=\($0)"] } ?? []) }

    /// A line for people.
    package var summary: String {
        let loop =
            rate.map { "open loop: \(JSONFields.text($0)) requests a second, each sent when it is due" }
            ?? "closed loop: each request is sent when the one before it is answered"
        let bodies = BodySizes(plan.sizes, seed: 0)
        return "workload \(plan.name): \(plan.keys) over \(plan.objects) objects, bodies \(bodies); \(loop)"
    }
}
