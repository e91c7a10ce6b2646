import Platform

/// Bytes that grow and shrink in place; added ones are zeros.
///
/// Raw memory and not an array, since fuzzers run every byte of it millions of times, instrumented: these are calls of
/// the C library and no loops.
///
/// Invariant of the pointer: `start` has `capacity` bytes, of which the first `count` are initialised; it is replaced
/// by `makeRoom` and freed by `deinit` alone. Every access is checked against `count`.
struct FileBytes: ~Copyable {
    private var start: UnsafeMutableRawPointer
    private var capacity: Int
    private(set) var count = 0

    init(capacity: Int) {
        self.capacity = capacity
        start = .allocate(byteCount: capacity, alignment: 16)
    }

    deinit { start.deallocate() }

    /// All of them. Good until the next change.
    var all: UnsafeRawBufferPointer { UnsafeRawBufferPointer(start: start, count: count) }

    private mutating func makeRoom(for wanted: Int) {
        guard wanted > capacity else { return }
        let larger = UnsafeMutableRawPointer.allocate(byteCount: max(wanted, capacity * 2), alignment: 16)
        larger.copyMemory(from: start, byteCount: count)
        start.deallocate()
        start = larger
        capacity = max(wanted, capacity * 2)
    }

    /// Cuts off, or adds zeros.
    mutating func resize(to wanted: Int) {
        makeRoom(for: wanted)
        if wanted > count { memset(start + count, 0, wanted - count) }
        count = wanted
    }

    mutating func append(_ bytes: UnsafeRawBufferPointer) {
        makeRoom(for: count + bytes.count)
        if let source = bytes.baseAddress { (start + count).copyMemory(from: source, byteCount: bytes.count) }
        count += bytes.count
    }

    mutating func removeAll() { count = 0 }

    /// Makes those from `offset` on the `length` ones of `source` from `from` on; zeros are added as far as needed.
    mutating func copy(_ source: borrowing FileBytes, from: Int, _ length: Int, at offset: Int) {
        precondition(from >= 0 && length >= 0 && from + length <= source.count && offset >= 0)
        if offset + length > count { resize(to: offset + length) }
        (start + offset).copyMemory(from: source.start + from, byteCount: length)
    }
}
