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

/// Computes a ``MissRatioCurve`` from the accesses of a trace one by one.
package struct MissRatioCurveMaker {
    private let unit: MissRatioCurve.Unit
    private let capacities: [Int]?
    /// All capacities at once: for entries, as long as every response is stored for ever. `nil` where it cannot be used.
    private var distances: StackDistances?
    /// The number of requests at each distance.
    private var histogram: [Int] = []
    private var simulations: [AccessSimulation] = []
    private var requests = 0
    private var requestedBytes = 0
    private var objects = 0

    /// The default capacities, bytes: 1 MiB to 1 GiB.
    package static let defaultSizes = (20...30).map { 1 << $0 }

    /// - Parameters:
    ///   - capacities: those of the curve; `nil` for powers of two, which go up to the number of objects when entries are
    ///     counted.
    ///   - admission: tells the largest entry that a capacity admits.
    ///   - hasExchanges: whether the trace has HTTP metadata, so that responses may expire or be removed. Stack distances
    ///     do not describe that, and each capacity is simulated.
    package init(
        unit: MissRatioCurve.Unit, capacities: [Int]?, admission: AdmissionRule = .any, hasExchanges: Bool = false
    ) {
        self.unit = unit
        self.capacities = capacities
        switch unit {
        case .entries where !hasExchanges: distances = StackDistances()
        case .entries: simulations = (capacities ?? [1]).map { AccessSimulation(.entries($0)) }
        case .bytes:
            simulations = (capacities ?? Self.defaultSizes).map {
                AccessSimulation(.bytes($0, largest: admission.largest(ofCapacity: $0)))
            }
        }
    }

    /// Adds an access.
    package mutating func add(_ access: TraceAccess) {
        requests += 1
        requestedBytes = requestedBytes.addingClamped(access.size)
        objects = max(objects, access.object + 1)
        if distances != nil {
            guard let distance = distances?.access(UInt64(access.object)) else { return }
            if distance >= histogram.count {
                histogram.append(contentsOf: repeatElement(0, count: distance + 1 - histogram.count))
            }
            histogram[distance] += 1
            return
        }
        for index in simulations.indices { simulations[index].apply(access) }
        if unit == .entries, capacities == nil { continueLadder() }
    }

    /// Adds the next power of two when the largest cache is full: until then, larger ones hold the same.
    private mutating func continueLadder() {
        guard let last = simulations.last, last.cache.count == last.cache.capacity.amount else { return }
        simulations.append(last.enlarged(to: .entries(2 * last.cache.capacity.amount)))
    }

    /// The curve of all added accesses.
    package var curve: MissRatioCurve {
        MissRatioCurve(
            unit: unit, points: points, requests: requests, requestedBytes: requestedBytes, objects: objects)
    }

    private var points: [MissRatioCurve.Point] {
        guard distances != nil else {
            let points = simulations.map { MissRatioCurve.Point(capacity: $0.cache.capacity.amount, sum: $0.sum) }
            guard unit == .entries, capacities == nil, let last = points.last else { return points }
            return powersOfTwo.enumerated().map { index, capacity in
                MissRatioCurve.Point(capacity: capacity, sum: (index < points.count ? points[index] : last).sum)
            }
        }
        var hits = [0]
        for count in histogram { hits.append(hits[hits.count - 1] + count) }
        return (capacities ?? powersOfTwo).map { capacity in
            MissRatioCurve.Point(
                capacity: capacity, sum: HitSum(hits: hits[min(capacity, hits.count - 1)], bytes: 0))
        }
    }

    /// Powers of two up to the first that holds all objects.
    private var powersOfTwo: [Int] {
        var powers = [1]
        while powers[powers.count - 1] < objects { powers.append(powers[powers.count - 1] * 2) }
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
