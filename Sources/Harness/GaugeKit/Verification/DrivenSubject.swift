/// A subject of unknown type, driven by requests.
package protocol DrivenSubject: AnyObject {
    /// Stores a body; returns the reported outcome.
    @discardableResult
    func store(_ request: SubjectRequest, _ body: UnsafeRawBufferPointer) throws -> Outcome
    func store(_ request: SubjectRequest, _ body: UnsafeRawBufferPointer, userInfo: [String: PropertyValue]) throws
    func userInfo(_ request: SubjectRequest) throws -> [String: PropertyValue]?
    func store(_ request: SubjectRequest, _ body: UnsafeRawBufferPointer, policy: SubjectStoragePolicy) throws
    func removeAll(since moment: Double) throws
    func removeAll() throws
    /// Looks a request up; returns the reported outcome, and the body unless it's a miss.
    func answer(_ request: SubjectRequest) throws -> (outcome: Outcome, body: [UInt8]?)
    func changeBody(_ request: SubjectRequest) throws -> [UInt8]?
    func remove(_ request: SubjectRequest) throws
    func resize(memory: Int, disk: Int) throws
    func settle() throws
    var usage: SubjectUsage { get }
    var counters: [String: Int] { get }
}

extension DrivenSubject {
    /// The body; `nil` on a miss.
    package func lookUp(_ request: SubjectRequest) throws -> [UInt8]? { try answer(request).body }
}

package final class SubjectDriver<Subject: CacheSubject>: DrivenSubject {
    private let subject: Subject

    package init(_ configuration: SubjectConfiguration) throws { subject = try Subject(configuration) }

    private func key(_ request: SubjectRequest) throws -> Subject.Key {
        request.isPlain ? try subject.key(for: request.url) : try subject.key(for: request)
    }

    @discardableResult
    package func store(_ request: SubjectRequest, _ body: UnsafeRawBufferPointer) throws -> Outcome {
        let outcome = try subject.store(body, for: key(request))
        try expect(outcome == .store || outcome == .storeEvict, "a store reported the outcome \(outcome.rawValue)")
        return outcome
    }

    package func store(_ request: SubjectRequest, _ body: UnsafeRawBufferPointer, userInfo: [String: PropertyValue])
        throws
    {
        try subject.store(body, for: key(request), userInfo: userInfo)
    }

    package func userInfo(_ request: SubjectRequest) throws -> [String: PropertyValue]? {
        try subject.userInfo(for: key(request))
    }

    package func store(_ request: SubjectRequest, _ body: UnsafeRawBufferPointer, policy: SubjectStoragePolicy) throws {
        try subject.store(body, for: key(request), policy: policy)
    }

    package func removeAll(since moment: Double) throws { try subject.removeAll(since: moment) }

    package func removeAll() throws { try subject.removeAll() }

    package func answer(_ request: SubjectRequest) throws -> (outcome: Outcome, body: [UInt8]?) {
        var bodies: [[UInt8]] = []
        let outcome = try subject.lookUp(key(request)) { bodies.append(Array($0)) }
        let isHit = [.memoryHit, .diskHit, .promotion, .hit].contains(outcome)
        try expect(isHit || outcome == .miss, "a lookup reported the outcome \(outcome.rawValue)")
        try expect(
            bodies.count == (isHit ? 1 : 0),
            "a lookup reported the outcome \(outcome.rawValue), and lent \(bodies.count) bodies")
        return (outcome, bodies.first)
    }

    package func changeBody(_ request: SubjectRequest) throws -> [UInt8]? {
        try subject.changeBody(for: key(request))
    }

    package func remove(_ request: SubjectRequest) throws { try subject.remove(key(request)) }

    package func resize(memory: Int, disk: Int) throws { try subject.resize(memory: memory, disk: disk) }

    package func settle() throws { try subject.settle() }

    package var usage: SubjectUsage { subject.usage }

    package var counters: [String: Int] { subject.counters }
}

extension CacheSubject {
    package static func driver(_ configuration: SubjectConfiguration) throws -> any DrivenSubject {
        try SubjectDriver<Self>(configuration)
    }
}
