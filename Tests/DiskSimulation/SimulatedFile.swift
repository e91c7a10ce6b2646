/// A file as a kernel and a disk see it: what was written, and what of it a power cut would leave.
///
/// No operation costs more than the bytes it is about, whatever the length of the file: fuzzers run it millions of times.
struct SimulatedFile {
    /// What a reader gets, and what is left when only the process dies.
    private(set) var bytes: [UInt8]
    /// What the last synchronisation made sure of.
    private var durable: [UInt8]
    /// What was done since.
    private var pending: [Change] = []
    /// What the pending writes wrote, one after the other.
    private var written: [UInt8] = []

    private enum Change {
        /// `count` bytes at `offset`, which stand in `written` from `source` on.
        case write(offset: Int, count: Int, source: Int)
        case resize(Int)
    }

    /// What a disk writes whole or not at all.
    private static let sectorBytes = 512

    init(_ bytes: [UInt8] = []) {
        self.bytes = bytes
        durable = bytes
    }

    /// Writes the first `limit` bytes of two regions.
    mutating func write(
        at offset: Int, _ first: UnsafeRawBufferPointer, _ second: UnsafeRawBufferPointer, limit: Int = .max
    ) {
        let source = written.count
        written.append(contentsOf: first.prefix(limit))
        written.append(contentsOf: second.prefix(limit - min(limit, first.count)))
        let count = written.count - source
        guard count > 0 else { return }
        pending.append(.write(offset: offset, count: count, source: source))
        Self.extend(&bytes, to: offset + count)
        Self.copy(written, source..<source + count, to: &bytes, at: offset)
    }

    mutating func resize(to count: Int) {
        pending.append(.resize(count))
        Self.cut(&bytes, to: count)
    }

    mutating func synchronize() {
        for change in pending {
            switch change {
            case .resize(let count): Self.cut(&durable, to: count)
            case .write(let offset, let count, let source):
                Self.extend(&durable, to: offset + count)
                Self.copy(written, source..<source + count, to: &durable, at: offset)
            }
        }
        forgetPending()
    }

    private mutating func forgetPending() {
        pending.removeAll(keepingCapacity: true)
        written.removeAll(keepingCapacity: true)
    }

    /// Leaves of what was not synchronised what the power cut happened to let through: of every sector the state after
    /// some of the changes, each sector independently of the others, and of the length too.
    ///
    /// - Parameter choose: gives a number from 0 up to its argument, both included.
    mutating func cutPower(_ choose: (Int) -> Int) {
        var length = durable.count
        let lengthAfter = Self.cut(pending.count, choose)
        // Of each sector, after how many changes it is left; -1 as long as that is not decided.
        var cuts = [Int](repeating: -1, count: max(durable.count, bytes.count) / Self.sectorBytes + 1)
        for (number, change) in pending.enumerated() {
            if number < lengthAfter {
                switch change {
                case .resize(let count): length = count
                case .write(let offset, let count, _): length = max(length, offset + count)
                }
            }
            guard case .write(let offset, let count, let source) = change else { continue }
            Self.extend(&durable, to: offset + count)
            let last = (offset + count - 1) / Self.sectorBytes
            if last >= cuts.count { cuts += [Int](repeating: -1, count: last + 1 - cuts.count) }
            for sector in offset / Self.sectorBytes...last {
                if cuts[sector] < 0 { cuts[sector] = Self.cut(pending.count, choose) }
                guard number < cuts[sector] else { continue }
                let from = max(offset, sector * Self.sectorBytes)
                let to = min(offset + count, (sector + 1) * Self.sectorBytes)
                Self.copy(written, source + from - offset..<source + to - offset, to: &durable, at: from)
            }
        }
        Self.cut(&durable, to: length)
        forgetPending()
        bytes = durable
    }

    /// Nothing and everything more often than something in between.
    private static func cut(_ count: Int, _ choose: (Int) -> Int) -> Int {
        switch choose(3) {
        case 0: 0
        case 1: count
        default: choose(count)
        }
    }

    private static func cut(_ bytes: inout [UInt8], to count: Int) {
        if count < bytes.count { bytes.removeLast(bytes.count - count) } else { extend(&bytes, to: count) }
    }

    private static func extend(_ bytes: inout [UInt8], to count: Int) {
        guard count > bytes.count else { return }
        bytes.append(contentsOf: repeatElement(0, count: count - bytes.count))
    }

    private static func copy(_ source: [UInt8], _ range: Range<Int>, to target: inout [UInt8], at offset: Int) {
        target.withUnsafeMutableBytes { target in
            source.withUnsafeBytes {
                UnsafeMutableRawBufferPointer(rebasing: target[offset...])
                    .copyMemory(from: UnsafeRawBufferPointer(rebasing: $0[range]))
            }
        }
    }
}
