import Foundation
import GaugeKit

/// A cache in memory, first in first out, as a programmer would write it in an hour: a hash table with buckets, and a
/// lock. Each defect that a counts gate must find is compiled in by a condition.
final class Table: CacheSubject {
    static let name = "table"
    static let capabilities: SubjectCapabilities = [.memory, .capacity]

    struct Entry {
        let key: String
        let body: [UInt8]
    }

    private let capacity: Int
    private let lock = NSLock()
    private var buckets: [[Entry]] = Array(repeating: [], count: 64)
    private var order: [String] = []
    private var oldest = 0
    private var count = 0
    private var bytes = 0
    private var operations = 0

    init(_ configuration: SubjectConfiguration) { capacity = configuration.memoryCapacity }

    func key(for url: String) -> String { url }

    var usage: SubjectUsage { SubjectUsage(memoryBytes: bytes, memoryEntries: count) }

    func lookUp(_ key: String, _ read: (UnsafeRawBufferPointer) -> Void) -> Outcome {
        lock.lock()
        defer { lock.unlock() }
        operations += 1
        #if PLANT_SCAN
        if operations.isMultiple(of: 64) { scan() }
        #endif
        guard let entry = find(key, in: buckets[place(of: key)]) else { return .miss }
        #if PLANT_IO
        writeUnderLock()
        #endif
        #if PLANT_ALLOCATION
        copied(entry.body).withUnsafeBytes(read)
        #else
        entry.body.withUnsafeBytes(read)
        #endif
        return .memoryHit
    }

    func store(_ body: UnsafeRawBufferPointer, for key: String) -> Outcome {
        lock.lock()
        defer { lock.unlock() }
        operations += 1
        #if PLANT_PERIODIC
        if operations.isMultiple(of: 1_024) { tidy() }
        #endif
        removeEntry(key)
        if count >= buckets.count * 2 { grow() }
        buckets[place(of: key)].append(Entry(key: key, body: Array(body)))
        order.append(key)
        count += 1
        bytes += body.count
        var outcome = Outcome.store
        while bytes > capacity, oldest < order.count {
            removeEntry(order[oldest])
            oldest += 1
            outcome = .storeEvict
        }
        if oldest > 4_096, oldest > order.count / 2 { forgetOldest() }
        return outcome
    }

    func remove(_ key: String) {
        lock.lock()
        defer { lock.unlock() }
        removeEntry(key)
    }

    private func place(of key: String) -> Int {
        #if PLANT_BUCKET
        // Only 64 buckets are ever used.
        return Int(UInt(bitPattern: hash(key)) % 64)
        #else
        return Int(UInt(bitPattern: hash(key)) % UInt(buckets.count))
        #endif
    }

    private func hash(_ key: String) -> Int {
        key.utf8.reduce(5_381) { ($0 &* 33) ^ Int($1) }
    }

    @inline(never)
    private func find(_ key: String, in bucket: [Entry]) -> Entry? { bucket.first { $0.key == key } }

    private func removeEntry(_ key: String) {
        let place = place(of: key)
        guard let position = buckets[place].firstIndex(where: { $0.key == key }) else { return }
        bytes -= buckets[place][position].body.count
        count -= 1
        buckets[place].remove(at: position)
    }

    @inline(never)
    private func grow() {
        #if PLANT_RESIZE
        let factor = 4
        #else
        let factor = 2
        #endif
        var larger: [[Entry]] = Array(repeating: [], count: buckets.count * factor)
        swap(&buckets, &larger)
        for entry in larger.joined() { buckets[place(of: entry.key)].append(entry) }
    }

    @inline(never)
    private func forgetOldest() {
        order.removeFirst(oldest)
        oldest = 0
    }

    #if PLANT_SCAN
    @inline(never)
    private func scan() { blackHole(buckets.reduce(0) { $0 + $1.count }) }
    #endif

    #if PLANT_PERIODIC
    @inline(never)
    private func tidy() { for index in buckets.indices { buckets[index].reserveCapacity(buckets[index].count) } }
    #endif

    #if PLANT_IO
    private let log = open("/dev/null", O_WRONLY | O_CLOEXEC)

    @inline(never)
    private func writeUnderLock() { _ = write(log, "hit\n", 4) }
    #endif

    #if PLANT_ALLOCATION
    @inline(never)
    private func copied(_ body: [UInt8]) -> [UInt8] { body.map { $0 } }
    #endif
}
