import GaugeSupport
import GaugeTraces
import Platform

/// Stores so many keys that two of them collide under any hash of 32 bits: of 262,144 keys, 8 pairs on average.
enum ManyKeys {
    private static let count = 1 << 18
    /// The keys that even a slow subject gets.
    private static let fewest = 1 << 12

    /// - Throws: ``PromiseBroken`` when an answer belongs to another key; errors of the subject.
    static func check(_ trial: Trial) throws {
        var random = Xoshiro256(seed: trial.model.seed, "keys")
        let keys = ModelKeys.requests(count, nil, &random)
        try trial.begin(memory: 1 << 29)
        let start = monotonicNanoseconds()
        let isOver = { (share: Double) in Double(monotonicNanoseconds() - start) > trial.model.seconds * 1e9 * share }
        // A slow subject gets fewer keys.
        var stored = 0
        while stored < count, stored < fewest || stored % 64 != 0 || !isOver(0.6) {
            try trial.quietly(keys[stored], bytes: Payload.headerCount, version: 1)
            stored += 1
        }
        trial.tell("store \(keys[0].text) and the other keys of this seed up to \(keys[stored - 1].text)")
        trial.tell("look all of them up")
        var found = 0
        // The last are still there, if not all of them fit.
        for number in (0..<stored).reversed() {
            if number % 64 == 0, stored - number > fewest, isOver(1) { break }
            if try trial.found(keys[number]) != nil { found += 1 }
        }
        try expect(found > 0, "found not a single one")
    }
}
