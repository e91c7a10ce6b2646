/// The bytes of an input, read one after the other; zeros when they have run out.
struct ByteReader {
    private let bytes: UnsafeRawBufferPointer
    private var position = 0

    init(_ bytes: UnsafeRawBufferPointer) { self.bytes = bytes }

    mutating func nextIfAny() -> UInt8? {
        guard position < bytes.count else { return nil }
        defer { position += 1 }
        return bytes[position]
    }

    mutating func next() -> UInt8 { nextIfAny() ?? 0 }
}
