import TestSupport
import Testing

@testable import GaugeMeasurement
@testable import GaugeKit

@Suite("Growth of the heap") struct HeapGrowthTests {
    /// Each part ends with this many readings, of which the least counts.
    private static let readings = 40
    /// The capacity, and 5 bytes for each of 600 operations.
    private static let most = (1 << 18) + 5 * 600

    /// The fault that is found if the heap in use is this at the end of each part, from the first.
    private func fault(onDisk: Bool = false, _ heap: @escaping (_ part: Int) -> Int) throws -> (String?, Script) {
        let scratch = try ScratchDirectory()
        let script = Script()
        var model = ModelSettings()
        (model.seconds, model.heapSeconds) = (0, 3_600)
        // The first reading tells whether there are any.
        var count = -1
        let heapInUse = {
            defer { count += 1 }
            // The last reading of a part is the least.
            return heap(count / Self.readings) + (count % Self.readings < Self.readings - 1 ? 1 << 30 : 0)
        }
        return try Script.$current.withValue(script) {
            let trial = Trial(ScriptedSubject.self, parent: scratch.path, heapInUse: heapInUse, model: model) { _ in }
            do {
                try HeapGrowth.check(trial, onDisk: onDisk)
            } catch let error as PromiseBroken {
                return (error.description, script)
            }
            return (nil, script)
        }
    }

    @Test(
        "in each of three parts it has to grow by more than the capacity and 5 bytes an operation",
        arguments: [false, true])
    func border(onDisk: Bool) throws {
        #expect(try fault(onDisk: onDisk) { $0 * Self.most }.0 == nil)
        let (fault, script) = try fault(onDisk: onDisk) { $0 * (Self.most + 1) }
        let reason = "the heap in use grew by \(3 * (Self.most + 1)) bytes between operation 600 and operation 2880"
        #expect(fault == reason)
        #expect(script.capacities == [onDisk ? [0, 1 << 18] : [1 << 18, 0]])
    }

    @Test("one part in which it grows less is enough", arguments: 1...3)
    func settles(part: Int) throws {
        let fault = try fault { $0 < part ? $0 * (Self.most + 1) : part * (Self.most + 1) - 1 }.0
        #expect(fault == nil)
    }

    @Test("it is tried with new keys, and then with few") func keys() throws {
        let (fault, script) = try fault { $0 * Self.most }
        #expect(fault == nil && script.capacities.count == 2)
        // Each round ends after its second part.
        let (later, both) = try self.fault { $0 < 2 ? 0 : $0 * (Self.most + 1) }
        #expect(later?.hasPrefix("the heap in use grew by ") == true && both.capacities.count == 2)
        let lookups = { (number: Int) in
            both.lookups.filter { $0.key.url.hasPrefix("https://a.example/\(number)/") }.values.reduce(0, +)
        }
        #expect(lookups(16) == 1 && lookups(15) > 100 && lookups(-15) > 100 && lookups(0) > 100)
    }
}
