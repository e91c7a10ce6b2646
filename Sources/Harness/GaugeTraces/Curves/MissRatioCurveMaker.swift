import GaugeSupport

/// Computes a ``MissRatioCurve`` from a trace, access by access.
///
/// LRU by entries needs no simulation if every response is stored for ever: stack distances give all capacities at
/// once. Every other policy and capacity is simulated, all at the same time.
package struct MissRatioCurveMaker {
    private let unit: MissRatioCurve.Unit
    private let offline: [OfflinePolicy]
    private let capacities: [Int]
    private let disk: Int?
    /// Whether capacities above the number of objects are left out.
    private let endsAtObjects: Bool
    private var distances: DistanceHistogram?
    private var simulations: SimulationSet
    private var sampled: SampledSimulations?
    private var foreseen: ForeseenMisses?
    private var log: ReuseLog?
    private var pasts: [ReuseLog.Past] = []
    private var lastCosts: [Int] = []
    private(set) var requests = 0
    private var requestedBytes = 0
    private var objects = 0
    /// The requests of ``read(_:first:_:isStopped:)`` without a stated size, and those that ask for no body.
    package internal(set) var unsized = (requests: 0, bodiless: 0)

    /// The default capacities, bytes: 1 MiB to 1 GiB.
    package static let defaultSizes = (20...30).map { 1 << $0 }

    /// - Parameters:
    ///   - capacities: those of the curve; `nil` for powers of two up to the number of objects when entries are
    ///     counted, but at most to 2²⁴ unless stack distances are used.
    ///   - disk: the capacity of a disk tier, and its arrangements; each policy is simulated in front of it too.
    ///   - offline: the policies that know the future, with the capacity of both tiers; they take 8 to 16 bytes per
    ///     request.
    ///   - admission: tells the largest entry that a capacity admits.
    ///   - usesDistances: whether stack distances may give the hits of LRU by entries. Pass `false` if the trace has
    ///     HTTP metadata: responses may then expire or be removed, and each capacity is simulated.
    ///   - sample: the keys that are simulated; only their accesses are added.
    package init(
        unit: MissRatioCurve.Unit, capacities: [Int]?, disk: Int? = nil,
        arrangements: [TierArrangement] = TierArrangement.allCases, policies: [PolicyKind] = [.lru],
        offline: [OfflinePolicy] = [], admission: AdmissionRule = .any, usesDistances: Bool = true,
        sample: KeySample? = nil
    ) {
        self.unit = unit
        let ladder = unit == .entries ? (0...24).map { 1 << $0 } : Self.defaultSizes
        func bounded(_ capacity: Int) -> Int { min(max(0, capacity), PolicyKind.largestCapacity) }
        self.capacities = (capacities ?? ladder).map(bounded)
        self.disk = disk.map(bounded)
        endsAtObjects = unit == .entries && capacities == nil
        let usesDistances =
            usesDistances && unit == .entries && sample == nil && disk == nil
            && policies.contains { $0.name == PolicyKind.lru.name }
        if usesDistances { distances = DistanceHistogram() }
        self.offline = sample == nil ? offline : []
        if !self.offline.isEmpty { log = ReuseLog() }
        let share = unit == .bytes ? admission.share : 1
        let simulated = policies.filter { !usesDistances || $0.name != PolicyKind.lru.name }
        let (all, second) = (self.capacities, self.disk.map { DiskTiers(capacity: $0, arrangements: arrangements) })
        simulations = SimulationSet(sample == nil ? simulated : [], capacities: all, disk: second, share: share)
        sampled = sample.map {
            SampledSimulations(simulated, capacities: all, disk: second, share: share, sample: $0)
        }
        foreseen = sample.map { _ in ForeseenMisses() }
    }

    /// Whether a key is in the sample, and its hash there; 0 without a sample.
    @inline(__always)
    package func hash(of id: UInt64) -> UInt64? { sampled == nil ? 0 : sampled?.sample.hash(of: id) }

    /// Adds an access.
    ///
    /// - Parameters:
    ///   - hash: the hash of the key in the sample, if there is one.
    ///   - stated: the size by which ``pass(size:isForeseen:)`` would count the request; `nil` for that of the object.
    ///   - isForeseen: whether it is a foreseen miss of a sample.
    package mutating func add(_ access: TraceAccess, hash: UInt64 = 0, stated: Int? = nil, isForeseen: Bool = false) {
        let counted = isSampled ? stated ?? access.requested : access.requested
        pass(size: counted, isForeseen: isForeseen)
        objects = max(objects, access.object + 1)
        if access.hasKey { distances?.add(access.object) }
        note(access)
        var access = access
        if access.updatesCost { access.updatesCost = isOfNewCost(access) }
        if sampled != nil {
            sampled?.add(access, hash: hash, counted: counted, isForeseen: isForeseen)
        } else {
            simulations.add(SimulatedAccess(access, object: access.object), objects: objects)
        }
    }

    var isSampled: Bool { sampled != nil }

    /// Whether accesses need only be simulated, without stack distances, sample and log.
    func takesPlain(_ rules: AccessRules) -> Bool {
        distances == nil && sampled == nil && log == nil && !(rules.sizeChanges == .update && rules.countsBytes)
    }

    /// Adds an access; see ``takesPlain(_:)``.
    @inline(__always)
    mutating func add(_ access: SimulatedAccess) {
        pass(size: access.size)
        objects = max(objects, Int(access.object) + 1)
        simulations.add(access, objects: objects)
    }

    /// Whether an entry's cost differs from that of the last request; notes it. A request that bypasses the cache says
    /// nothing about the entry.
    private mutating func isOfNewCost(_ access: TraceAccess) -> Bool {
        guard !access.isPassed else { return false }
        while lastCosts.count < objects { lastCosts.append(-1) }
        defer { lastCosts[access.object] = access.cost }
        return lastCosts[access.object] != access.cost
    }

    /// Counts a request for a key that isn't in the sample.
    ///
    /// - Parameters:
    ///   - size: the size that the request states, or else the assumed one, since the object's last size isn't known.
    ///     The keys in the sample tell how far off that is, see ``SampledSimulations/bytes(counted:)``.
    ///   - isForeseen: whether it is a foreseen miss.
    @inline(__always)
    package mutating func pass(size: Int, isForeseen: Bool = false) {
        requests += 1
        requestedBytes = requestedBytes.addingClamped(size)
        if isForeseen { sampled?.foreseen.add(size) }
    }

    private mutating func note(_ access: TraceAccess) {
        guard log != nil, !access.isPassed, access.hasKey else { return }
        while pasts.count < objects { pasts.append(ReuseLog.Past()) }
        log?.note(&pasts[access.object], access)
    }

    /// The curve of all added accesses.
    package mutating func curve() -> MissRatioCurve {
        var curve = MissRatioCurve(
            unit: unit, disk: disk, points: points(), requests: requests, requestedBytes: allBytes,
            objects: objects,
            isOfDistances: distances != nil, sample: (sampled?.sample).map(SampleSummary.init))
        curve.shared = simulations.shared
        return curve
    }

    private var allBytes: Int { sampled?.bytes(counted: requestedBytes) ?? requestedBytes }

    private mutating func points() -> [MissRatioCurve.Point] {
        let bytes = allBytes
        if let estimates = sampled?.estimates(requests: requests, bytes: bytes), let names = sampled?.names {
            return zip(names, estimates).map {
                let sum = $1.hits(of: requests, bytes: bytes)
                return .init(policy: $0.policy, capacity: $0.capacity, sum: sum, estimate: $1)
            }
        }
        simulations.flush()
        var points: [MissRatioCurve.Point] = []
        let wanted = endsAtObjects ? powersOfTwo : capacities
        if let distances {
            points += wanted.map {
                .init(policy: PolicyKind.lru.name, capacity: $0, sum: HitSum(hits: distances.hits(at: $0)))
            }
        }
        points += zip(simulations.names, simulations.sums).map {
            .init(policy: $0.policy, capacity: $0.capacity, sum: $1)
        }
        .filter { !endsAtObjects || $0.capacity <= wanted[wanted.count - 1] }
        guard let log, !log.isOverfull else { return points }
        for policy in offline {
            for capacity in wanted {
                guard let sum = policy.hits(in: log, capacity: capacity + (disk ?? 0), unit: unit) else { continue }
                points.append(.init(policy: policy.rawValue, capacity: capacity, sum: sum.capped(by: log.infinite)))
            }
        }
        return points
    }

    /// Powers of two up to the first that holds all objects.
    private var powersOfTwo: [Int] {
        var powers = [1]
        while powers[powers.count - 1] < objects { powers.append(powers[powers.count - 1] * 2) }
        return powers
    }
}

