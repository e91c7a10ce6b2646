import CacheTiers

/// Runs a list of ``MemoryTierOperation`` on a memory tier and its model, and compares them. Of the 64 keys, 16 share
/// one hash and 16 others share one slot.
struct MemoryTierScript {
    private var model: MemoryTierModel
    private let tier: MemoryTier
    private let keys: [[UInt8]]
    private let hashes: [KeyHash]
    private var versions = 0
    private var lookups = 0
    private var clock: Int64 = 0
    /// Tickets taken earlier, each with the model's.
    private var tickets: [UInt8: (tier: PromotionTicket, model: Int)] = [:]

    private static let smallest = 9 + 8 + StoredEntry.overhead

    private final class Companion: Sendable {
        let version: Int

        init(version: Int) { self.version = version }
    }

    init(policy: EvictionPolicy, stripes: Int) throws {
        // Room for 48 entries of the smallest size, so that 20 of them are at the limit of 5 %.
        let capacity = 48 * Self.smallest
        model = MemoryTierModel(capacity: capacity, policy: policy)
        tier = try MemoryTier(capacity: capacity, stripes: stripes, policy: policy)
        let hasher = KeyHasher(seed: KeySeed(1, 2))
        keys = (0..<MemoryTierOperation.keyCount).map { Array("http://\($0 < 10 ? "0" : "")\($0)".utf8) }
        hashes = keys.enumerated().map { number, key in
            switch number {
            case 0..<16: KeyHash(low: 7, high: 7)
            case 16..<32: KeyHash(low: UInt64(number) << 20 | 31, high: UInt64(number))
            default: key.withUnsafeBytes { hasher.hash($0) }
            }
        }
    }

    /// Runs the operations.
    ///
    /// - Returns: the first difference between tier and model, if any.
    mutating func run(_ bytes: UnsafeRawBufferPointer) -> String? {
        for number in 0..<bytes.count / MemoryTierOperation.width {
            let operation = MemoryTierOperation(bytes, at: number)
            if let difference = step(operation) ?? compareTotals() {
                return "operation \(number), \(operation): \(difference)"
            }
            // The order of use decides what is evicted. It is compared after every 256 operations and at the end.
            if number % 256 == 255, let difference = compareOrder() { return difference }
        }
        return compareOrder()
    }

    private mutating func step(_ operation: MemoryTierOperation) -> String? {
        switch operation {
        case .lookup(let key): lookup(key)
        case .lookupOften(let key): lookupOften(key)
        case .store(let key, let bodyCount, let isAllowed): store(key, bodyCount: bodyCount, isAllowed: isAllowed)
        case .storeAgain(let key): storeAgain(key)
        case .remove(let key): remove(key)
        case .takeTicket(let key): takeTicket(key)
        case .promote(let key, let bodyCount): promote(key, bodyCount: bodyCount)
        case .setCapacity(let quarters): setCapacity(quarters)
        case .removeSince(let ago): removeAll(since: clock - ago)
        case .removeAll: removeAll(since: nil)
        }
    }

    // MARK: Operations

    private mutating func lookup(_ key: UInt8) -> String? {
        let expected = model.lookup(key)
        lookups += 1
        if lookups % 2 == 0 { return lookupHandout(key, expected: expected?.version) }
        let found = keys[Int(key)].withUnsafeBytes { tier.lookup($0, hash: hashes[Int(key)]) }
        guard version(found) == expected?.version else {
            return "found \(version(found) as Any), expected \(expected?.version as Any)"
        }
        return nil
    }

    private mutating func lookupOften(_ key: UInt8) -> String? {
        for _ in 0..<300 {
            if let difference = lookup(key) { return difference }
        }
        return nil
    }

