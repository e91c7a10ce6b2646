/// A mutation and a crossover that keep most inputs' structure.
struct InputMutation: Sendable {
    /// Changes the first `size` bytes of the buffer in place; returns the new size, at most the buffer's length.
    let change: @Sendable (_ buffer: UnsafeMutableRawBufferPointer, _ size: Int, _ seed: UInt32) -> Int
    /// Joins two inputs into the buffer; returns the size, 0 for nothing. `nil` leaves the crossover to libFuzzer.
    let join:
        (
            @Sendable (
                _ one: UnsafeRawBufferPointer, _ other: UnsafeRawBufferPointer,
                _ buffer: UnsafeMutableRawBufferPointer, _ seed: UInt32
            ) -> Int
        )?
    /// The most bytes that an input grows to, even by libFuzzer's own mutations: short programs run more often.
    var longest = Int.max
}

extension InputMutation {
    /// A mutation for inputs that are operations of `width` bytes each: it changes, moves, repeats and removes whole
    /// operations, and joins two inputs between operations.
    ///
    /// - Parameters:
    ///   - head: how many bytes before the first operation stay in place.
    ///   - most: the most operations in a new input.
    ///   - phrases: operations that belong together, by their first bytes.
    static func records(width: Int, head: Int = 0, most: Int = 1024, phrases: [[UInt8]] = []) -> InputMutation {
        InputMutation(
            change: { buffer, size, seed in
                var records = RecordMutation(width: width, head: head, seed: seed, phrases: phrases)
                let changed = records.change([UInt8](buffer.prefix(size)), limit: buffer.count)
                buffer.copyBytes(from: changed)
                return changed.count
            },
            join: { one, other, buffer, seed in
                var records = RecordMutation(width: width, head: head, seed: seed)
                let joined = records.join([UInt8](one), [UInt8](other), limit: buffer.count)
                buffer.copyBytes(from: joined)
                return joined.count
            },
            longest: head + width * most)
    }
}

/// Changes lists of operations of one width, with some bytes before the first.
struct RecordMutation {
    let width: Int
    let head: Int
    private let phrases: [[UInt8]]
    private var state: UInt64

    init(width: Int, head: Int = 0, seed: UInt32, phrases: [[UInt8]] = []) {
        self.width = width
        self.head = head
        self.phrases = phrases
        state = UInt64(seed)
    }

    private mutating func next(_ limit: Int) -> Int {
        state = state &* 6_364_136_223_846_793_005 &+ 1_442_695_040_888_963_407
        return limit > 0 ? Int((state >> 33) % UInt64(limit)) : 0
    }

    private func count(_ bytes: some Collection<UInt8>) -> Int { bytes.count / width }

    mutating func change(_ bytes: [UInt8], limit: Int) -> [UInt8] {
        var (start, records) = parts(bytes)
        if head > 0, next(16) == 0 { start[next(head)] = UInt8(next(256)) }
        for _ in 0...next(4) { changeOnce(&records) }
        return whole(start, records, limit)
    }

    /// The bytes before the operations, padded with zeros, and the complete operations.
    private func parts(_ bytes: [UInt8]) -> (start: [UInt8], records: [UInt8]) {
        let start = Array(bytes.prefix(head))
        let records = bytes.dropFirst(head)
        return (
            start + [UInt8](repeating: 0, count: head - start.count), Array(records.prefix(count(records) * width))
        )
    }

    private func whole(_ start: [UInt8], _ records: [UInt8], _ limit: Int) -> [UInt8] {
        guard limit >= head else { return [] }
        return start + records.prefix((limit - head) / width * width)
    }

    private mutating func changeOnce(_ bytes: inout [UInt8]) {
        let count = count(bytes)
        if !phrases.isEmpty, count == 0 || next(8) == 0 { return insert(phrase(), into: &bytes) }
        guard count > 0 else { return insert((0..<width).map { _ in UInt8(next(256)) }, into: &bytes) }
        switch next(9) {
        case 0: insert((0..<width).map { _ in UInt8(next(256)) }, into: &bytes)
        case 1:
            let first = next(count)
            bytes.removeSubrange(first * width..<min(count, first + 1 + next(4)) * width)
        case 2:
            let first = next(count)
            insert(Array(bytes[first * width..<min(count, first + 1 + next(8)) * width]), into: &bytes)
        case 3:
            let (one, other) = (next(count) * width, next(count) * width)
            for byte in 0..<width { bytes.swapAt(one + byte, other + byte) }
        case 4:
            // Copies one field of an operation to another: the same key or size once more.
            let field = next(width)
            bytes[next(count) * width + field] = bytes[next(count) * width + field]
        case 5:
            // Moves a few operations elsewhere.
            let first = next(count)
            let range = first * width..<min(count, first + 1 + next(4)) * width
            let moved = Array(bytes[range])
            bytes.removeSubrange(range)
            insert(moved, into: &bytes)
        case 6: bytes[next(bytes.count)] ^= 1 << UInt8(next(8))
        default: bytes[next(bytes.count)] = UInt8(next(256))
        }
    }

    /// The operations of a phrase. Two in three of their other bytes are the same in all of them.
    private mutating func phrase() -> [UInt8] {
        let common = (0..<width).map { _ in UInt8(next(256)) }
        return phrases[next(phrases.count)].flatMap { kind in
            [kind] + common.dropFirst().map { next(3) == 0 ? UInt8(next(256)) : $0 }
        }
    }

    private mutating func insert(_ records: [UInt8], into bytes: inout [UInt8]) {
        bytes.insert(contentsOf: records, at: next(count(bytes) + 1) * width)
    }

    mutating func join(_ one: [UInt8], _ other: [UInt8], limit: Int) -> [UInt8] {
        let (one, other) = (parts(one), parts(other))
        let beginning = one.records.prefix(next(count(one.records) + 1) * width)
        let end = other.records.dropFirst(next(count(other.records) + 1) * width)
        return whole(one.start, Array(beginning + end), limit)
    }
}
