import Testing

@testable import GaugeMeasurement
@testable import GaugeKit
@testable import GaugeSupport
@testable import GaugeTraces

@Suite("Keys of replayed objects") struct ReplayedKeysTests {
    @Test("a subject's key is made once of each object whose keys are kept, and each time of the others")
    func keys() throws {
        let configuration = SubjectConfiguration(memoryCapacity: 1 << 20, diskCapacity: 0, directory: "")
        let subject = CountingSubject(configuration)
        let keys = ReplayedKeys(of: CheckedSubject(subject, answers: Answers(), longest: 64))
        let most = ReplayedKeys<CountingSubject>.most
        let asked = [0, 0, 2, 0, most - 1, most - 1, most, most]
        for (number, made) in zip(asked, [1, 1, 2, 2, 3, 3, 4, 5]) {
            #expect(keys.choose(number, id: UInt64(number), url: "https://a.example/\(number)"))
            #expect(keys.chosen == "https://a.example/\(number)" && subject.made == made)
        }
        #expect(keys.choose(nil, id: 0, url: "https://a.example/0") && subject.made == 6)
        #expect(!keys.choose(1, id: 1, url: "refused") && keys.chosen == nil)
        #expect(keys.choose(1, id: 1, url: "https://a.example/1") && keys.chosen == "https://a.example/1")
    }
}

/// Counts the keys that it makes.
private final class CountingSubject: CacheSubject {
    static let name = "counting"
    static let capabilities: SubjectCapabilities = [.memory]
    private(set) var made = 0
    init(_ configuration: SubjectConfiguration) {}
    func key(for url: String) throws -> String {
        made += 1
        guard url != "refused" else { throw GaugeError("refused") }
        return url
    }
    func lookUp(_ key: String, _ read: (UnsafeRawBufferPointer) -> Void) -> Outcome { .miss }
    func store(_ body: UnsafeRawBufferPointer, for key: String) -> Outcome { .store }
    func remove(_ key: String) {}
}