    /// An object attached to an entry must belong to that version as long as the entry is present.
    private mutating func lookupHandout(_ key: UInt8, expected: Int?) -> String? {
        switch hit(key) {
        case nil: return expected == nil ? nil : "found nothing, expected \(expected as Any)"
        case .handout(let object):
            let version = (object as? Companion)?.version
            return version == expected ? nil : "handed out \(version as Any), expected \(expected as Any)"
        case .entry(let entry):
            guard let found = version(entry), found == expected else {
                return "found \(version(entry) as Any), expected \(expected as Any)"
            }
            let attached = entry.attach(Companion(version: found)) as? Companion
            guard attached?.version == found, entry.attachment === attached else { return "lost what was attached" }
            entry.keepHandout(Companion(version: found))
            _ = model.lookup(key)
            guard case .handout = hit(key) else { return "the kept object is not handed out" }
            return nil
        }
    }

    private func hit(_ key: UInt8) -> MemoryHit? {
        keys[Int(key)].withUnsafeBytes { tier.lookupHandout($0, hash: hashes[Int(key)]) }
    }

    private mutating func store(_ key: UInt8, bodyCount: Int, isAllowed: Bool) -> String? {
        guard let (entry, expected) = make(key, bodyCount: bodyCount, isAllowed: isAllowed) else { return nil }
        return compare(tier.store(entry), model.store(expected, isAllowed: isAllowed))
    }

    private mutating func storeAgain(_ key: UInt8) -> String? {
        let expected = model.lookup(key)
        let found = keys[Int(key)].withUnsafeBytes { tier.lookup($0, hash: hashes[Int(key)]) }
        guard version(found) == expected?.version else {
            return "found \(version(found) as Any), expected \(expected?.version as Any)"
        }
        guard let found, let expected else { return nil }
        return compare(tier.store(found), model.store(expected, isAllowed: true))
    }

    private mutating func remove(_ key: UInt8) -> String? {
        let isRemoved = keys[Int(key)].withUnsafeBytes { tier.remove($0, hash: hashes[Int(key)]) }
        let expected = model.remove(key)
        return isRemoved == expected ? nil : "removed \(isRemoved), expected \(expected)"
    }

    private mutating func takeTicket(_ key: UInt8) -> String? {
        tickets[key] = (tier.promotionTicket(for: hashes[Int(key)]), model.ticket(key))
        return nil
    }

    /// Promotes an entry with an old or new ticket. A change to another key may make that fail; a change to its own key
    /// must.
    private mutating func promote(_ key: UInt8, bodyCount: Int) -> String? {
        guard let (entry, expected) = make(key, bodyCount: bodyCount, isAllowed: true) else { return nil }
        let isFresh = tickets[key] == nil
        let ticket = tickets.removeValue(forKey: key) ?? (tier.promotionTicket(for: entry.hash), model.ticket(key))
        let result = tier.promote(entry, ticket: ticket.tier)
        if result.outcome == .outdated { return isFresh ? "a promotion was refused without reason" : nil }
        guard ticket.model == model.ticket(key) else { return "a promotion came back after a change" }
        return compare(result, model.store(expected, isAllowed: true))
    }

    private mutating func setCapacity(_ amount: Int) -> String? {
        let capacity = amount * Self.smallest / 4
        guard (try? tier.setCapacity(capacity)) != nil else { return "capacity \(capacity) was refused" }
        model.setCapacity(capacity)
        return nil
    }

    private mutating func removeAll(since moment: Int64?) -> String? {
        if let moment { tier.removeAll(since: moment) } else { tier.removeAll() }
        model.removeAll(since: moment ?? -1)
        return nil
    }

    // MARK: Comparing

    private func compare(_ result: StoreResult, _ expected: StoreResult) -> String? {
        result == expected ? nil : "stored with \(result), expected \(expected)"
    }

    private func compareTotals() -> String? {
        guard tier.usage == model.usage else { return "usage \(tier.usage), expected \(model.usage)" }
        guard tier.usage <= tier.capacity else { return "usage \(tier.usage) above capacity \(tier.capacity)" }
        guard tier.count == model.entries.count else { return "count \(tier.count), expected \(model.entries.count)" }
        guard tier.capacity == model.capacity else { return "capacity \(tier.capacity), expected \(model.capacity)" }
        return nil
    }

