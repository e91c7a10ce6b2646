import GaugeTraces

/// Judges the answers of a simulation. Each must be a version that the cache could have at that moment, and the rules
/// must allow using it in the way that the cache reports.
package struct SimulationJudge {
    package struct Verdict {
        /// The representation's key; see ``SimulatedOrigin/Reply/key``.
        package let key: UInt64
        package let source: SimulatedAnswer.Source
        package let bytes: Int
        package let isOutdated: Bool
    }

    private let workload: Workload
    private let origin: SimulatedOrigin
    private let rules: (any ReuseRules)?
    private let answers: Answers
    private var history = VersionHistory()
    private var latest: [UInt64: SimulatedOrigin.Reply] = [:]
    private var tick: UInt64 = 0
    private var callBegan: UInt64 = 0
    /// Bytes of bodies that the origin sent during the last observed call, by the key of the representation.
    package private(set) var sentBytes: [UInt64: Int] = [:]

    package init(workload: Workload, origin: SimulatedOrigin, rules: (any ReuseRules)?, answers: Answers) {
        (self.workload, self.origin, self.rules, self.answers) = (workload, origin, rules, answers)
    }

    package mutating func observing<Value>(_ call: () -> Value) -> Value {
        tick += 1
        callBegan = tick
        let value = call()
        let replies = origin.takeReplies()
        tick += 1
        let began = tick
        sentBytes.removeAll(keepingCapacity: true)
        for reply in replies {
            history.begin(reply.key, version: reply.version, at: tick)
            latest[reply.key] = reply
            sentBytes[reply.key, default: 0] += reply.sentBytes
        }
        tick += 1
        for reply in replies { history.end(reply.key, began: began, at: tick) }
        return value
    }

    /// From now on, the stored responses of an object must not be used.
    package mutating func noteRemoval(of id: UInt64) {
        tick += 1
        for variant in 0..<UInt64(max(1, workload.headers(of: id).variants)) {
            history.set(SimulatedOrigin.key(of: id, variant: variant), version: VersionHistory.nothing, at: tick)
        }
    }

    /// Judges one answer of the last observed call; `nil` if it is wrong, which is then reported.
    package func judge(
        _ id: UInt64, _ request: SimulatedRequest, _ answer: Result<SimulatedAnswer, any Error>, at moment: Int64
    ) -> Verdict? {
        let headers = workload.headers(of: id)
        let variant = headers.vary.isEmpty ? 0 : SimulatedOrigin.variant(request.value(of: headers.vary))
        let key = SimulatedOrigin.key(of: id, variant: variant)
        let current = origin.version(of: id, at: moment)
        do {
            let answer = try answer.get()
            guard answer.response.status == 200 else {
                return wrong(request, "status 200", "status \(answer.response.status)")
            }
            guard let version = version(in: answer.response.body, key, id, current) else {
                return wrong(request, "a body of its own", "\(fault(in: answer.response.body, key, id, current))")
            }
            guard history.mayAnswer(key, version: version, from: callBegan, until: tick) else {
                let possible = history.versions(of: key, at: tick).map(String.init).joined(separator: " or ")
                return wrong(request, "version \(possible.isEmpty ? "\(current)" : possible)", "version \(version)")
            }
            if let objection = objection(answer, request, key, version, current: current, at: moment) {
                return wrong(request, objection, "version \(version) as \(answer.source.rawValue)")
            }
            return Verdict(
                key: key, source: answer.source, bytes: answer.response.body.count,
                isOutdated: version != current && answer.source != .stale)
        } catch {
            return wrong(request, "an answer", "the error: \(error)")
        }
    }

    /// Reports a call with fewer or more answers than requests: nobody knows which answer belongs to which.
    package func reject(_ first: SimulatedRequest, answers count: Int, requests: Int) {
        answers.wrong(key: first.url, expected: "\(requests) answers", got: "\(count)")
    }

    /// Tells the history that every call has ended.
    package mutating func forget() { history.forget(before: tick) }

    private func objection(
        _ answer: SimulatedAnswer, _ request: SimulatedRequest, _ key: UInt64, _ version: UInt64, current: UInt64,
        at moment: Int64
    ) -> String? {
        switch answer.source {
        case .fetched, .bypass, .revalidated:
            return version == current ? nil : "version \(current), which the origin has"
        case .memory, .disk, .stale:
            guard let rules, let stored = latest[key], stored.version == version else { return nil }
            guard rules.mayStore(stored.received, for: stored.request) else { return "nothing stored, by its header" }
            let use = rules.use(of: stored.received, for: request, at: moment)
            if use == .no { return "the origin asked first, by its header" }
            return use == .fresh || answer.source == .stale ? nil : "a stale answer to be called stale"
        }
    }

    /// The version that a body states, if it is intact and `key`'s.
    private func version(in body: [UInt8], _ key: UInt64, _ id: UInt64, _ current: UInt64) -> UInt64? {
        let count = workload.sizes.size(of: id)
        return body.withUnsafeBytes { bytes in
            if let identity = Payload.identity(of: bytes) {
                return identity.key == key && bytes.count == count ? identity.version : nil
            }
            // Too short to state its version: compare with every possible version.
            let candidates = [current] + history.versions(of: key, at: tick)
            return candidates.first { Payload.fault(in: bytes, key: key, version: $0, count: count) == nil }
        }
    }

    private func fault(in body: [UInt8], _ key: UInt64, _ id: UInt64, _ version: UInt64) -> PayloadFault {
        body.withUnsafeBytes {
            Payload.fault(in: $0, key: key, version: version, count: workload.sizes.size(of: id)) ?? .damaged
        }
    }

    private func wrong(_ request: SimulatedRequest, _ expected: String, _ got: String) -> Verdict? {
        answers.wrong(key: request.url, expected: expected, got: got)
        return nil
    }
}

/// What RFC 9111 lets a private cache reuse, implemented independently of the cache under test. The harness knows no
/// header fields; the executable supplies these rules.
package protocol ReuseRules: Sendable {
    /// Whether a response may be stored.
    func mayStore(_ response: ReceivedResponse, for request: SimulatedRequest) -> Bool

    /// Whether and how a stored response may be used without asking the origin, at a moment in seconds since 1970.
    func use(of response: ReceivedResponse, for request: SimulatedRequest, at moment: Int64) -> AllowedUse
}

/// A response, and when the cache received it or last had it validated.
package struct ReceivedResponse: Hashable, Sendable {
    /// The status code; after a 304, that of the stored response.
    package var status: Int
    /// The header fields; a 304's replace the earlier ones.
    package var fields: [HeaderField]
    /// Seconds since 1970; no time passes between request and response.
    package var moment: Int64
}

/// How a stored response may be used.
package enum AllowedUse: Hashable, Sendable {
    /// As it is.
    case fresh
    /// As it is, although it is stale: the origin or the client allows that.
    case stale
    /// Only after asking the origin.
    case no
}
