/// Makes field values from a grammar and damages some of them. The same seed makes the same values.
package struct InputMaker {
    private var state: UInt64

    package init(seed: UInt64) { state = seed }

    /// The next word of SplitMix64.
    package mutating func next() -> UInt64 {
        state &+= 0x9E37_79B9_7F4A_7C15
        var word = state
        word = (word ^ (word >> 30)) &* 0xBF58_476D_1CE4_E5B9
        word = (word ^ (word >> 27)) &* 0x94D0_49BB_1331_11EB
        return word ^ (word >> 31)
    }

    /// A number from 0 to `limit - 1`.
    package mutating func below(_ limit: Int) -> Int { Int(truncatingIfNeeded: next() >> 1) % limit }

    /// True with a probability of `percent` in 100.
    package mutating func chance(_ percent: Int) -> Bool { below(100) < percent }

    /// One of `choices`.
    package mutating func pick(_ choices: [[UInt8]]) -> [UInt8] { choices[below(choices.count)] }

    /// A number of `digits` digits, leading zeros included.
    package mutating func digits(_ count: Int) -> [UInt8] {
        var digits: [UInt8] = []
        var index = 0
        while index < count {
            digits.append(UInt8(0x30 + below(10)))
            index += 1
        }
        return digits
    }

    /// Members with commas and whitespace around them, sometimes with an empty member.
    package mutating func list(of count: Int, _ member: (inout InputMaker) -> [UInt8]) -> [UInt8] {
        var list: [UInt8] = []
        var index = 0
        while index < count {
            if index > 0 { list += pick(Self.separators) }
            list += member(&self)
            index += 1
        }
        return list
    }

    /// Swaps the case of some letters.
    package mutating func recase(_ bytes: inout [UInt8]) {
        var mask = next()
        var index = 0
        while index < bytes.count {
            let isLetter = bytes[index] | 0x20 >= 0x61 && bytes[index] | 0x20 <= 0x7A
            if isLetter && mask & 1 == 1 { bytes[index] ^= 0x20 }
            mask = mask >> 1 | mask << 63
            index += 1
        }
    }

    /// Damages `bytes` in one to three places: replaces, removes, inserts, doubles or swaps a byte, or cuts off the
    /// end.
    package mutating func mutate(_ bytes: inout [UInt8]) {
        for _ in 0...below(3) {
            guard !bytes.isEmpty else { return bytes.append(interestingByte()) }
            let place = below(bytes.count)
            switch below(7) {
            case 0: bytes[place] = interestingByte()
            case 1: bytes[place] = UInt8(truncatingIfNeeded: next())
            case 2: bytes.remove(at: place)
            case 3: bytes.insert(interestingByte(), at: place)
            case 4: bytes.insert(bytes[place], at: place)
            case 5: bytes.swapAt(place, below(bytes.count))
            default: bytes.removeLast(min(bytes.count, 1 + below(4)))
            }
        }
    }

    private mutating func interestingByte() -> UInt8 { Self.interestingBytes[below(Self.interestingBytes.count)] }

    private static let interestingBytes =
        [UInt8]("\",=; \t*/-\\:0123456789azAZ\r\n\u{0}\u{7F}W.+'".utf8) + [0x80, 0xFF]
    private static let separators = [", ", ",", ", ", ",", " ,", ",\t", ", , ", ",,"].map { [UInt8]($0.utf8) }
}
