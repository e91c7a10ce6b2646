import Testing

@testable import GaugeMeasurement
@testable import GaugeSubjects
@testable import GaugeSupport
@testable import GaugeTraces

@Suite("Numbering of replayed objects") struct ReplayedObjectsTests {
    @Test(
        "objects are numbered by first occurrence, and keep their numbers and notes")
    func numbers() {
        var random = SplitMix64(seed: 11)
        var ids: [UInt64] = [0, 1, .max, 1 << 63]
        for high in 0..<10_000 as Range<UInt64> { ids += [high << 32, random.next()] }
        var objects = TracedObjects()
        var known: [UInt64: Int] = [:]
        for id in ids {
            let place = objects.place(of: id)
            let number = objects[place].number
            #expect(number == known[id] ?? known.count)
            #expect(known[id] != nil || objects[place].size == -1)
            known[id] = number
            objects[place].size = number
        }
        for id in ids.reversed() {
            let object = objects[objects.place(of: id)]
            #expect(object.number == known[id] && object.size == known[id])
        }
    }

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
