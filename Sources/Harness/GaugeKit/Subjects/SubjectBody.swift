import Foundation
import GaugeTraces

/// A body as a cache holds and hands it out: bytes, or a value that stands for them.
public protocol SubjectBody: Sendable {
    /// A copy of a body.
    init(body: UnsafeRawBufferPointer)

    /// Lends the body's bytes for the time of the call.
    func lend(to read: (UnsafeRawBufferPointer) -> Void)
}

extension Array: SubjectBody where Element == UInt8 {
    /// A copy of a body.
    @inlinable
    public init(body: UnsafeRawBufferPointer) { self.init(body) }

    /// Lends the bytes.
    @inlinable
    public func lend(to read: (UnsafeRawBufferPointer) -> Void) { withUnsafeBytes(read) }
}

extension Data: SubjectBody {
    /// A copy of a body.
    @inlinable
    public init(body: UnsafeRawBufferPointer) {
        guard let start = body.baseAddress else {
            self.init()
            return
        }
        self.init(bytes: start, count: body.count)
    }

    /// Lends the bytes.
    @inlinable
    public func lend(to read: (UnsafeRawBufferPointer) -> Void) { withUnsafeBytes(read) }
}

/// A value for caches of any values, `Cache<Key, SubjectValue>`: it knows its key and version, and whether it is whole.
/// Making one takes an allocation and a copy of the body.
///
/// A cache of objects takes ``SubjectObject``.
public struct SubjectValue: SubjectBody, Hashable {
    /// The key's number; 0 in a body of fewer than 32 bytes, which names none.
    public let key: UInt64
    /// The version of the key's body, from 1; 0 in a body of fewer than 32 bytes.
    public let version: UInt64
    /// A hash of key, version and length; 0 in a body of fewer than 32 bytes.
    public let checksum: UInt64
    private let bytes: [UInt8]

    /// The body's length, bytes: the value's cost for a cache that counts costs.
    public var count: Int { bytes.count }

    /// A value for a body.
    public init(body: UnsafeRawBufferPointer) {
        bytes = Array(body)
        (key, version, checksum) = Payload.label(of: body) ?? (0, 0, 0)
    }

    /// Lends the bytes of the body.
    public func lend(to read: (UnsafeRawBufferPointer) -> Void) { bytes.withUnsafeBytes(read) }
}

extension Payload {
    /// What the header states, unchecked; `nil` if the body is too short for one.
    fileprivate static func label(
        of body: UnsafeRawBufferPointer
    ) -> (key: UInt64, version: UInt64, checksum: UInt64)? {
        guard body.count >= headerCount else { return nil }
        func word(_ offset: Int) -> UInt64 {
            UInt64(littleEndian: body.loadUnaligned(fromByteOffset: offset, as: UInt64.self))
        }
        return (word(8), word(16), word(24))
    }
}

/// A ``SubjectValue`` for caches whose values are objects, such as `NSCache`.
public final class SubjectObject: SubjectBody {
    /// The value that it stands for.
    public let value: SubjectValue

    /// An object for a body.
    public init(body: UnsafeRawBufferPointer) { value = SubjectValue(body: body) }

    /// Lends the bytes of the body.
    public func lend(to read: (UnsafeRawBufferPointer) -> Void) { value.lend(to: read) }
}
