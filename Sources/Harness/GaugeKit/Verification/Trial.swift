import Foundation
import GaugeTraces
import Platform

/// The subject broke a promise.
package struct PromiseBroken: Error, Equatable, CustomStringConvertible {
    package let description: String
    /// The options of `verify` that repeat it, if a random model found it.
    package let repetition: String?

    package init(_ description: String, repeating repetition: String? = nil) {
        self.description = description
        self.repetition = repetition
    }
}

/// Drives a subject through the steps of a promise. Each step is noted before it is done: if the subject crashes, the
/// noted steps reproduce the crash.
///
/// Every body states its key, so a report can name the owner of a wrong one.
package final class Trial {
    /// Called with each step, and with `nil` if the trial starts over and the earlier steps don't matter anymore.
    private let listener: (String?) -> Void
    private var isSilent = false
    /// Whether what both tiers hold is found after reopening; `nil` before it was tried.
    var keepsMemoryWhenReopened: Bool?
    /// How long threads have waited for a processor, the longest wait of each run, nanoseconds.
    var threadsWaited: UInt64 = 0
    package let model: ModelSettings
    package let policy: SubjectEvictionPolicy
    private let type: any CacheSubject.Type
    let parent: String
    private var directories = 0
    /// The directory of the open subject.
    package private(set) var directory = ""
    private var subject: (any CacheSubject)?
    /// By number, the texts of the requests that bodies were made for.
    package private(set) var bodies: [UInt64: String] = [:]
    private let clock: TrialClock
    package let heapInUse: () -> Int?
    /// What the next subject is opened with, beside capacities and directory.
    private var template = SubjectConfiguration(memoryCapacity: 0, diskCapacity: 0, directory: "")
    /// The capacities of the last subject, bytes.
    private(set) var (memory, disk) = (0, 0)
    package let capabilities: SubjectCapabilities
    package let order: SubjectOrder
    package let diskOrder: SubjectOrder
    package let limits: SubjectLimits

    /// - Parameters:
    ///   - type: the subject.
    ///   - parent: a directory for this trial alone.
    ///   - clock: the clock by which subjects date their entries.
    ///   - heapInUse: bytes of the heap in use; tests that share a process pass another figure.
    ///   - model: how random models are tried.
    ///   - policy: the eviction policy of all subjects.
    ///   - note: called with each step.
    package init(
        _ type: any CacheSubject.Type, parent: String, clock: TrialClock = .system,
        heapInUse: @escaping () -> Int? = { HeapMemory.bytesInUse },
        model: ModelSettings = ModelSettings(), policy: SubjectEvictionPolicy = .lru,
        note: @escaping (String?) -> Void
    ) {
        (self.type, self.parent, self.clock) = (type, parent, clock)
        (self.heapInUse, self.model, self.policy) = (heapInUse, model, policy)
        listener = note
        capabilities = type.capabilities
        order = type.order
        diskOrder = type.diskOrder
        limits = type.limits
    }

    /// Whether the subject gets limits of entries instead of memory capacities.
    var countsEntries: Bool { capabilities.countsEntries }
    /// The bytes of capacity that stand for one entry: the length of most bodies in the promises about eviction.
    static let bytesPerEntry = 5_000

    /// The limit of entries that replaces a memory capacity.
    func entries(_ memory: Int) -> Int { memory.signum() * max(abs(memory.signum()), abs(memory) / Self.bytesPerEntry) }

    /// What the subject gets for a memory capacity: a limit of bytes, or of entries if it counts those.
    func limit(_ memory: Int) -> Int { countsEntries ? entries(memory) : memory }

    func text(limit: Int) -> String { countsEntries ? "\(limit) entries" : "\(ByteSize(bytes: limit))" }

    /// A body's length, bytes: as given, or shorter if the subject declares that a tier of this capacity refuses it.
    func length(_ bytes: Int, in capacity: Int) -> Int {
        let bytes = min(bytes, limits.largestBody ?? .max)
        // A limit of entries has no such part.
        guard !countsEntries else { return bytes }
        // The rest is for what an entry takes beside its body.
        return max(Payload.headerCount, min(bytes, Int(Double(capacity) * (limits.largestPart ?? 1) * 2 / 3)))
    }

    /// The length of a body that every tier of the open subject admits, bytes.
    private var shortLength: Int { length(1_000, in: [memory, disk].filter { $0 > 0 }.min() ?? 1 << 20) }

    // MARK: Opening

    /// Starts over with a subject in an empty directory.
    ///
    /// - Parameters:
    ///   - memory: memory capacity, bytes. Without `disk`, a subject with only a disk tier gets it there.
    ///   - disk: disk capacity, bytes.
    ///   - collides: whether all its keys collide.
    ///   - keyField: the request field that a hook adds to each key.
    ///   - isShared: whether it becomes the shared cache of the process.
    ///   - lifetime: the lifetime of its entries, seconds.
    package func begin(
        memory: Int = 1 << 20, disk: Int? = nil, collides: Bool = false, keyField: String? = nil,
        isShared: Bool = false, lifetime: Double? = nil
    ) throws {
        template = SubjectConfiguration(memoryCapacity: 0, diskCapacity: 0, directory: "")
        (template.collides, template.keyField, template.isShared) = (collides, keyField, isShared)
        template.lifetime = lifetime
        let movesToDisk = disk == nil && capabilities.intersection([.memory, .disk]) == .disk
        try startOver()
        try open(memory: movesToDisk ? 0 : memory, disk: movesToDisk ? memory : disk ?? 0)
    }

    /// Starts over with a limit of so many entries.
    package func begin(entries: Int) throws {
        template = SubjectConfiguration(memoryCapacity: 0, diskCapacity: 0, directory: "", entryLimit: entries)
        try startOver()
        note("open with a limit of \(entries) entries")
        subject = try make(memory: 0, disk: 0)
    }

    /// Starts over with an empty directory and no subject.
    package func startOver() throws {
        subject = nil
        note(nil)
        try makeDirectory()
    }

    private func makeDirectory() throws {
        directories += 1
        directory = "\(parent)/\(directories)"
        guard mkdir(directory, 0o700) == 0 else { throw GaugeError("\(directory) cannot be made: \(SystemError.last)") }
    }

    /// Replaces the subject by one in an empty directory, without a note.
    package func replace(memory: Int, disk: Int) throws {
        clean()
        try makeDirectory()
        subject = try make(memory: memory, disk: disk)
    }

    /// Opens a subject in a given directory, without a note.
    package func open(memory: Int, disk: Int, in directory: String) throws {
        self.directory = directory
        subject = try make(memory: memory, disk: disk)
    }

    /// Settles, closes and reopens the subject, without a note.
    package func reopen(memory: Int, disk: Int) throws {
        try driven().settle()
        subject = nil
        subject = try make(memory: memory, disk: disk)
    }

    /// Opens a subject on the directory's files.
    package func open(memory: Int, disk: Int) throws {
        note(
            "open with \(text(limit: limit(memory))) of memory and \(ByteSize(bytes: disk)) of disk"
                + (template.collides ? ", and with one hash for all keys" : "")
                + (template.keyField.map { ", and with a hook that adds the request's \($0) to the key" } ?? "")
                + (template.isShared ? ", and make it the shared cache" : "")
                + (template.lifetime.map { ", and with a lifetime of \(Int($0)) s" } ?? ""))
        subject = try make(memory: memory, disk: disk)
    }

    package func openSecond(memory: Int, disk: Int) throws -> any CacheSubject {
        note("open a second one on the same directory")
        return try make(memory: memory, disk: disk)
    }

    private func make(memory: Int, disk: Int) throws -> any CacheSubject {
        (self.memory, self.disk) = (memory, disk)
        var configuration = template
        (configuration.memoryCapacity, configuration.diskCapacity) = (memory, disk)
        configuration.directory = directory
        configuration.entryLimit = template.entryLimit ?? (countsEntries ? entries(memory) : nil)
        configuration.policy = policy
        return try type.init(configuration)
    }

    /// Closes the subject, once it has written everything to its files.
    package func close() throws {
        note("close")
        try driven().settle()
        subject = nil
    }

    /// Closes the subject, and opens one on its files.
    package func closeAndOpen(memory: Int, disk: Int) throws {
        try close()
        try open(memory: memory, disk: disk)
    }

    package func clean() {
        subject = nil
        try? FileManager.default.removeItem(atPath: directory)
    }

    /// The open subject, for callers that note the steps themselves.
    package func driven() throws -> any CacheSubject {
        guard let subject else { throw GaugeError("the trial has no open subject") }
        return subject
    }

    /// Notes a step that the caller carries out; `nil` for starting over.
    package func note(_ step: String?) { if !isSilent { listener(step) } }

    /// Runs a part of the trial, without noting its steps if `isSilent`.
    package func silently<Value>(_ isSilent: Bool, _ part: () throws -> Value) rethrows -> Value {
        let before = self.isSilent
        self.isSilent = isSilent
        defer { self.isSilent = before }
        return try part()
    }

    /// Notes a request that a body may belong to.
    package func name(_ request: SubjectRequest) { bodies[Self.id(request)] = request.text }

    // MARK: Steps

    /// Stores a body; the subject may refuse the URL.
    ///
    /// - Parameter bytes: its length; ``shortLength`` by default.
    package func store(_ request: SubjectRequest, bytes: Int? = nil, version: UInt64 = 1) throws {
        let bytes = bytes ?? shortLength
        note("store \(request.text): version \(version), \(bytes) bytes")
        try quietly(request, bytes: bytes, version: version)
    }

    package func storeMany(_ range: Range<Int>, bytes: Int, after: (Int) throws -> Void = { _ in }) throws {
        note("store \(Self.many(range.lowerBound).url) to …/\(range.upperBound - 1), \(bytes) bytes each")
        for number in range {
            try quietly(Self.many(number), bytes: bytes, version: 1)
            try after(number)
        }
    }

    /// An entry's request in ``storeMany(_:bytes:after:)``.
    package static func many(_ number: Int) -> SubjectRequest { SubjectRequest("https://many.example/\(number)") }

    /// Stores a body without noting the step.
    package func quietly(_ request: SubjectRequest, bytes: Int, version: UInt64) throws {
        try withBody(request, bytes: bytes, version: version) { try driven().store(request, $0) }
    }

    /// Stores an entry without a body.
    package func storeEmpty(_ request: SubjectRequest) throws {
        note("store \(request.text): 0 bytes")
        try driven().store(request, UnsafeRawBufferPointer(start: nil, count: 0))
    }

    package func store(_ request: SubjectRequest, userInfo: [String: PropertyValue]) throws {
        let bytes = shortLength
        let text = "\(userInfo)"
        note("store \(request.text), \(bytes) bytes, with userInfo \(text.prefix(200))\(text.count > 200 ? "…" : "")")
        try withBody(request, bytes: bytes, version: 1) { try driven().store(request, $0, userInfo: userInfo) }
    }

    package func userInfo(_ request: SubjectRequest) throws -> [String: PropertyValue]? {
        note("look up the userInfo of \(request.text)")
        return try driven().userInfo(request)
    }

    package func store(_ request: SubjectRequest, version: UInt64 = 1, policy: SubjectStoragePolicy) throws {
        let bytes = shortLength
        note("store \(request.text): version \(version), \(bytes) bytes, \(policy.rawValue)")
        try withBody(request, bytes: bytes, version: version) { try driven().store(request, $0, policy: policy) }
    }

    /// A moment after all earlier and before all later operations, seconds since 1970.
    package func moment() -> Double {
        clock.pause()
        defer { clock.pause() }
        return clock.now()
    }

    package func wait(seconds: Double) {
        note("wait for \(JSONFields.text(seconds)) s")
        clock.wait(seconds)
    }

    /// The time of the trial's clock, seconds since 1970.
    package func now() -> Double { clock.now() }

    package func removeAll(since moment: Double, _ name: String) throws {
        note("remove all that was stored since \(name)")
        try driven().removeAll(since: moment)
    }

    package func removeAll() throws {
        note("remove everything")
        try driven().removeAll()
    }

    /// Lets the subject write everything to its files.
    package func settle() throws {
        note("settle")
        try driven().settle()
    }

    package func remove(_ request: SubjectRequest) throws {
        note("remove \(request.text)")
        try driven().removeEntry(request)
    }

    package func resize(memory: Int, disk: Int) throws {
        note("change the capacities to \(text(limit: limit(memory))) and \(ByteSize(bytes: disk))")
        try quietlyResize(memory: memory, disk: disk)
    }

    /// Changes the capacities without noting the step.
    func quietlyResize(memory: Int, disk: Int) throws { try driven().resize(memory: limit(memory), disk: disk) }

    /// Calls a closure with the body of a request's version, which is unique.
    @discardableResult
    package func withBody<Value>(
        _ request: SubjectRequest, bytes: Int, version: UInt64, _ use: (UnsafeRawBufferPointer) throws -> Value
    ) rethrows -> Value {
        let id = Self.id(request)
        name(request)
        let buffer = PayloadBuffer(capacity: bytes)
        return try withExtendedLifetime(buffer) { try use(buffer.body(key: id, version: version, count: bytes)) }
    }

    package static func id(_ request: SubjectRequest) -> UInt64 { DecimalText.hash(request.text.utf8) }
}
