import GaugeSupport
import GaugeTraces

/// Many URLs of one length, and the pairs of them that have the same weak hash.
struct CollidingURLs {
    private static let prefix = "https://a.example/"
    private static let letters = Array("abcdefghijkmnopqrstuvwxyz2345678".utf8)
    private static let randomCount = 14
    /// Few enough for texts of one block of a message digest.
    private static let length = prefix.utf8.count + randomCount
    private let texts: [UInt8]
    private let count: Int

    /// - Parameter count: how many URLs; of 262,144, eight pairs agree on average in a hash of 32 bits.
    init(count: Int, seed: UInt64) {
        var random = Xoshiro256(seed: seed, "pairs")
        var texts: [UInt8] = []
        texts.reserveCapacity(count * Self.length)
        for _ in 0..<count {
            texts += Self.prefix.utf8
            var bits = random.next()
            for _ in 0..<Self.randomCount {
                texts.append(Self.letters[Int(bits % 32)])
                bits /= 32
            }
        }
        (self.texts, self.count) = (texts, count)
    }

    /// All pairs of different URLs with the same hash. Takes some tens of milliseconds for 262,144 URLs.
    func pairs(_ hash: WeakHash) -> [(String, String)] {
        let length = Self.length
        var hashes = texts.withUnsafeBytes { texts in
            (0..<count).map { number in
                let text = UnsafeRawBufferPointer(rebasing: texts[number * length..<(number + 1) * length])
                return UInt64(hash.value(text)) << 32 | UInt64(number)
            }
        }
        hashes.sort()
        var pairs: [(String, String)] = []
        for (one, other) in zip(hashes, hashes.dropFirst()) where one >> 32 == other >> 32 {
            let (one, other) = (url(Int(one & 0xFFFF_FFFF)), url(Int(other & 0xFFFF_FFFF)))
            if one != other { pairs.append((one, other)) }
        }
        return pairs
    }

    /// The URL with a number below the count.
    func url(_ number: Int) -> String {
        String(decoding: texts[number * Self.length..<(number + 1) * Self.length], as: UTF8.self)
    }
}
