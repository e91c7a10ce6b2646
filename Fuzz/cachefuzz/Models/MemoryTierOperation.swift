/// An operation on a memory tier, of three bytes: the kind of operation, one of 64 keys, and an argument such as the
/// size of the body or the capacity.
///
/// With 20 keys or fewer a store would never evict anything, because an entry takes at most 5 % of the capacity.
enum MemoryTierOperation {
    case lookup(key: UInt8)
    /// More lookups in a row than the tier buffers before it updates the order of use.
    case lookupOften(key: UInt8)
    case store(key: UInt8, bodyCount: Int, isAllowed: Bool)
    /// Stores the present entry once more: an entry may be in only one place of one tier.
    case storeAgain(key: UInt8)
    case remove(key: UInt8)
    case takeTicket(key: UInt8)
    case promote(key: UInt8, bodyCount: Int)
    /// Sets the capacity, in quarters of the size of the smallest entry.
    case setCapacity(quarters: Int)
    case removeSince(ago: Int64)
    case removeAll

    static let width = 3
    static let keyCount = 64

    /// The operation that begins at byte `3 * number`.
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

    /// The operations of an input.
    static func all(in bytes: UnsafeRawBufferPointer) -> [MemoryTierOperation] {
        (0..<bytes.count / width).map { MemoryTierOperation(bytes, at: $0) }
    }
}
