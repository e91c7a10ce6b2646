// Invariant of the pointers: `read` gets the count of the buffer, and returns how many bytes it has set.

import Platform

/// Reads the small text files of `/proc`; finds nothing on systems without them.
package enum ProcFile {
    /// Calls `body` for each line `name: number …`.
    package static func forEachNumber(in path: String, _ body: (_ name: Substring, _ value: UInt64) -> Void) {
        for line in contents(path).split(separator: "\n") {
            let parts = line.split(separator: ":", maxSplits: 1)
            guard parts.count == 2, let word = parts[1].split(whereSeparator: { " \t".contains($0) }).first
            else { continue }
            if let value = UInt64(word) { body(parts[0], value) }
        }
    }

    /// At most the first 16 KB of a file; empty if unreadable.
    package static func contents(_ path: String) -> String {
        let descriptor = open(path, O_RDONLY | O_CLOEXEC)
        guard descriptor >= 0 else { return "" }
        defer { close(descriptor) }
        return String(unsafeUninitializedCapacity: 16_384) { buffer in
            max(0, read(descriptor, buffer.baseAddress, buffer.count))
        }
    }
}
