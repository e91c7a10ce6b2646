import PlantedGauge

@testable import GaugeKit
@testable import GaugeMeasurement

/// A right cache of one tier, first in, first out; subclasses choose another order, several parts that evict alone, or
/// a defect.
class PlainCache: CacheSubject {
    struct Entry {
        let body: [UInt8]
        let cost: Int
        var (used, uses) = (0, 1)
        let stored: Int
    }

    struct Part {
        var entries: [String: Entry] = [:]
        var bytes = 0
    }

    /// What is counted for ever.
    enum Leak { case none, removed, replaced }

    class var name: String { "plain" }
    class var capabilities: SubjectCapabilities { [.memory, .capacity, .removalOfAll] }
    class var order: SubjectOrder { .fifo }
    class var limits: SubjectLimits { SubjectLimits(zero: .nothing) }
    class var partCount: Int { 1 }
    class var leak: Leak { .none }

    var capacity: Int
    var parts: [Part]
    private var time = 0

    required init(_ configuration: SubjectConfiguration) {
        let isOnDisk = Self.capabilities.contains(.disk)
        capacity = (isOnDisk ? configuration.diskCapacity : configuration.memoryCapacity) / Self.partCount
        parts = Array(repeating: Part(), count: Self.partCount)
    }

    /// The entry of the lowest rank is evicted first.
    func rank(_ entry: Entry) -> (Int, Int) { (entry.stored, 0) }

    func key(for url: String) throws -> String { try FlawedKey(SubjectRequest(url), .none).text }

    func part(of key: String) -> Int {
        Self.partCount == 1 ? 0 : Int(Trial.id(SubjectRequest(key)) % UInt64(Self.partCount))
    }

    func lookUp(_ key: String, _ read: (UnsafeRawBufferPointer) -> Void) -> Outcome {
        let part = part(of: key)
        guard let entry = parts[part].entries[key] else { return .miss }
        time += 1
        parts[part].entries[key]?.used = time
        parts[part].entries[key]?.uses += 1
        entry.body.withUnsafeBytes(read)
        return Self.capabilities.contains(.disk) ? .diskHit : .memoryHit
    }

    func store(_ body: UnsafeRawBufferPointer, for key: String) -> Outcome {
        let part = part(of: key)
        let uses = parts[part].entries[key]?.uses ?? 0
        drop(key, from: part, counts: Self.leak == .replaced)
        time += 1
        let entry = Entry(body: Array(body), cost: body.count + 60, used: time, uses: uses + 1, stored: time)
        let largest = min(Int(Double(capacity) * (Self.limits.largestPart ?? 1)), Self.limits.largestBody ?? .max)
        guard body.count <= largest, entry.cost <= capacity else { return .store }
        makeRoom(for: entry.cost, part)
        parts[part].entries[key] = entry
        parts[part].bytes += entry.cost
        return .store
    }

    func makeRoom(for cost: Int, _ part: Int) {
        while parts[part].bytes + cost > capacity, let victim = victim(of: parts[part].entries) {
            drop(victim, from: part)
        }
    }

    func victim(of entries: [String: Entry]) -> String? {
        var lowest: (key: String, rank: (Int, Int))?
        for (key, entry) in entries {
            let rank = rank(entry)
            if lowest.map({ rank < $0.rank }) ?? true { lowest = (key, rank) }
        }
        return lowest?.key
    }

    func drop(_ key: String, from part: Int, counts: Bool = false) {
        guard let entry = parts[part].entries.removeValue(forKey: key), !counts else { return }
        parts[part].bytes -= entry.cost
    }

    func resize(memory: Int, disk: Int) {
        capacity = memory / Self.partCount
        for part in parts.indices { makeRoom(for: 0, part) }
    }

    func remove(_ key: String) { drop(key, from: part(of: key), counts: Self.leak == .removed) }
    func removeAll() { parts = Array(repeating: Part(), count: Self.partCount) }
}

/// Least frequently used first; of those, least recently used.
final class LFUCache: PlainCache {
    override class var order: SubjectOrder { .usedKept }
    override func rank(_ entry: Entry) -> (Int, Int) { (entry.uses, entry.used) }
}

