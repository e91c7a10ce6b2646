/// A file as a kernel and a disk see it: what was written, and what of it a power cut would leave.
struct SimulatedFile {
    /// What a reader gets, and what is left when only the process dies.
    private(set) var bytes: [UInt8]
    /// What the last synchronisation made sure of.
    private var durable: [UInt8]
    /// What was done since.
    private var pending: [Change] = []

    private enum Change {
        case write(offset: Int, [UInt8])
        case resize(Int)
    }

    /// What a disk writes whole or not at all.
    private static let sectorBytes = 512

    init(_ bytes: [UInt8] = []) {
        self.bytes = bytes
        durable = bytes
    }

    mutating func write(at offset: Int, _ new: [UInt8]) {
        guard !new.isEmpty else { return }
        pending.append(.write(offset: offset, new))
        Self.apply(pending[pending.count - 1], to: &bytes)
    }

    mutating func resize(to count: Int) {
        pending.append(.resize(count))
        Self.apply(pending[pending.count - 1], to: &bytes)
    }

    mutating func synchronize() {
        durable = bytes
        pending = []
    }

    /// Leaves of what was not synchronised what the power cut happened to let through: of every sector the state after
    /// some of the changes, each sector independently of the others, and of the length too.
    ///
    /// - Parameter choose: gives a number from 0 up to its argument, both included.
    mutating func cutPower(_ choose: (Int) -> Int) {
        // Every state that the file went through, so that each sector can be taken from another one.
        var length = durable.count
        let lengthAfter = Self.cut(pending.count, choose)
        var grown = durable
        var cuts: [Int: Int] = [:]
        for (number, change) in pending.enumerated() {
            if number < lengthAfter {
                switch change {
                case .resize(let count): length = count
                case .write(let offset, let new): length = max(length, offset + new.count)
                }
            }
            guard case .write(let offset, let new) = change else { continue }
            if grown.count < offset + new.count {
                grown += [UInt8](repeating: 0, count: offset + new.count - grown.count)
            }
            for sector in offset / Self.sectorBytes...(offset + new.count - 1) / Self.sectorBytes {
                let cut = cuts[sector] ?? Self.cut(pending.count, choose)
                cuts[sector] = cut
                guard number < cut else { continue }
                let from = max(offset, sector * Self.sectorBytes)
                let to = min(offset + new.count, (sector + 1) * Self.sectorBytes)
                for position in from..<to { grown[position] = new[position - offset] }
            }
        }
        if grown.count > length {
            grown.removeLast(grown.count - length)
        } else {
            grown += [UInt8](repeating: 0, count: length - grown.count)
        }
        self = SimulatedFile(grown)
    }

    /// Nothing and everything more often than something in between.
    private static func cut(_ count: Int, _ choose: (Int) -> Int) -> Int {
        switch choose(3) {
        case 0: 0
        case 1: count
        default: choose(count)
        }
    }

    private static func apply(_ change: Change, to bytes: inout [UInt8]) {
        switch change {
        case .resize(let count):
            if count <= bytes.count {
                bytes.removeLast(bytes.count - count)
            } else {
                bytes += [UInt8](repeating: 0, count: count - bytes.count)
            }
        case .write(let offset, let new):
            if bytes.count < offset + new.count {
                bytes += [UInt8](repeating: 0, count: offset + new.count - bytes.count)
            }
            bytes.withUnsafeMutableBytes { all in
                new.withUnsafeBytes { UnsafeMutableRawBufferPointer(rebasing: all[offset...]).copyMemory(from: $0) }
            }
        }
    }
}
