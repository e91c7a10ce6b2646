/// The requests for objects whose size had changed since the last request: a miss in every cache.
package struct ChangedSizes: Hashable, Sendable {
    /// How many.
    package private(set) var count = 0
    /// How many of the differences had so many binary digits.
    private var lengths = [Int](repeating: 0, count: 65)

    package init() {}

    mutating func note(from old: Int, to new: Int) {
        count += 1
        lengths[Int.bitWidth - (max(old, new) - min(old, new)).leadingZeroBitCount] += 1
    }

    /// A power of two that half of the differences do not exceed, bytes; 0 without changes.
    package var usual: Int {
        var sum = 0
        for (length, number) in lengths.enumerated() where number > 0 {
            sum += number
            if sum * 2 >= count { return 1 << min(62, length) }
        }
        return 0
    }
}
