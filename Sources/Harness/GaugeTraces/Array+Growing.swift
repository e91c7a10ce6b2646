import Platform

extension Array {
    /// An empty array with room for so many elements, in large pages if the system has them.
    init(roomFor count: Int) {
        self.init()
        reserveCapacity(count)
        // Nothing has been written to the elements yet, so the advice covers the whole room.
        withUnsafeBufferPointer { elements in
            guard let base = elements.baseAddress else { return }
            preferLargePages(UnsafeRawBufferPointer(start: base, count: capacity * MemoryLayout<Element>.stride))
        }
    }

    /// Appends a value until there are `count` elements. If there's no room, it at least doubles.
    mutating func grow(to count: Int, with value: Element) {
        guard count > self.count else { return }
        if count > capacity {
            var grown = Array(roomFor: Swift.max(count, 2 * capacity))
            grown.append(contentsOf: self)
            self = grown
        }
        append(contentsOf: repeatElement(value, count: count - self.count))
    }
}
