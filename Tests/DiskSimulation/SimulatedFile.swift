/// A file as a kernel and a disk see it: all writes, and those that would survive a power cut.
///
/// No operation costs more than the bytes it is about, whatever the length of the file: fuzzers run it millions of
/// times.
struct SimulatedFile: ~Copyable {
    /// The bytes that a reader gets, and that the death of a process leaves.
    private(set) var bytes = FileBytes(capacity: 16 << 10)
    /// The bytes that the last synchronisation covered.
    private var durable = FileBytes(capacity: 16 << 10)
    /// The changes since.
    private var pending: [Change] = []
    /// The bytes of the pending writes, one after the other.
    private var written = FileBytes(capacity: 4 << 10)
    /// Whether one of the pending changes made the file shorter: then other bytes than the written ones may differ,
    /// too.
    private var wasCut = false
    /// Whether a synchronisation failed: then any byte may differ from the durable one until it is written again.
    private var hasLostWrites = false
    /// Of each sector, after how many changes a power cut leaves it; -1 as long as that is not decided.
    private var cuts: [Int] = []

    private enum Change {
        /// `count` bytes at `offset`, which stand in `written` from `source` on.
        case write(offset: Int, count: Int, source: Int)
        case resize(Int)
    }

    /// Bytes that a disk writes whole or not at all.
    private static let sectorBytes = 512

    init(_ bytes: [UInt8] = []) {
        bytes.withUnsafeBytes {
            self.bytes.append($0)
            durable.append($0)
        }
    }

    /// Writes the first `limit` bytes of two regions.
    mutating func write(
        at offset: Int, _ first: UnsafeRawBufferPointer, _ second: UnsafeRawBufferPointer, limit: Int = .max
    ) {
        let source = written.count
        let fromFirst = min(limit, first.count)
        written.append(UnsafeRawBufferPointer(rebasing: first[..<fromFirst]))
        written.append(UnsafeRawBufferPointer(rebasing: second[..<min(limit - fromFirst, second.count)]))
        let count = written.count - source
        guard count > 0 else { return }
        pending.append(.write(offset: offset, count: count, source: source))
        bytes.copy(written, from: source, count, at: offset)
    }

    mutating func resize(to count: Int) {
        pending.append(.resize(count))
        if count < bytes.count { wasCut = true }
        bytes.resize(to: count)
    }

    mutating func synchronize() {
        for change in pending {
            switch change {
            case .resize(let count): durable.resize(to: count)
            case .write(let offset, let count, let source): durable.copy(written, from: source, count, at: offset)
            }
        }
        forgetPending()
    }

    private mutating func forgetPending() {
        pending.removeAll(keepingCapacity: true)
        written.removeAll()
        wasCut = false
    }

    /// Fails to synchronise: some of the pending bytes get to the disk, the others are dropped, and readers do not see
    /// that until the power is cut.
    mutating func loseWrites(_ choose: (Int) -> Int) {
        settlePending(choose)
        forgetPending()
        hasLostWrites = true
    }

    /// Lets the disk have got all that synchronisations lost.
    mutating func forgiveLostWrites() {
        guard hasLostWrites else { return }
        forgetPending()
        durable.removeAll()
        durable.append(bytes.all)
        hasLostWrites = false
    }

    /// Keeps the unsynchronised bytes that the power cut happened to let through: of every sector the state after
    /// some of the changes, each sector independently of the others, and of the length too.
    ///
    /// - Parameter choose: gives a number from 0 up to its argument, both included.
    mutating func cutPower(_ choose: (Int) -> Int) {
        let length = settlePending(choose)
        if wasCut || hasLostWrites {
            bytes.removeAll()
            bytes.append(durable.all)
        } else {
            for case .write(let offset, let count, _) in pending where offset < length {
                bytes.copy(durable, from: offset, min(count, length - offset), at: offset)
            }
            bytes.resize(to: length)
        }
        forgetPending()
        hasLostWrites = false
    }

    /// Loses the length that the file had, as a file system may that is damaged by a power cut, and all behind the new
    /// end.
    mutating func loseLength(_ choose: (Int) -> Int) {
        durable.resize(to: min(durable.count, choose(durable.count)))
        bytes.removeAll()
        bytes.append(durable.all)
    }

    /// - Returns: how long the durable file is then.
    @discardableResult
    private mutating func settlePending(_ choose: (Int) -> Int) -> Int {
        var length = durable.count
        let lengthAfter = Self.cut(pending.count, choose)
        cuts.removeAll(keepingCapacity: true)
        for (number, change) in pending.enumerated() {
            switch change {
            case .resize(let count): if number < lengthAfter { length = count }
            case .write(let offset, let count, let source):
                if number < lengthAfter { length = max(length, offset + count) }
                if offset + count > durable.count { durable.resize(to: offset + count) }
                write(number, at: offset, count, source, choose)
            }
        }
        durable.resize(to: length)
        return length
    }

    /// Lets the power cut decide about the sectors of one write.
    private mutating func write(_ number: Int, at offset: Int, _ count: Int, _ source: Int, _ choose: (Int) -> Int) {
        let last = (offset + count - 1) / Self.sectorBytes
        if last >= cuts.count { cuts.append(contentsOf: repeatElement(-1, count: last + 1 - cuts.count)) }
        for sector in offset / Self.sectorBytes...last {
            if cuts[sector] < 0 { cuts[sector] = Self.cut(pending.count, choose) }
            guard number < cuts[sector] else { continue }
            let from = max(offset, sector * Self.sectorBytes)
            let to = min(offset + count, (sector + 1) * Self.sectorBytes)
            durable.copy(written, from: source + from - offset, to - from, at: from)
        }
    }

    /// Nothing and everything more often than something in between.
    private static func cut(_ count: Int, _ choose: (Int) -> Int) -> Int {
        switch choose(3) {
        case 0: 0
        case 1: count
        default: choose(count)
        }
    }
}
