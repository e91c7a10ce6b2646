// Invariant of the pointer: the owner of the bytes has made room for all lines that are appended and for `slack` bytes
// behind them. A line is appended behind the `count` bytes that are written, and then read there.

/// Writes the fields of a response as a stored one has them, and reads the values that a cache needs meanwhile, so that
/// each field is looked at once.
///
/// A line: bytes of the name (4), bytes of the value (4), name, value. Little-endian, no gaps.
package struct FieldLineWriter: ~Copyable {
    /// Bytes of a line.
    @inlinable
    package static func byteCount(_ name: String, _ value: String) -> Int { 8 + name.utf8.count + value.utf8.count }

    /// Bytes that have to be there behind the last line.
    package static var slack: Int { 8 }

    private let start: UnsafeMutableRawPointer
    private var reader: ResponseFieldReader
    private var values = ResponseFieldValues()
    private var isStorable = true

    /// Bytes of the lines.
    package private(set) var count = 0

    /// - Parameters:
    ///   - bytes: not empty; see the invariant.
    ///   - now: when the response arrived, seconds since 1970; see `HTTPDate.parse(_:now:)`.
    package init?(_ bytes: UnsafeMutableRawBufferPointer, now: Int64) {
        guard let start = bytes.baseAddress else { return nil }
        self.start = start
        reader = ResponseFieldReader(now: now)
    }

    /// Appends a field.
    package mutating func append(_ name: String, _ value: String) {
        let nameStart = start + (count + 8)
        let nameCount = Self.write(name, to: nameStart)
        let valueStart = nameStart + nameCount
        let valueCount = Self.write(value, to: valueStart)
        let line = start + count
        line.storeBytes(of: UInt32(truncatingIfNeeded: nameCount).littleEndian, as: UInt32.self)
        line.storeBytes(of: UInt32(truncatingIfNeeded: valueCount).littleEndian, toByteOffset: 4, as: UInt32.self)
        count += 8 + nameCount + valueCount

        if UnstorableFields.mayBeUnstorable(nameCount), UnstorableFields.isUnstorable(HTTPFields.Name(name)) {
            isStorable = false
        }
        let field = KnownField(WordReader(base: nameStart, count: nameCount))
        if field == .unknown { return }
        let bytes = UnsafeRawBufferPointer(start: valueStart, count: valueCount)
        reader.read(field, bytes, trimmed(bytes, 0..<valueCount), into: &values)
    }

    /// The values of all fields; `nil` if some may not be stored as they are: one is about this connection
    /// (`StoredFields.storable`), or only all `Cache-Control` lines together can be read right.
    package var storableValues: ResponseFieldValues? {
        isStorable && !reader.needsJoinedCacheControl ? values : nil
    }

    @inline(__always)
    private static func write(_ text: String, to place: UnsafeMutableRawPointer) -> Int {
        withFieldBytes(of: text) { bytes in
            if let base = bytes.baseAddress { place.copyMemory(from: base, byteCount: bytes.count) }
            return bytes.count
        }
    }
}
