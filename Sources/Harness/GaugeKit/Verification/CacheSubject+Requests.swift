/// A subject of unknown type, driven by requests.
extension CacheSubject {
    private func key(of request: SubjectRequest) throws -> Key {
        request.isPlain ? try key(for: request.url) : try key(for: request)
    }

    /// Stores a body; returns the reported outcome.
    @discardableResult
    package func store(_ request: SubjectRequest, _ body: UnsafeRawBufferPointer) throws -> Outcome {
        let outcome = try store(body, for: key(of: request))
        try expect(outcome == .store || outcome == .storeEvict, "a store reported the outcome \(outcome.rawValue)")
        return outcome
    }

    package func store(
        _ request: SubjectRequest, _ body: UnsafeRawBufferPointer, userInfo: [String: PropertyValue]
    ) throws {
        try store(body, for: key(of: request), userInfo: userInfo)
    }

    package func store(_ request: SubjectRequest, _ body: UnsafeRawBufferPointer, policy: SubjectStoragePolicy) throws {
        try store(body, for: key(of: request), policy: policy)
    }

    package func userInfo(_ request: SubjectRequest) throws -> [String: PropertyValue]? {
        try userInfo(for: key(of: request))
    }

    /// Looks a request up; returns the reported outcome, and the body unless it's a miss.
    package func answer(_ request: SubjectRequest) throws -> (outcome: Outcome, body: [UInt8]?) {
        var bodies: [[UInt8]] = []
        let outcome = try lookUp(key(of: request)) { bodies.append(Array($0)) }
        try expect(outcome.isHit || outcome == .miss, "a lookup reported the outcome \(outcome.rawValue)")
        try expect(
            bodies.count == (outcome.isHit ? 1 : 0),
            "a lookup reported the outcome \(outcome.rawValue), and lent \(bodies.count) bodies")
        return (outcome, bodies.first)
    }

    /// The body; `nil` on a miss.
    package func body(of request: SubjectRequest) throws -> [UInt8]? { try answer(request).body }

    package func changeBody(_ request: SubjectRequest) throws -> [UInt8]? { try changeBody(for: key(of: request)) }

    package func removeEntry(_ request: SubjectRequest) throws { try remove(key(of: request)) }
}
