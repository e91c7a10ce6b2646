/// Sizes in the order in which they came. Takes 4 bytes for each, and 8 from the first on that has no room in 32 bits.
struct SizeList: Sendable {
    private var narrow: [UInt32] = []
    private var wide: [Int] = []

    private(set) var count = 0

    /// Makes room for so many sizes in all, if each has room in 32 bits.
    mutating func reserve(_ count: Int) { narrow.reserveCapacity(count) }

    /// Appends a size, which is not negative.
    @inline(__always)
    mutating func append(_ size: Int) {
        count += 1
        if wide.isEmpty, let size = UInt32(exactly: size) {
            narrow.append(size)
        } else {
            appendWide(size)
        }
    }

    @inline(never)
    private mutating func appendWide(_ size: Int) {
        if wide.isEmpty {
            wide = narrow.map(Int.init)
            narrow = []
        }
        wide.append(size)
    }

    @inline(__always)
    subscript(index: Int) -> Int { wide.isEmpty ? Int(narrow[index]) : wide[index] }
}
