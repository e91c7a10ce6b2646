import Platform

/// Reads a descriptor to its end, but at most one byte more than `most`: a longer result says that there are too many.
package func contents(of descriptor: Int32, atMost most: Int) throws(SystemError) -> [UInt8] {
    var bytes: [UInt8] = []
    var chunk = [UInt8](repeating: 0, count: 65_536)
    while bytes.count <= most {
        let count = read(descriptor, &chunk, min(chunk.count, most + 1 - bytes.count))
        if count < 0 && errno == EINTR { continue }
        guard count >= 0 else { throw .last }
        if count == 0 { break }
        bytes += chunk[..<count]
    }
    return bytes
}