extension MissRatioCurveMaker {
    /// Adds all requests of a trace.
    ///
    /// - Parameters:
    ///   - first: a request that has been read already.
    ///   - isStopped: whether to stop; asked about every thousand requests.
    ///   - progress: called as often, with the requests so far.
    /// - Throws: ``TraceError`` when the trace is damaged.
    package mutating func read(
        _ reader: inout TraceReader, first: TraceRequest, _ rules: inout AccessRules, isStopped: () -> Bool,
        progress: (Int) -> Void = { _ in }
    ) throws(TraceError) {
        add(first, &rules, reader)
        var block: [PlainRequest] = []
        block.reserveCapacity(Self.block)
        let isPlain = reader.isPlain && takesPlain(rules)
        while !isStopped() {
            progress(requests)
            if isPlain {
                try reader.read(into: &block)
                if !block.isEmpty {
                    add(block, &rules)
                    continue
                }
            }
            for _ in 0..<Self.block {
                guard let request = try reader.next() else { return }
                add(request, &rules, reader)
                if isPlain { break }
            }
        }
    }

    private static var block: Int { 1024 }

    private mutating func add(_ request: TraceRequest, _ rules: inout AccessRules, _ reader: borrowing TraceReader) {
        if request.lacksSize { unsized.requests += 1 } else if request.size == nil { unsized.bodiless += 1 }
        // Where the reader settles sizes, it does so only in the sample.
        let comparesSizes = rules.tellsSizesApart && !reader.isSettlingSizes
        let isForeseen = foreseen?.isForeseen(request, rules, comparesSizes: comparesSizes) ?? false
        func stated() -> Int {
            request.size ?? (request.exchange?.method == "HEAD" ? 0 : rules.sizes.size(of: request.id))
        }
        if let hash = hash(of: request.id) {
            let stated = isSampled ? stated() : nil
            add(rules.access(request), hash: hash, stated: stated, isForeseen: isForeseen)
        } else {
            pass(size: stated(), isForeseen: isForeseen)
            rules.pass(request)
        }
        for other in rules.invalidated { forget(other) }
    }

