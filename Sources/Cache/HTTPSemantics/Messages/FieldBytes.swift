/// Field values as bytes. A value may hold bytes that are not UTF-8 (RFC 9110, section 5.5, obs-text), and a cache has to
/// send a validator back exactly as it came.
///
/// A byte that is not part of well-formed UTF-8 stands in `value` as U+10FF00 plus the byte, a private-use scalar
/// (U+10FF80 to U+10FFFF). A value that holds those scalars itself has their bytes written the same way, so that any
/// bytes survive the way through `value` and back.
extension HTTPFields.Field {
    /// A field line with the bytes of a value, without the whitespace around it.
    public init(name: HTTPFields.Name, valueBytes: some Collection<UInt8>) {
        self.init(name: name, value: String(fieldBytes: valueBytes))
    }

    /// The value as it goes over the wire.
    public var valueBytes: [UInt8] { value.fieldBytes }
}

extension String {
    /// Bytes as a field's value has them; see `HTTPFields.Field.valueBytes`.
    package init(fieldBytes bytes: some Collection<UInt8>) {
        if !bytes.contains(firstByteOfEscape), let text = String(validating: bytes, as: UTF8.self) {
            self = text
            return
        }
        self.init()
        var rest = bytes[...]
        while let first = rest.first {
            if let scalar = Self.scalar(at: rest) {
                unicodeScalars.append(scalar)
                rest = rest.dropFirst(scalar.utf8.count)
            } else {
                unicodeScalars.append(Unicode.Scalar(escapes.lowerBound & ~0xFF | UInt32(first)) ?? "\u{FFFD}")
                rest = rest.dropFirst()
            }
        }
    }

    /// The bytes that `init(fieldBytes:)` was given.
    package var fieldBytes: [UInt8] {
        guard utf8.contains(firstByteOfEscape) else { return Array(utf8) }
        return unicodeScalars.flatMap { scalar in
            escapes.contains(scalar.value) ? [UInt8(truncatingIfNeeded: scalar.value)] : Array(scalar.utf8)
        }
    }

    /// The scalar that `bytes` begin with; `nil` where they are not UTF-8, or are an escape.
    private static func scalar(at bytes: some Collection<UInt8>) -> Unicode.Scalar? {
        guard let first = bytes.first else { return nil }
        let length =
            switch first {
            case 0xC2...0xDF: 2
            case 0xE0...0xEF: 3
            case 0xF0...0xF4: 4
            default: 1
            }
        guard let scalar = String(validating: bytes.prefix(length), as: UTF8.self)?.unicodeScalars.first,
            scalar.utf8.count == length, !escapes.contains(scalar.value)
        else { return nil }
        return scalar
    }
}

/// The scalars that stand for the bytes 0x80 to 0xFF.
private let escapes: ClosedRange<UInt32> = 0x10FF80...0x10FFFF
/// What their UTF-8 begins with.
private let firstByteOfEscape: UInt8 = 0xF4
