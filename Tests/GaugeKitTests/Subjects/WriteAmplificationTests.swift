import Testing

@testable import GaugeKit
@testable import GaugeSupport

@Suite("Write amplification") struct WriteAmplificationTests {
    @Test("it is the bytes written over the bytes stored since the start, whatever was counted before") func ratio() {
        var random = Xoshiro256(seed: 61)
        for _ in 0..<1_000 {
            let before = [random.next(below: 1 << 40), random.next(below: 1 << 40)].map { Int($0) }
            let stores = (0..<(1 + random.next(below: 20))).map { _ in 1 + Int(random.next(below: 1 << 20)) }
            let writes = stores.map { $0 + Int(random.next(below: 1 << 20)) }
            let names = [WriteAmplification.stored, WriteAmplification.written]
            let start = WriteAmplification(Dictionary(uniqueKeysWithValues: zip(names, before)))
            let end = [stores.reduce(before[0], +), writes.reduce(before[1], +)]
            let figures = start.figures(at: Dictionary(uniqueKeysWithValues: zip(names, end)))
            #expect(figures.map(\.name) == ["write amplification"])
            #expect(figures.first?.value == Double(writes.reduce(0, +)) / Double(stores.reduce(0, +)))
        }
    }

    @Test("it is missing where nothing was stored or nothing is counted") func missing() {
        let counters = [WriteAmplification.stored: 5, WriteAmplification.written: 9]
        #expect(WriteAmplification(counters).figures(at: counters).isEmpty)
        #expect(WriteAmplification([:]).figures(at: counters).isEmpty)
    }
}
