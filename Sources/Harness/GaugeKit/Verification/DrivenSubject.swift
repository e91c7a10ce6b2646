/// A subject whose type is not known, driven by requests.
protocol DrivenSubject: AnyObject {
    func store(_ request: SubjectRequest, _ body: UnsafeRawBufferPointer) throws
    func store(_ request: SubjectRequest, _ body: UnsafeRawBufferPointer, userInfo: [String: PropertyValue]) throws
    func userInfo(_ request: SubjectRequest) throws -> [String: PropertyValue]?
    func store(_ request: SubjectRequest, _ body: UnsafeRawBufferPointer, policy: SubjectStoragePolicy) throws
    func removeAll(since moment: Double) throws
    /// The body; `nil` on a miss.
    func lookUp(_ request: SubjectRequest) throws -> [UInt8]?
    func remove(_ request: SubjectRequest) throws
    func resize(memory: Int, disk: Int) throws
    func settle() throws
    var usage: SubjectUsage { get }
}

/// Drives a subject of a known type.
final class SubjectDriver<Subject: CacheSubject>: DrivenSubject {
    private let subject: Subject

    init(_ configuration: SubjectConfiguration) throws { subject = try Subject(configuration) }

    private func key(_ request: SubjectRequest) throws -> Subject.Key {
        request.isPlain ? try subject.key(for: request.url) : try subject.key(for: request)
    }

    func store(_ request: SubjectRequest, _ body: UnsafeRawBufferPointer) throws {
        _ = try subject.store(body, for: key(request))
    }

    func store(_ request: SubjectRequest, _ body: UnsafeRawBufferPointer, userInfo: [String: PropertyValue]) throws {
        try subject.store(body, for: key(request), userInfo: userInfo)
    }

    func userInfo(_ request: SubjectRequest) throws -> [String: PropertyValue]? {
        try subject.userInfo(for: key(request))
    }

    func store(_ request: SubjectRequest, _ body: UnsafeRawBufferPointer, policy: SubjectStoragePolicy) throws {
        try subject.store(body, for: key(request), policy: policy)
    }

    func removeAll(since moment: Double) throws { try subject.removeAll(since: moment) }

    func lookUp(_ request: SubjectRequest) throws -> [UInt8]? {
        var body: [UInt8]?
        let outcome = try subject.lookUp(key(request)) { body = Array($0) }
        return outcome == .miss ? nil : body ?? []
    }

    func remove(_ request: SubjectRequest) throws { try subject.remove(key(request)) }

    func resize(memory: Int, disk: Int) throws { try subject.resize(memory: memory, disk: disk) }

    func settle() throws { try subject.settle() }

    var usage: SubjectUsage { subject.usage }
}

extension CacheSubject {
    /// A driver of this type.
    static func driver(_ configuration: SubjectConfiguration) throws -> any DrivenSubject {
        try SubjectDriver<Self>(configuration)
    }
}
