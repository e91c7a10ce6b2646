/// Cuts a stream of bytes into lines.
package struct LineBuffer {
    private var bytes: [UInt8] = []
    /// Bytes at the front of `bytes` that are known to hold no line end.
    private var searched = 0

    package init() {}

    /// The number of bytes after the last line end.
    package var pending: Int { bytes.count }

    package mutating func append(_ more: UnsafeRawBufferPointer) { bytes.append(contentsOf: more) }

    /// Removes and returns the first complete line, without its end.
    package mutating func next() -> [UInt8]? {
        guard let end = bytes[searched...].firstIndex(of: UInt8(ascii: "\n")) else {
            searched = bytes.count
            return nil
        }
        let line = Array(bytes[..<end])
        bytes.removeFirst(end + 1)
        searched = 0
        return line
    }
}
