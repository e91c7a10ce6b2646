import GaugeSupport

/// 65,536 texts, more than a branch predictor can learn, stored contiguously like received headers.
struct TextMix {
    static let count = 65_536

    private let bytes: [UInt8]
    /// Where each text ends and the next begins.
    private let ends: [UInt32]

    /// Makes the texts with `make`, from random numbers that depend on `seed` and `label`.
    init(seed: UInt64, _ label: StaticString, _ make: (inout Xoshiro256) -> String) {
        var random = Xoshiro256(seed: seed, label)
        var bytes: [UInt8] = []
        var ends: [UInt32] = []
        for _ in 0..<Self.count {
            bytes.append(contentsOf: make(&random).utf8)
            ends.append(UInt32(bytes.count))
        }
        self.bytes = bytes
        self.ends = ends
    }

    /// The texts, for peers that take strings.
    var strings: [String] {
        var start = 0
        return ends.map { end in
            defer { start = Int(end) }
            return String(decoding: bytes[start..<Int(end)], as: UTF8.self)
        }
    }

    /// The texts, each followed by a zero byte, for peers that take C strings, and where they start.
    var cStrings: (bytes: [CChar], starts: [Int]) {
        var bytes: [CChar] = []
        var starts: [Int] = []
        for string in strings {
            starts.append(bytes.count)
            bytes.append(contentsOf: string.utf8.map { CChar(bitPattern: $0) })
            bytes.append(0)
        }
        return (bytes, starts)
    }

    /// Runs `body` on the next `operations` texts, and folds its results into one word.
    @inline(__always)
    func fold(_ operations: Int, _ body: (UnsafeRawBufferPointer) -> Int64) -> UInt64 {
        bytes.withUnsafeBytes { bytes in
            ends.withUnsafeBufferPointer { ends in
                var folded: Int64 = 0
                var place = 0
                var start = 0
                for _ in 0..<operations {
                    let end = Int(ends[place])
                    folded &+= body(UnsafeRawBufferPointer(rebasing: bytes[start..<end]))
                    place += 1
                    start = end
                    if place == Self.count {
                        place = 0
                        start = 0
                    }
                }
                return UInt64(bitPattern: folded)
            }
        }
    }
}
