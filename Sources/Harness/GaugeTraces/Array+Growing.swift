import Platform

extension Array {
    /// An empty array with room for so many elements, in large pages if the system has them.
    init(roomFor count: Int) {
        self.init()
        reserveCapacity(count)
        // The elements have no bytes that anything has written, so the whole room is advised on, not only the elements.
        withUnsafeBufferPointer { elements in
            guard let base = elements.baseAddress else { return }
            preferLargePages(UnsafeRawBufferPointer(start: base, count: capacity * MemoryLayout<Element>.stride))
        }
    }

    /// Appends a value until there are `count` elements. The room at least doubles where it is too small.
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