/// W-TinyLFU: what leaves a window of 1 % is admitted to the rest only if it was used more often than what it evicts.
/// The rest is least recently used first, and uses are counted exactly.
final class TinyLFUCache: PlainCache {
    override class var order: SubjectOrder { .usedKept }
    private var uses: [String: Int] = [:]
    /// The least recently used first.
    private var window: [String] = []

    override func rank(_ entry: Entry) -> (Int, Int) { (entry.used, 0) }
    override func makeRoom(for cost: Int, _ part: Int) {}

    private func bytes(of keys: [String]) -> Int { keys.reduce(0) { $0 + (parts[0].entries[$1]?.cost ?? 0) } }

    override func lookUp(_ key: String, _ read: (UnsafeRawBufferPointer) -> Void) -> Outcome {
        uses[key, default: 0] += 1
        if window.contains(key) { window = window.filter { $0 != key } + [key] }
        return super.lookUp(key, read)
    }

    override func store(_ body: UnsafeRawBufferPointer, for key: String) -> Outcome {
        uses[key, default: 0] += 1
        window = window.filter { $0 != key } + [key]
        let outcome = super.store(body, for: key)
        while bytes(of: window) > capacity / 100 { admit(window.removeFirst()) }
        return outcome
    }

    private func admit(_ key: String) {
        while parts[0].bytes - bytes(of: window) > capacity * 99 / 100 {
            let others = parts[0].entries.filter { $0.key != key && !window.contains($0.key) }
            guard let victim = victim(of: others), uses[key, default: 0] > uses[victim, default: 0] else {
                return drop(key, from: 0)
            }
            drop(victim, from: 0)
        }
    }

    override func remove(_ key: String) {
        window.removeAll { $0 == key }
        super.remove(key)
    }

    override func removeAll() {
        (uses, window) = ([:], [])
        super.removeAll()
    }
}

class ShardedFIFO: PlainCache { override class var partCount: Int { 16 } }

class PlainDisk: PlainCache {
    override class var capabilities: SubjectCapabilities { [.disk, .capacity, .removalOfAll] }
}

final class LeakyFIFO: PlainCache { override class var leak: Leak { .removed } }
final class ReplacingFIFO: PlainCache { override class var leak: Leak { .replaced } }
final class LeakyShards: ShardedFIFO { override class var leak: Leak { .removed } }
final class LeakyDisk: PlainDisk { override class var leak: Leak { .removed } }
final class ReplacingDisk: PlainDisk { override class var leak: Leak { .replaced } }

/// Least recently used first, with a limit of 4 % for each body.
class SmallBodies: PlainCache {
    override class var order: SubjectOrder { .lru }
    override class var limits: SubjectLimits { SubjectLimits(zero: .nothing, largestPart: 0.04) }
    override func rank(_ entry: Entry) -> (Int, Int) { (entry.used, 0) }
}

/// The same, with a limit of 2.5 %, which is less than most bodies of 5,000 bytes need.
final class ShorterBodies: SmallBodies {
    override class var limits: SubjectLimits { SubjectLimits(zero: .nothing, largestPart: 0.025) }
}

/// The same, with a limit of 0.2 %: 1 MB in 512 MB.
final class TinyBodies: SmallBodies {
    override class var capabilities: SubjectCapabilities { [.memory, .capacity, .resize] }
    override class var limits: SubjectLimits { SubjectLimits(zero: .nothing, largestPart: 0.002) }
}

/// The same, with so low a limit that no promise about the order of eviction can be tried.
final class LeastBodies: SmallBodies {
    override class var capabilities: SubjectCapabilities { [.memory, .capacity, .resize] }
    override class var limits: SubjectLimits { SubjectLimits(zero: .nothing, largestPart: 0.0003) }
}

/// The same, with a limit of 4,500 bytes, whatever the capacity.
final class LimitedBodies: SmallBodies {
    override class var limits: SubjectLimits { SubjectLimits(zero: .nothing, largestBody: 4_500) }
}

/// The same on disk, with a limit of 1 %.
final class SmallFiles: SmallBodies {
    override class var capabilities: SubjectCapabilities { [.disk, .capacity] }
    override class var limits: SubjectLimits { SubjectLimits(zero: .nothing, largestPart: 0.01) }
}

/// With a limit of 4 % and a defect: first in, first out, although it says otherwise.
final class SmallFIFO: SmallBodies {
    override func rank(_ entry: Entry) -> (Int, Int) { (entry.stored, 0) }
}
