/// The hits of caches of several policies and capacities over one trace.
package struct MissRatioCurve: Sendable {
    /// The hits of one policy and capacity.
    package struct Point: Hashable, Sendable {
        /// The name of the policy.
        package let policy: String
        package let capacity: Int
        /// The hits, estimated if the trace was sampled.
        package var sum: HitSum
        /// The estimate of a sample; `nil` without one.
        package var estimate: SampleEstimate?

        package init(policy: String, capacity: Int, sum: HitSum, estimate: SampleEstimate? = nil) {
            (self.policy, self.capacity, self.sum, self.estimate) = (policy, capacity, sum, estimate)
        }
    }

    /// The unit of the capacities.
    package enum Unit: String, CaseIterable, Sendable {
        /// Objects, of whatever size.
        case entries
        /// Bytes, as the admission rule counts them.
        case bytes
    }

    /// The unit of the capacities.
    package let unit: Unit
    /// The capacity of the disk tier behind the policies whose names end with a ``TierArrangement``; `nil` without one.
    package let disk: Int?
    /// Points of one policy after the other, each in the given order of the capacities.
    package let points: [Point]
    /// The number of requests, hits or not.
    package let requests: Int
    /// Bytes of all requested bodies.
    package let requestedBytes: Int
    /// The number of requested objects, in the sample if there is one.
    package let objects: Int
    /// Whether stack distances gave the hits of every capacity at once.
    package let isOfDistances: Bool
    /// The sampled keys; `nil` if every key was simulated.
    package let sample: SampleSummary?
    /// The hits, at most, that came while the response was under way and shared its fetch; 0 with a sample.
    package var shared = 0

    package init(
        unit: Unit, disk: Int? = nil, points: [Point], requests: Int, requestedBytes: Int, objects: Int,
        isOfDistances: Bool = false,
        sample: SampleSummary? = nil
    ) {
        (self.unit, self.disk, self.points, self.requests) = (unit, disk, points, requests)
        (self.requestedBytes, self.objects) = (requestedBytes, objects)
        (self.isOfDistances, self.sample) = (isOfDistances, sample)
    }

    /// The policies, in the order of the points.
    package var policies: [String] {
        var policies: [String] = []
        for point in points where policies.last != point.policy { policies.append(point.policy) }
        return policies
    }
}