    private func compareOrder() -> String? {
        let versions = tier.entries().map { version($0) }
        guard versions == model.versionsInOrder else { return "the order of eviction differs" }
        let evictions = tier.statistics.evictions
        return evictions == model.evictions ? nil : "\(evictions) evictions, expected \(model.evictions)"
    }

    // MARK: Entries

    private mutating func make(
        _ key: UInt8, bodyCount: Int, isAllowed: Bool
    ) -> (entry: StoredEntry, model: MemoryTierModel.Entry)? {
        versions += 1
        clock += 1
        let version = versions
        let bytes = keys[Int(key)]
        let entry = StoredEntry(
            hash: hashes[Int(key)], keyCount: bytes.count, metadataCount: 8, bodyCount: bodyCount, storedAt: clock,
            policy: isAllowed ? .allowed : .notAllowed
        ) { destination in
            destination.copyBytes(from: bytes)
            destination.storeBytes(of: version, toByteOffset: bytes.count, as: Int.self)
            UnsafeMutableRawBufferPointer(rebasing: destination[(bytes.count + 8)...]).initializeMemory(
                as: UInt8.self, repeating: UInt8(truncatingIfNeeded: version))
        }
        guard let entry else { return nil }
        let cost = bytes.count + 8 + bodyCount + StoredEntry.overhead
        return (entry, MemoryTierModel.Entry(key: key, version: version, cost: cost, storedAt: clock))
    }

    /// An entry's version; -1 if its bytes aren't those that were stored.
    private func version(_ entry: StoredEntry?) -> Int? {
        guard let entry else { return nil }
        let version = entry.withMetadata { $0.loadUnaligned(as: Int.self) }
        let filler = UInt8(truncatingIfNeeded: version)
        return entry.withBody { $0.first ?? filler == filler && $0.last ?? filler == filler } ? version : -1
    }
}

/// An operation on a memory tier, of three bytes: the kind, one of 64 keys, and an argument such as the body's size or
/// the capacity.
///
/// With 20 keys or fewer a store would never evict anything, since an entry takes at most 5 % of the capacity.
enum MemoryTierOperation {
    case lookup(key: UInt8)
    /// More lookups in a row than the tier buffers before it updates the order of use.
    case lookupOften(key: UInt8)
    case store(key: UInt8, bodyCount: Int, isAllowed: Bool)
    /// Stores the present entry once more: an entry may be only once in only one tier.
    case storeAgain(key: UInt8)
    case remove(key: UInt8)
    case takeTicket(key: UInt8)
    case promote(key: UInt8, bodyCount: Int)
    /// Sets the capacity, in quarters of the smallest entry's size.
    case setCapacity(quarters: Int)
    case removeSince(ago: Int64)
    case removeAll

    static let width = 3
    static let keyCount = 64

    init(_ bytes: UnsafeRawBufferPointer, at number: Int) {
        let key = bytes[number * Self.width + 1] % UInt8(Self.keyCount)
        let amount = Int(bytes[number * Self.width + 2])
        switch bytes[number * Self.width] {
        case 0..<110: self = amount == 0xFF ? .lookupOften(key: key) : .lookup(key: key)
        case 110..<200: self = .store(key: key, bodyCount: amount / 16 + 8, isAllowed: true)
        case 200..<205: self = .store(key: key, bodyCount: amount * 8, isAllowed: true)
        case 205..<207: self = .store(key: key, bodyCount: 8, isAllowed: false)
        case 207: self = .storeAgain(key: key)
        case 208..<225: self = .remove(key: key)
        case 225..<232: self = .takeTicket(key: key)
        case 232..<246: self = .promote(key: key, bodyCount: amount / 16 + 8)
        case 246..<253: self = .setCapacity(quarters: amount)
        case 253, 254: self = .removeSince(ago: Int64(amount))
        default: self = .removeAll
        }
    }

    static func all(in bytes: UnsafeRawBufferPointer) -> [MemoryTierOperation] {
        (0..<bytes.count / width).map { MemoryTierOperation(bytes, at: $0) }
    }
}
