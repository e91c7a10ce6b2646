/// One operation on a disk log under trial: four bytes, of which the first says what is done (modulo 32) and the others
/// to which of 16 keys, how much, or what fails.
enum DiskOperation {
    case store(key: Int, bodyCount: Int)
    /// Stores one key after the other, sometimes enough to go round a small ring.
    case storeMany(first: Int, count: Int)
    case lookUp(key: Int)
    case remove(key: Int)
    case removeAll
    /// Removes what was stored after the last versions but so many.
    case removeSince(versions: Int)
    case flush
    /// Closes and opens; `choice` says whether with another capacity, and whether faults last.
    case reopen(choice: Int)
    case changeCapacity(number: Int)
    /// The waiting records are written, as after a moment.
    case writeStage
    /// Overwrites what is dead.
    case erase
    /// Has each removal erase from now on, until the log is opened again, or does not.
    case eraseRemoved(Bool)
    case check
    case fail(kind: Int, after: Int)
    case kill(prefix: Int, after: Int)
    case cutPower(choice: UInt64, losesLength: Bool)
    case cutPowerLater(prefix: Int, after: Int, choice: UInt64)

    /// Bytes of an operation.
    static let width = 4

    /// The operation in four bytes.
    init(_ bytes: (UInt8, UInt8, UInt8, UInt8)) {
        let (kind, first, second, third) = bytes
        let key = Int(first) % Version.keyCount
        switch kind % 32 {
        case 0..<12:
            let size = Int(second)
            self = .store(key: key, bodyCount: size * (size % 4 == 0 ? 64 : 6))
        case 12..<18: self = .lookUp(key: key)
        case 18..<21: self = .remove(key: key)
        case 21: self = .removeAll
        case 22: self = .removeSince(versions: Int(first % 16))
        case 23: self = .flush
        case 24: self = .reopen(choice: Int(first))
        case 25: self = .changeCapacity(number: Int(first))
        case 26: self = .storeMany(first: Int(first), count: 1 + Int(second % 20))
        case 27 where third % 8 == 7: self = first % 2 == 0 ? .erase : .eraseRemoved(second % 2 == 0)
        case 27: self = first % 2 == 0 ? .check : .writeStage
        case 28: self = .fail(kind: Int(first), after: Int(second % 16))
        case 29: self = .kill(prefix: Int(first) * 2, after: Int(second % 32))
        case 30: self = .cutPower(choice: UInt64(first) << 8 | UInt64(second), losesLength: third % 8 == 7)
        default: self = .cutPowerLater(prefix: Int(first) * 2, after: Int(second % 32), choice: UInt64(third))
        }
    }
}
