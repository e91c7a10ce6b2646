import DiskSimulation
import Dispatch
import Foundation
import Platform
import Testing

@testable import CacheTiers

/// A file whose length and reservations count, and whose bytes do not.
private final class EmptyStorage: DiskStorage, Sendable {
    struct State {
        var byteCount = 0
        var mostReserved = 0
        var reservations = 0
        var failsToResize = false
    }

    private let state = Locked(State())

    var mostReserved: Int { state.withLock { $0.mostReserved } }
    var reservations: Int { state.withLock { $0.reservations } }

    func byteCount() -> Int { state.withLock { $0.byteCount } }

    func allocatedByteCount() -> Int { byteCount() }

    func read(at offset: Int, into bytes: UnsafeMutableRawBufferPointer) -> Int {
        let count = max(0, min(bytes.count, byteCount() - offset))
        bytes[..<count].initializeMemory(as: UInt8.self, repeating: 0)
        return count
    }

    func write(at offset: Int, _ first: UnsafeRawBufferPointer, _ second: UnsafeRawBufferPointer) {
        state.withLock { $0.byteCount = max($0.byteCount, offset + first.count + second.count) }
    }

    func reserve(_ byteCount: Int) {
        state.withLock {
            $0.mostReserved = max($0.mostReserved, byteCount - $0.byteCount)
            $0.byteCount = max($0.byteCount, byteCount)
            $0.reservations += 1
        }
    }

    func resize(to byteCount: Int) throws(StorageError) {
        let isDone = state.withLock { state in
            if !state.failsToResize { state.byteCount = byteCount }
            return !state.failsToResize
        }
        if !isDone { throw StorageError(.resize, code: EIO) }
    }

    /// From now on the length of the file cannot be changed.
    func failToResize() { state.withLock { $0.failsToResize = true } }

    func synchronize() {}

    var boot: UInt64 { 1 }
}

@Suite("Space reserved ahead") struct ReservedSpaceTests {
    private let storage = EmptyStorage()
    private let timer = WaitingRecordsTests.Timer()

    private func open(_ capacity: Int) throws -> DiskTier {
        try DiskTier(storage, capacity: capacity, seed: KeySeed(1, 2), nonceSeed: 3, schedule: timer.schedule)
    }

