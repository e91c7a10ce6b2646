import GaugeTraces

/// Sends a workload of hours or days through a cache to a virtual origin, on a virtual clock, and judges every answer.
package struct Simulation {
    /// How the user's network is modelled.
    package struct Network: Hashable, Sendable {
        /// The round-trip time, seconds.
        package var roundTrip = 0.05
        /// Bytes per second.
        package var bandwidth = 1_250_000.0
    }

    /// The start of every simulation, seconds since 1970: 2027-01-15T08:00:00Z.
    package static let start: Int64 = 1_800_000_000

    private let workload: Workload
    private let cache: any SimulatedCache
    private let origin: SimulatedOrigin
    private let network: Network
    private var judge: SimulationJudge
    private var stream: any KeyStream
    private var random: Xoshiro256
    private var result = SimulationResult()

    package init(
        _ type: any SimulatedCache.Type, _ workload: Workload, configuration: SubjectConfiguration, network: Network,
        rules: (any ReuseRules)?, answers: Answers
    ) throws {
        self.workload = workload
        self.network = network
        origin = SimulatedOrigin(workload, start: Self.start)
        cache = try type.init(configuration, start: Self.start, origin: origin)
        judge = SimulationJudge(workload: workload, origin: origin, rules: rules, answers: answers)
        stream = workload.keys()
        random = Xoshiro256(seed: workload.seed, "simulation")
    }

    /// Runs for so many seconds of virtual time.
    ///
    /// - Parameters:
    ///   - isStopped: whether to stop; asked before each visit.
    ///   - progress: called before each visit with the share of time passed.
    package mutating func run(
        seconds: Double, isStopped: () -> Bool = { false }, progress: (Double) -> Void = { _ in }
    ) -> SimulationResult {
        var time = 0.0
        // You know the end of a visit only once the first id of the next one is drawn.
        var next = stream.next()
        while time < seconds {
            if isStopped() {
                result.isStopped = true
                break
            }
            progress(time / seconds)
            var ids = [next]
            next = stream.next()
            while !stream.beginsVisit {
                ids.append(next)
                next = stream.next()
            }
            visit(ids, at: Self.start + Int64(time))
            time += workload.plan.revisit.draw(&random)
        }
        result.origin = origin.totals
        return result
    }

    private mutating func visit(_ ids: [UInt64], at moment: Int64) {
        result.visits += 1
        var asked: [(id: UInt64, request: SimulatedRequest)] = []
        let operations = workload.plan.operations
        for id in ids {
            switch operations.isReadOnly ? .read : operations.operation(at: random.nextUnit()) {
            case .read:
                let request = read(id)
                asked.append((id, request))
                if workload.plan.duplicates > 0, random.nextUnit() < workload.plan.duplicates {
                    asked.append((id, request))
                }
            case .store:
                result.puts += 1
                judge.noteRemoval(of: id)
                _ = cache.answer([SimulatedRequest(method: "PUT", url: origin.url(of: id))], at: moment)
            case .remove:
                result.removals += 1
                judge.noteRemoval(of: id)
                cache.remove(origin.url(of: id), at: moment)
            }
        }
        guard !asked.isEmpty else { return }
        let cache = cache
        let answers = judge.observing { cache.answer(asked.map(\.request), at: moment) }
        result.requests += asked.count
        guard answers.count == asked.count else {
            judge.reject(asked[0].request, answers: answers.count, requests: asked.count)
            return judge.forget()
        }
        var (fetched, asksOrigin, bytes) = ([UInt64: Int](), false, 0)
        for (one, answer) in zip(asked, answers) {
            guard let verdict = judge.judge(one.id, one.request, answer, at: moment) else { continue }
            result.sources[verdict.source, default: 0] += 1
            if verdict.isOutdated { result.outdated += 1 }
            bytes += verdict.bytes
            switch verdict.source {
            case .fetched, .bypass:
                asksOrigin = true
                fetched[verdict.key, default: 0] += verdict.bytes
            case .revalidated: asksOrigin = true
            case .memory, .disk, .stale: break
            }
        }
        judge.forget()
        // Answers that share a fetch wait for one body. A refresh behind a stale answer keeps nobody waiting.
        let fetchedBytes = fetched.reduce(0) { $0 + min($1.value, judge.sentBytes[$1.key] ?? 0) }
        result.answeredBytes = result.answeredBytes.addingClamped(bytes)
        result.waits.append((asksOrigin ? network.roundTrip : 0) + Double(fetchedBytes) / network.bandwidth)
        result.waitWithoutCache += network.roundTrip + Double(bytes) / network.bandwidth
    }

    private mutating func read(_ id: UInt64) -> SimulatedRequest {
        let headers = workload.headers(of: id)
        var request = SimulatedRequest(url: origin.url(of: id))
        if !headers.vary.isEmpty {
            let variant = random.next(below: UInt64(max(1, headers.variants)))
            request.fields.append(HeaderField(headers.vary, "variant-\(variant)"))
        }
        return request
    }
}

/// The result of a simulation; it depends neither on the machine nor on the time of day.
package struct SimulationResult {
    /// Visits: pages, or single requests if the workload has no pages.
    package var visits = 0
    /// Reads; those sent twice count twice.
    package var requests = 0
    package var sources: [SimulatedAnswer.Source: Int] = [:]
    /// New versions PUT at the origin.
    package var puts = 0
    /// Removals by the application.
    package var removals = 0
    /// Answers that were fresh by their header fields although the origin had a newer version.
    package var outdated = 0
    /// Bytes of all bodies in answers.
    package var answeredBytes = 0
    package var origin = SimulatedOrigin.Totals()
    /// Modelled waiting time of each visit, seconds.
    package var waits: [Double] = []
    /// The sum of the waiting times without a cache, seconds.
    package var waitWithoutCache = 0.0
    /// Whether the simulation was stopped before its end.
    package var isStopped = false

    package func count(of source: SimulatedAnswer.Source) -> Int { sources[source] ?? 0 }

    package func share(_ count: Int) -> Double { requests == 0 ? 0 : Double(count) / Double(requests) }

    /// Bytes that the origin didn't have to send; negative if it sent more than was requested.
    package var savedBytes: Int { answeredBytes - origin.bodyBytes }

    package var meanWait: Double { waits.isEmpty ? 0 : waits.reduce(0, +) / Double(waits.count) }

    /// The modelled waiting time that this share of the visits doesn't exceed, seconds.
    package func wait(quantile: Double) -> Double {
        guard !waits.isEmpty else { return 0 }
        let sorted = waits.sorted()
        return sorted[max(0, min(sorted.count, Int((Double(sorted.count) * quantile).rounded(.up))) - 1)]
    }
}
