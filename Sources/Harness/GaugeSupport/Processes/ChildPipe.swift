import Platform

/// The two ends of a pipe. A child inherits only an end passed to it.
package struct ChildPipe {
    package let readEnd: Int32
    package let writeEnd: Int32

    package init() throws {
        do {
            (readEnd, writeEnd) = try Self.starting.withLock { try Self.open() }
        } catch {
            throw GaugeError("no pipe can be made: \(error)")
        }
    }

    /// The ends of a new pipe. The caller holds `starting`.
    static func open() throws(SystemError) -> (read: Int32, write: Int32) {
        var ends: [Int32] = [-1, -1]
        guard pipe(&ends) == 0 else { throw SystemError.last }
        for end in ends { _ = fcntl(end, F_SETFD, FD_CLOEXEC) }
        return (ends[0], ends[1])
    }

    /// Held while a child is started, and while a pipe exists that it would inherit: a child started by another thread
    /// would inherit an end and keep it open all its life.
    package static let starting = Lock()
}

/// Cuts a stream of bytes into lines.
package struct LineBuffer {
    private var bytes: [UInt8] = []
    /// Bytes at the front of `bytes` known to have no line end.
    private var searched = 0

    package init() {}

    /// The number of bytes after the last line end.
    package var pending: Int { bytes.count }

    package mutating func append(_ more: UnsafeRawBufferPointer) { bytes.append(contentsOf: more) }

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

/// The end of a program's output, where it says why it fails.
package struct OutputTail {
    private var bytes: [UInt8] = []
    private let length: Int

    /// - Parameter length: how many bytes to keep at least; up to twice as many may be held.
    package init(length: Int) { self.length = length }

    package mutating func append(_ more: UnsafeRawBufferPointer) {
        bytes.append(contentsOf: more)
        // Cut only at twice the length, so that a long log isn't moved with every line.
        if bytes.count / 2 > length { bytes.removeFirst(bytes.count - length) }
    }

    package var text: String { String(decoding: bytes, as: UTF8.self) }
}
