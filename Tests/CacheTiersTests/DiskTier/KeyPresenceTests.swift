import DiskSimulation
import Dispatch
import Synchronization
import Testing

@testable import CacheTiers

/// What is known of absent keys without the lock.
@Suite struct KeyPresenceTests {
    @Test("a key that is in is never said to be absent, whatever else comes and goes and however the table grows")
    func nothingThatIsInIsLacking() {
        let presence = KeyPresence()
        var keys: [UInt64] = []
        var state: UInt64 = 11
        for step in 0..<20_000 {
            state = scrambled(state)
            if step % 3 == 2 {
                keys.swapAt(Int(state % UInt64(keys.count)), keys.count - 1)
                presence.remove(keys.removeLast())
            } else {
                keys.append(state)
                presence.add(state)
                presence.grow(forKeys: keys.count) { add in for key in keys { add(key) } }
            }
            if step % 500 == 0 { #expect(keys.allSatisfy { !presence.lacks($0) }, "step \(step)") }
        }
        let absent = (0..<10_000).map { scrambled(1 << 40 + $0) }
        #expect(absent.count { presence.lacks($0) } > 7_700)
        presence.removeAll()
        #expect(keys.allSatisfy { presence.lacks($0) })
    }

    @Test("its memory is that of all its tables, since somebody may be reading an outgrown one")
    func memory() {
        let presence = KeyPresence()
        let first = presence.byteCount
        let length = MemoryLayout<Int>.size
        var groups = (first - length) * 2
        while groups < 80_000 { groups *= 2 }
        presence.grow(forKeys: 10_000) { _ in }
        #expect(presence.byteCount == first + length + groups / 2)
    }

    @Test("a group of more keys than can be counted is never taken for empty again")
    func manyKeysInOneGroup() {
        let presence = KeyPresence()
        let keys = (0..<300).map { UInt64($0) << 32 }
        for key in keys { presence.add(key) }
        for key in keys.dropLast() { presence.remove(key) }
        #expect(!presence.lacks(keys[299]))
        let other = keys[0] + 1
        #expect(presence.lacks(other))
        presence.add(other)
        presence.remove(other)
        #expect(presence.lacks(other))
    }

    @Test("what one thread stored another finds once it was told, while the log and its tables grow")
    func whatWasToldIsFound() throws {
        let directory = TemporaryDirectory()
        let log = try DiskTier(directory: directory.path, capacity: 8 << 20, seed: KeySeed(1, 2))
        defer { log.close() }
        let count = 6_000
        let told = Atomic<Int>(0)
        DispatchQueue.concurrentPerform(iterations: 2) { thread in
            var known = 0
            // The first one stores; it is begun first, so that the other does not wait in vain.
            while thread == 0, known < count {
                _ = try? log.store(Sample(number: known, bodyCount: 8).entry())
                known += 1
                told.store(known, ordering: .releasing)
            }
            var state: UInt64 = 5
            while known < count {
                known = told.load(ordering: .acquiring)
                guard known > 0 else { continue }
                state = scrambled(state)
                // Mostly the newest.
                let number = state % 4 > 0 ? known - 1 : Int(state % UInt64(known))
                let sample = Sample(number: number, bodyCount: 8)
                let found = sample.key.withUnsafeBytes { log.lookup($0, hash: sample.hash) }
                #expect(found.map(sample.matches) == true, "\(number) of \(known)")
            }
        }
        #expect(log.statistics.stores == UInt64(count))
        #expect(log.statistics.misses == 0)
        #expect(log.statistics.evictions == 0)
    }

    @Test("misses are counted, whether or not the lock was needed")
    func missesAreCounted() throws {
        let log = try DiskTier(MemoryStorage(), capacity: 1 << 20, seed: KeySeed(1, 2), nonceSeed: 3)
        for number in 0..<100 { _ = try log.store(Sample(number: number).entry()) }
        for number in 100..<1_100 {
            let sample = Sample(number: number)
            #expect(sample.key.withUnsafeBytes { log.lookup($0, hash: sample.hash) } == nil)
        }
        #expect(log.statistics.misses == 1_000)
        #expect(log.statistics.hits == 0)
    }
}
