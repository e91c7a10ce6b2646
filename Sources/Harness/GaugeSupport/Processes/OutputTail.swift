/// The end of a program's output, where it reports why it fails.
package struct OutputTail {
    private var bytes: [UInt8] = []
    private let length: Int

    /// - Parameter length: the number of bytes to keep, at least; twice as many may be held for a time.
    package init(length: Int) { self.length = length }

    package mutating func append(_ more: UnsafeRawBufferPointer) {
        bytes.append(contentsOf: more)
        // Cut only at twice the length, so that a long log is not moved with every line.
        if bytes.count / 2 > length { bytes.removeFirst(bytes.count - length) }
    }

    package var text: String { String(decoding: bytes, as: UTF8.self) }
}
