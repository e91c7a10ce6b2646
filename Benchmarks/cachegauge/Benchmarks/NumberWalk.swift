// Invariant of the pointers: `numbers` is initialised from `init` to `deinit`; positions are taken modulo its count.
// Invariant of the pointers: a pool's `bytes` has `count` keys of `length` bytes from `init` to `deinit`; the caller
// keeps numbers below `count`.

import CacheTiers
import GaugeSupport

/// Numbers drawn in advance and walked cyclically from batch to batch. If every small batch started at the first
/// number, it would measure a few keys that all caches and predictors have learnt.
///
/// `@unchecked Sendable`: the numbers are written only in `init`, and one thread owns the position.
final class NumberWalk: @unchecked Sendable {
    private let numbers: UnsafeMutableBufferPointer<UInt32>
    private var place = 0

    /// - Parameter count: how many draws; a predictor could learn a walk of fewer than 65,536 steps.
    init(_ count: Int = 65_536, draw: () -> Int) {
        numbers = .allocate(capacity: count)
        for index in numbers.indices { numbers.initializeElement(at: index, to: UInt32(draw())) }
    }

    /// 65,536 uniformly random numbers below `bound`.
    convenience init(uniformBelow bound: Int, seed: UInt64) {
        var random = Xoshiro256(seed: seed, "number walk")
        self.init { Int(random.next(below: UInt64(bound))) }
    }

    deinit { numbers.deallocate() }

    var count: Int { numbers.count }

    subscript(place: Int) -> Int { Int(numbers[place]) }

    /// Calls `body` with the next `steps` positions and their numbers.
    @inline(__always)
    func walk(_ steps: Int, _ body: (_ place: Int, _ number: Int) -> Void) {
        var place = self.place
        for _ in 0..<steps {
            body(place, Int(numbers[place]))
            place += 1
            if place == numbers.count { place = 0 }
        }
        self.place = place
    }
}

/// Keys drawn in advance and stored in order of use, since a program has the URL that it requests at hand. One thread
/// walks them cyclically.
final class KeyWalk: Sendable {
    private let numbers: NumberWalk
    private let keys: KeyPool

    /// - Parameters:
    ///   - numbers: the keys' numbers, in order.
    ///   - text: a key's text by number; cut or padded to `length` bytes.
    init(_ numbers: NumberWalk, length: Int, text: (_ number: Int) -> String) {
        self.numbers = numbers
        keys = KeyPool(count: numbers.count, length: length) { text(numbers[$0]) }
    }

    /// Calls `body` with the next `steps` keys and their numbers.
    @inline(__always)
    func walk(_ steps: Int, _ body: (_ number: Int, _ key: UnsafeRawBufferPointer) -> Void) {
        numbers.walk(steps) { place, number in body(number, keys[place]) }
    }

    /// The keys as strings, each with its own storage, by position.
    var strings: [String] { keys.strings }
}

/// Many keys of one length, stored contiguously.
///
/// `@unchecked Sendable`: the bytes are written only in `init`.
final class KeyPool: @unchecked Sendable {
    let count: Int
    let length: Int
    private let bytes: UnsafeMutableRawPointer

    /// - Parameter text: a key's text by number; cut or padded with digits to `length` bytes.
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

    /// A key by number, below `count`. Unchecked, since the check would be measured.
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
