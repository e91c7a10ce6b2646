import Synchronization

/// Tells of most keys that are not in the index that they are not, without the log's lock.
///
/// Keys fall into groups, and each group counts its keys: where the count is 0 there is none. One thread at a time writes,
/// any number read beside it. Whoever knows that a key was put in, and not taken out since (because it did so, or was told
/// by whom did, with whatever orders one thread's work before another's), sees its count: it was set before, in a table
/// that was published before, and every later table counts it too.
///
/// A table that was outgrown may still be read, and is kept: together those are no larger than the one in use.
///
/// `@unchecked Sendable`: `table` is atomic, and so are the counts behind it; the length at a table's beginning is written
/// before it is published; `outgrown` is used by the writer alone.
///
/// Invariant of the pointers: a table is one allocation, first the number of groups, a power of two and at least 2, then a
/// byte for every two groups; freed in `deinit` alone.
final class KeyPresence: @unchecked Sendable {
    private let table: Atomic<UnsafeMutableRawPointer>
    private var outgrown: [UnsafeMutableRawPointer] = []

    /// No keys, and place for few.
    init() { table = Atomic(Self.emptyTable(32)) }

    deinit {
        table.load(ordering: .acquiring).deallocate()
        for table in outgrown { table.deallocate() }
    }

    /// Whether no key of this fingerprint is in the index.
    @inline(__always)
    func lacks(_ fingerprint: UInt64) -> Bool {
        Count(of: fingerprint, in: table.load(ordering: .acquiring)).value == 0
    }

    /// Counts a key that is put in. Writer only.
    @inline(__always)
    func add(_ fingerprint: UInt64) { Count(of: fingerprint, in: table.load(ordering: .relaxed)).change(by: 1) }

    /// Uncounts a key that is taken out. Writer only.
    @inline(__always)
    func remove(_ fingerprint: UInt64) { Count(of: fingerprint, in: table.load(ordering: .relaxed)).change(by: -1) }

    /// Takes all keys out. Writer only.
    func removeAll() {
        let table = table.load(ordering: .relaxed)
        for index in 0..<Self.groupCount(of: table) / 2 {
            Self.byte(index, of: table).pointee.store(0, ordering: .relaxed)
        }
    }

    /// Makes eight groups or more for each of `keys` if they are fewer than four: with four, 78 % of the misses find no
    /// key in their group, with eight 88 %. Writer only.
    ///
    /// - Parameter present: calls back with the fingerprint of each key that is in.
    func grow(forKeys keys: Int, _ present: ((UInt64) -> Void) -> Void) {
        let old = table.load(ordering: .relaxed)
        var groups = Self.groupCount(of: old)
        guard groups < 4 * keys else { return }
        while groups < 8 * keys { groups *= 2 }
        let larger = Self.emptyTable(groups)
        present { Count(of: $0, in: larger).change(by: 1) }
        outgrown.append(old)
        table.store(larger, ordering: .releasing)
    }

    /// Bytes of memory in use.
    var byteCount: Int {
        outgrown.reduce(Self.byteCount(of: table.load(ordering: .relaxed))) { $0 + Self.byteCount(of: $1) }
    }

    private static var lengthBytes: Int { MemoryLayout<Int>.size }

    private static func emptyTable(_ groups: Int) -> UnsafeMutableRawPointer {
        let table = UnsafeMutableRawPointer.allocate(byteCount: lengthBytes + groups / 2, alignment: lengthBytes)
        table.storeBytes(of: groups, as: Int.self)
        for index in 0..<groups / 2 { byte(index, of: table).initialize(to: Atomic(0)) }
        return table
    }

    @inline(__always)
    private static func groupCount(of table: UnsafeMutableRawPointer) -> Int { table.load(as: Int.self) }

    private static func byteCount(of table: UnsafeMutableRawPointer) -> Int { lengthBytes + groupCount(of: table) / 2 }

    @inline(__always)
    private static func byte(_ index: Int, of table: UnsafeMutableRawPointer) -> UnsafeMutablePointer<Atomic<UInt8>> {
        (table + (lengthBytes + index)).assumingMemoryBound(to: Atomic<UInt8>.self)
    }

    /// The keys of one group: half of a byte.
    private struct Count {
        private let byte: UnsafeMutablePointer<Atomic<UInt8>>
        private let shift: UInt8

        /// By the low bits of the fingerprint, since the index goes by the high ones.
        @inline(__always)
        init(of fingerprint: UInt64, in table: UnsafeMutableRawPointer) {
            let group = Int(truncatingIfNeeded: fingerprint) & (groupCount(of: table) - 1)
            byte = KeyPresence.byte(group >> 1, of: table)
            shift = UInt8(truncatingIfNeeded: group & 1) << 2
        }

        @inline(__always)
        var value: UInt8 { byte.pointee.load(ordering: .relaxed) &>> shift & 15 }

        /// Of 15 nobody knows how many they were: it stays.
        @inline(__always)
        func change(by step: Int8) {
            guard value < 15 else { return }
            let change = UInt8(bitPattern: step) &<< shift
            byte.pointee.store(byte.pointee.load(ordering: .relaxed) &+ change, ordering: .relaxed)
        }
    }
}
