import Testing

@testable import GaugeSupport
@testable import GaugeTraces

@Suite("Numbering of the objects of a trace") struct TracedObjectsTests {
    @Test("objects are numbered by first occurrence, and keep their numbers and notes") func numbers() {
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
}
