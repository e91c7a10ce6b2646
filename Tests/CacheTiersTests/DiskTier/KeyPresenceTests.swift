import DiskSimulation
import Dispatch
import Synchronization
import Testing

@testable import CacheTiers

@Suite("Absent keys without the lock") struct KeyPresenceTests {
    @Test("A key that is in is never said to be absent, whatever else comes and goes") func nothingThatIsInIsLacking() {
        let presence = KeyPresence(forCapacity: 32 << 20)
        var keys: [Fingerprint] = []
        var state: UInt64 = 11
        for step in 0..<20_000 {
            state = scrambled(state)
            if step % 3 == 2 {
                keys.swapAt(Int(state % UInt64(keys.count)), keys.count - 1)
                presence.remove(keys.removeLast())
            } else {
                keys.append(Fingerprint(state))
                presence.add(Fingerprint(state))
            }
            if step % 500 == 0 { #expect(keys.allSatisfy { !presence.lacks($0) }, "step \(step)") }
        }
        let absent = (0..<10_000).map { Fingerprint(scrambled(1 << 40 + $0)) }
        #expect(absent.count { presence.lacks($0) } > 6_000)
        presence.removeAll()
        #expect(keys.allSatisfy { presence.lacks($0) })
    }

    @Test("It takes a byte for every 4 KiB of the capacity, rounded up to a power of two, at most 16 MiB")
    func memory() {
        #expect(KeyPresence(forCapacity: 0).byteCount == 32)
        #expect(KeyPresence(forCapacity: 20 << 20).byteCount == 8192)
        #expect(KeyPresence(forCapacity: 1 << 40).byteCount == 16 << 20)
    }

    @Test("A group of more keys than can be counted is never taken for empty again") func manyKeysInOneGroup() {
        let presence = KeyPresence(forCapacity: 0)
        let keys = (0..<300).map { Fingerprint(bits: UInt64($0) << 32) }
        for key in keys { presence.add(key) }
        for key in keys.dropLast() { presence.remove(key) }
        #expect(!presence.lacks(keys[299]))
        let other = Fingerprint(bits: keys[0].bits + 1)
        #expect(presence.lacks(other))
        presence.add(other)
        presence.remove(other)
        #expect(presence.lacks(other))
    }

    @Test("An entry that one thread stored is found by another once it is told, while the index grows")
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

    @Test("Misses are counted, whether or not the lock was needed") func missesAreCounted() throws {
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
