import Foundation
import Testing

@testable import GaugeKit
@testable import GaugeSupport

@Suite("Models of what a cache may answer") struct ModelTests {
    @Test("only the version stored last may be answered, and nothing after a removal") func versions() {
        var model = AnswerModel()
        #expect(!model.mayAnswer(0, version: 1))
        model.store(0, version: 1)
        model.store(0, version: 2)
        #expect(!model.mayAnswer(0, version: 1))
        #expect(model.mayAnswer(0, version: 2))
        model.remove(0)
        #expect(!model.mayAnswer(0, version: 2))
        #expect(model.text(0) == "nothing")
    }

    @Test("after a kill, what was current since the cache was settled may be answered, until an answer decides it")
    func kill() {
        var model = AnswerModel()
        model.store(0, version: 1)
        model.settle()
        model.store(0, version: 2)
        model.store(0, version: 3)
        model.kill()
        #expect(model.text(0) == "version 1 or 2 or 3")
        #expect(model.mayAnswer(0, version: 2))
        model.answered(0, version: 2)
        #expect(!model.mayAnswer(0, version: 1) && !model.mayAnswer(0, version: 3))
        model.remove(0)
        model.settle()
        model.kill()
        #expect(!model.mayAnswer(0, version: 2))
    }

    @Test("an entry must be held until half of the capacity was used after it, of which its own use counts")
    func recency() {
        var model = RecencyModel(capacity: 100_000)
        model.store(0, bytes: 3_976)
        for key in 1...9 {
            model.store(key, bytes: 3_976)
            #expect(model.mustHold(0))
        }
        model.store(10, bytes: 3_976)
        #expect(!model.mustHold(0))
        #expect(model.mustHold(1))
        // A hit renews the place; the second use of an entry does not count twice.
        model.hit(1, isHeld: true)
        model.hit(1, isHeld: true)
        for key in 11...19 { model.store(key, bytes: 3_976) }
        #expect(model.mustHold(1))
        model.remove(1)
        #expect(!model.mustHold(1))
    }

    @Test("a body that may be too large need not be held, nor what a smaller capacity has evicted") func capacity() {
        var model = RecencyModel(capacity: 100_000)
        model.store(0, bytes: 3_977)
        #expect(!model.mustHold(0))
        for key in 1...6 { model.store(key, bytes: 2_000) }
        model.resize(10_000)
        model.resize(100_000)
        #expect(!model.mustHold(1))
        #expect(model.mustHold(6))
    }

    @Test("after everything was removed, nothing need be held") func removedAll() {
        var model = RecencyModel(capacity: 100_000)
        model.store(0, bytes: 1_000)
        #expect(model.mustHold(0))
        model.removeAll()
        #expect(!model.mustHold(0))
    }

    @Test("what cannot be left out remains, in its order") func shrinking() {
        var tries = 0
        let fewest = Shrinking.fewest(of: Array(0..<200)) { part in
            tries += 1
            return part.contains(17) && part.contains(140) && part.contains(18)
        }
        #expect(fewest == [17, 18, 140])
        #expect(tries < 150)
        #expect(Shrinking.fewest(of: [1, 2, 3], while: { false }) { _ in true } == [1, 2, 3])
    }

    @Test("a sequence follows from its seed") func sequences() {
        let capabilities: SubjectCapabilities = [.memory, .disk, .persistence, .capacity, .resize, .threads]
        for kind in [ModelSequence.Kind.answers, .killed, .held, .usage, .threads] {
            let one = ModelSequence(kind, seed: 3, capabilities: capabilities)
            let same = ModelSequence(kind, seed: 3, capabilities: capabilities)
            #expect(one.steps == same.steps && one.keys == same.keys && one.memory == same.memory)
            #expect(one.steps != ModelSequence(kind, seed: 4, capabilities: capabilities).steps)
            #expect(Set(one.keys).count == one.keys.count)
        }
    }

    @Test("the URLs of each kind differ") func keys() {
        for kind in ModelKeys.kinds.indices {
            var random = Xoshiro256(seed: 1)
            #expect(Set(ModelKeys.requests(5_000, kind, &random)).count == 5_000, "kind \(kind)")
        }
    }

    @Test("the URLs of each kind differ for large numbers, too, and are valid", arguments: ModelKeys.kinds.indices)
    func largeNumbers(kind: Int) throws {
        let numbers = [0, 1, 7_999, 8_000, 8_001, 49_999, 50_000, 50_001, 57_535, 65_535, 65_536, 99_999, 100_000]
        let urls = numbers.map { ModelKeys.kinds[kind](7, $0) }
        #expect(Set(urls).count == urls.count)
        for url in urls {
            let parts = try #require(URLComponents(string: url), "\(url)")
            #expect(parts.scheme == "https" && parts.host?.hasSuffix(".example") == true, "\(url)")
            #expect((1...65_535).contains(parts.port ?? 443), "\(url)")
        }
    }
}
