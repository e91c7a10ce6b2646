import HTTPCache
import Testing

@Suite struct BodyBytesTests {
    @Test("more bytes than there are cannot be dropped", arguments: [0, 2, 3, 4])
    func dropping(count: Int) {
        let bytes = BodyBytes()
        [UInt8]([1, 2, 3]).withUnsafeBytes(bytes.append)
        bytes.removeFirst(count)
        #expect([UInt8](bytes) == Array([1, 2, 3].dropFirst(count)))
    }

    @Test("a length is no promise: the largest of all takes no more memory than comes", arguments: [-1, 0, 5, .max])
    func announced(length: Int64) {
        let bytes = BodyBytes(expecting: length)
        for part in [[1, 2, 3], [4], [5, 6]] as [[UInt8]] { part.withUnsafeBytes(bytes.append) }
        #expect([UInt8](bytes) == [1, 2, 3, 4, 5, 6])
        bytes.removeFirst(2)
        #expect([UInt8](bytes) == [3, 4, 5, 6] && [UInt8](bytes.copy(from: 3)) == [6])
    }
}
