/// The hits of LRU caches of many capacities over one trace.
package struct MissRatioCurve {
    /// The hits of one capacity.
    package struct Point: Hashable {
        package let capacity: Int
        package var sum: HitSum
    }

    /// The unit of the capacities.
    package enum Unit: String, CaseIterable, Sendable {
        /// Objects, of whatever size; exact for all capacities at once.
        case entries
        /// Bytes of bodies; each capacity simulated.
        case bytes
    }

    /// The unit of the capacities.
    package let unit: Unit
    /// One point for each capacity, in the given order.
    package let points: [Point]
    /// The number of requests, hits or not.
    package let requests: Int
    /// Bytes of all requested bodies.
    package let requestedBytes: Int
    /// The number of requested objects.
    package let objects: Int
}

/// Computes a ``MissRatioCurve`` from requests one by one.
package struct MissRatioCurveMaker {
    private let unit: MissRatioCurve.Unit
    private let capacities: [Int]?
    private var distances = StackDistances()
    /// The number of requests at each distance.
    private var histogram: [Int] = []
    private var simulations: [(cache: ExactLRU, sum: HitSum)]
    private var requests = 0
    private var requestedBytes = 0

    /// The default capacities, bytes: 1 MiB to 1 GiB.
    package static let defaultSizes = (20...30).map { 1 << $0 }

    /// - Parameter capacities: those of the curve; `nil` for powers of two, which go up to the number of objects when
    ///   entries are counted.
    package init(unit: MissRatioCurve.Unit, capacities: [Int]?) {
        self.unit = unit
        self.capacities = capacities
        simulations =
            unit == .entries
            ? []
            : (capacities ?? Self.defaultSizes).map {
                (ExactLRU(capacity: .bytes($0, largest: $0)), HitSum())
            }
    }

    /// Adds a request.
    ///
    /// - Parameter isStored: whether a cache keeps the object; if not, the request is a miss.
    package mutating func add(_ id: UInt64, size: Int, isStored: Bool = true) {
        requests += 1
        requestedBytes = requestedBytes.addingClamped(size)
        guard isStored else { return }
        let distance = distances.access(id)
        switch unit {
        case .entries:
            guard let distance else { return }
            if distance >= histogram.count {
                histogram.append(contentsOf: repeatElement(0, count: distance + 1 - histogram.count))
            }
            histogram[distance] += 1
        case .bytes:
            for index in simulations.indices where simulations[index].cache.access(id, size: size) {
                simulations[index].sum.add(size)
            }
        }
    }

    /// The curve of all added requests.
    package var curve: MissRatioCurve {
        MissRatioCurve(
            unit: unit, points: points, requests: requests, requestedBytes: requestedBytes,
            objects: distances.objectCount)
    }

    private var points: [MissRatioCurve.Point] {
        switch unit {
        case .bytes:
            return simulations.map {
                MissRatioCurve.Point(capacity: $0.cache.capacity.amount, sum: $0.sum)
            }
        case .entries:
            var hits = [0]
            for count in histogram { hits.append(hits[hits.count - 1] + count) }
            return (capacities ?? powersOfTwo).map { capacity in
                MissRatioCurve.Point(
                    capacity: capacity, sum: HitSum(hits: hits[min(capacity, hits.count - 1)], bytes: 0))
            }
        }
    }

    /// Powers of two up to the first that holds all objects.
    private var powersOfTwo: [Int] {
        var powers = [1]
        while powers[powers.count - 1] < distances.objectCount { powers.append(powers[powers.count - 1] * 2) }
        return powers
    }
}

extension ExactLRU.Capacity {
    /// The number of entries or bytes.
    package var amount: Int {
        switch self {
        case .entries(let count): count
        case .bytes(let count, _): count
        }
    }
}