    /// Removes the entry of an object from every cache.
    private mutating func forget(_ other: InvalidatedObject) {
        if other.object < pasts.count { pasts[other.object] = ReuseLog.Past() }
        if isSampled {
            if let hash = hash(of: other.id) { sampled?.forget(other.object, hash: hash) }
        } else {
            simulations.forget(other.object)
        }
    }

    /// Adds plain requests. The memory for a whole block is prefetched before its first request is added, so that the
    /// loads overlap.
    private mutating func add(_ block: [PlainRequest], _ rules: inout AccessRules) {
        rules.objects.reserve(block.count)
        for request in block { rules.objects.prefetch(request.id) }
        for request in block {
            if request.size < 0 { unsized.requests += 1 }
            add(rules.access(request))
        }
    }
}

/// A yardstick that knows the future, for the curves of policies that don't. It needs the whole trace in memory.
package enum OfflinePolicy: String, CaseIterable, Sendable {
    /// Belady's MIN by entries; by bytes, a heuristic like it.
    case belady
    /// An upper bound for every policy, by bytes.
    case footprint = "pfoo-l"

    /// The rule in one line.
    package var summary: String {
        switch self {
        case .belady: "knows the future: latest next request first; by bytes, largest size × time (Belady 1966)"
        case .footprint: "upper bound by bytes, with knowledge of the future (PFOO-L, Berger 2018)"
        }
    }

    /// The hits in a logged trace; `nil` if the policy makes no sense there.
    func hits(in log: ReuseLog, capacity: Int, unit: MissRatioCurve.Unit) -> HitSum? {
        switch (self, unit) {
        case (.belady, .entries): log.turned().hitsOfMIN(entries: capacity)
        case (.belady, .bytes): log.turned().hitsOfBeladyBySize(capacity: capacity)
        case (.footprint, .entries): nil
        case (.footprint, .bytes): log.footprintBound(capacity: capacity)
        }
    }
}