    /// Stores entries of 60 KiB, 1.5 segments of a capacity of 8 GiB.
    private func fill(_ tier: DiskTier, _ body: [UInt8], then: () -> Void) throws {
        for number in 0..<3_300 {
            let sample = Sample(number: number)
            let entry = StoredEntry(
                key: ContiguousArray(sample.key).span.bytes, hash: sample.hash, metadata: RawSpan(),
                body: ContiguousArray(body).span.bytes,
                storedAt: 0)
            _ = try tier.store(try #require(entry))
            then()
        }
    }

    static let body = [UInt8](repeating: 7, count: 60 << 10)

    @Test("No call lays out more than 4 MiB, whatever the capacity", arguments: [false, true])
    func noLargeCall(isAhead: Bool) throws {
        let tier = try open(8 << 30)
        try fill(tier, Self.body) { if isAhead { timer.reserve() } }
        #expect(storage.mostReserved <= 4 << 20)
        #expect(storage.byteCount() > 190 << 20)
    }

    @Test("With space reserved ahead, stores reserve none themselves but for the first")
    func storesDoNotReserve() throws {
        let tier = try open(8 << 30)
        var reservedByStores = 0
        var before = storage.reservations
        try fill(tier, Self.body) {
            reservedByStores += storage.reservations - before
            timer.reserve()
            before = storage.reservations
        }
        #expect(reservedByStores == 1)
    }

    @Test("A reservation that was scheduled before the capacity was lowered or the tier closed reserves nothing beyond")
    func staleReservation() throws {
        let tier = try open(8 << 30)
        _ = try tier.store(Sample(number: 0).entry())
        #expect(!timer.reservations.isEmpty)
        try tier.setCapacity(0)
        timer.reserve()
        #expect(storage.byteCount() == 0)
        try tier.setCapacity(8 << 30)
        _ = try tier.store(Sample(number: 0).entry())
        let length = storage.byteCount()
        tier.close()
        timer.reserve()
        #expect(storage.byteCount() == length)
    }

    @Test("A resize that fails leaves the space that is reserved as it was") func failedResize() throws {
        let space = ReservedSpace(of: storage)
        try space.resize(to: 1 << 20)
        storage.failToResize()
        #expect(throws: StorageError.self) { try space.resize(to: 0) }
        #expect(space.byteCount == 1 << 20)
    }

    @Test("A file that cannot be cut after everything was removed stays as long as it is, and is not tried again")
    func failedCut() throws {
        let tier = try open(8 << 30)
        try fill(tier, Self.body) { timer.reserve() }
        timer.fire()
        let length = storage.byteCount()
        storage.failToResize()
        try tier.removeAll()
        for _ in 0..<3 { timer.fire() }
        #expect(tier.statistics.failures == 1 && tier.statistics.lastError == EIO)
        #expect(storage.byteCount() == length && tier.count == 0)
    }

    @Test("Removing everything cuts at most 8 MiB off a long file at once, and nothing that is used again")
    func clearingInSteps() throws {
        let tier = try open(8 << 30)
        try fill(tier, Self.body) { timer.reserve() }
        timer.fire()
        var length = storage.byteCount()
        let step = 8 << 20
        try tier.removeAll()
        #expect(length - storage.byteCount() == step)
        // Entries that are stored in between keep their places.
        for number in 0..<300 {
            let sample = Sample(number: number)
            let entry = StoredEntry(
                key: ContiguousArray(sample.key).span.bytes, hash: sample.hash, metadata: RawSpan(),
                body: ContiguousArray(Self.body).span.bytes,
                storedAt: 0)
            _ = try tier.store(try #require(entry))
        }
        let used = tier.currentUsage
        var steps = 0
        while !timer.due.isEmpty {
            length = storage.byteCount()
            timer.fire()
            #expect(length - storage.byteCount() <= (length <= 64 << 20 ? length : step))
            steps += 1
        }
        #expect(steps >= 16 && steps < 40)
        #expect(storage.byteCount() >= used && storage.byteCount() < 64 << 20)
    }

    @Test("A file that was not cut to its end is cut by the next process") func clearingAfterOpening() throws {
        let storage = MemoryStorage()
        func open() throws -> DiskTier {
            try DiskTier(storage, capacity: 4 << 20, seed: KeySeed(1, 2), nonceSeed: 3, schedule: timer.schedule)
        }
        let length: Int
        do {
            let tier = try open()
            for number in 0..<50 { try tier.store(Sample(number: number).entry()) }
            try tier.removeAll()
            length = storage.bytes.count
            try storage.resize(to: 3 << 20)
        }
        let tier = try open()
        timer.fire()
        #expect(storage.bytes.count == length && tier.count == 0)
    }

    @Test("A cut waits for the reservation that began before it") func cutDuringReservation() {
        for _ in 0..<200 {
            let storage = EmptyStorage()
            let space = ReservedSpace(of: storage)
            let (hasBegun, hasCut) = (DispatchSemaphore(value: 0), DispatchSemaphore(value: 0))
            space.beginReservingAhead()
            Thread.detachNewThread {
                hasBegun.signal()
                try? space.cut(to: 1 << 20)
                hasCut.signal()
            }
            hasBegun.wait()
            #expect(space.reserveAhead(limit: 4 << 20))
            hasCut.wait()
            #expect(storage.byteCount() == 1 << 20)
            #expect(space.byteCount == 1 << 20)
        }
    }

    @Test("Threads that store, clear and change the capacity never see the file longer than the capacity")
    func concurrentChanges() throws {
        let directory = TemporaryDirectory()
        let tier = try DiskTier(directory: directory.path, capacity: 64 << 20)
        let body = [UInt8](repeating: 7, count: 100 << 10)
        for round in 0..<20 {
            for number in 0..<60 {
                let sample = Sample(number: round * 100 + number)
                let entry = StoredEntry(
                    key: ContiguousArray(sample.key).span.bytes, hash: sample.hash, metadata: RawSpan(),
                    body: ContiguousArray(body).span.bytes,
                    storedAt: 0)
                try tier.store(try #require(entry))
            }
            let capacity = round % 2 == 0 ? 4 << 20 : 64 << 20
            try tier.setCapacity(capacity)
            #expect(tier.allocatedBytes <= capacity)
            if round % 5 == 4 { try tier.removeAll() }
        }
    }
}
