// Invariant of the pointers: `bytes` has `count` keys of `length` bytes from `init` to `deinit`; a number below
// `count` is the caller's duty.

import CacheTiers

/// Many keys of one length, stored contiguously.
///
/// `@unchecked Sendable`: the bytes are written only in `init`.
final class KeyPool: @unchecked Sendable {
    let count: Int
    let length: Int
    private let bytes: UnsafeMutableRawPointer

    /// - Parameter text: the text of a key by number; cut or padded with digits to `length` bytes.
    init(count: Int, length: Int, text: (_ number: Int) -> String) {
        self.count = count
        self.length = length
        bytes = .allocate(byteCount: count * length, alignment: 64)
        for number in 0..<count {
            UnsafeMutableRawBufferPointer(start: bytes + number * length, count: length)
                .copyBytes(from: text(number).padding(to: length).utf8)
        }
    }

    deinit { bytes.deallocate() }

    /// A key by its number, which must be below `count`. Not checked, since the check would be measured.
    @inline(__always)
    subscript(number: Int) -> UnsafeRawBufferPointer {
        UnsafeRawBufferPointer(start: bytes + number &* length, count: length)
    }

    /// The keys as strings, each with its own storage.
    var strings: [String] { (0..<count).map { String(decoding: self[$0], as: UTF8.self) } }
}

extension String {
    /// Exactly `count` bytes of ASCII: the text cut, or padded with digits.
    func padding(to count: Int) -> String {
        guard utf8.count < count else { return String(decoding: utf8.prefix(count), as: UTF8.self) }
        return self + String(repeating: "0", count: count - utf8.count)
    }
}
