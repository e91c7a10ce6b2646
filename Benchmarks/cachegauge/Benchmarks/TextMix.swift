import GaugeSupport

/// 65,536 texts, more than a branch predictor can learn, stored contiguously like received headers.
///
/// A batch goes on where the last one stopped, so that a slow subject sees all of them, too. One thread walks them.
final class TextMix {
    static let count = 65_536

    private let bytes: [UInt8]
    /// Where each text begins, and where the last one ends.
    private let bounds: [UInt32]
    private var place = 0

    /// Makes the texts with `make`, from random numbers that depend on `seed` and `label`.
    init(seed: UInt64, _ label: StaticString, _ make: (inout Xoshiro256) -> String) {
        var random = Xoshiro256(seed: seed, label)
        var bytes: [UInt8] = []
        var bounds: [UInt32] = [0]
        for _ in 0..<Self.count {
            bytes.append(contentsOf: make(&random).utf8)
            bounds.append(UInt32(bytes.count))
        }
        self.bytes = bytes
        self.bounds = bounds
    }

    /// The texts, for peers that take strings.
    var strings: [String] {
        (0..<Self.count).map { String(decoding: bytes[Int(bounds[$0])..<Int(bounds[$0 + 1])], as: UTF8.self) }
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

    /// Calls `body` with the positions of the next `operations` texts.
    @inline(__always)
    func walk(_ operations: Int, _ body: (_ place: Int) -> Void) {
        var place = self.place
        for _ in 0..<operations {
            body(place)
            place = (place + 1) & (Self.count - 1)
        }
        self.place = place
    }

    /// Runs `body` on the next `operations` texts, and folds its results into one word.
    @inline(__always)
    func fold(_ operations: Int, _ body: (UnsafeRawBufferPointer) -> Int64) -> UInt64 {
        bytes.withUnsafeBytes { bytes in
            bounds.withUnsafeBufferPointer { bounds in
                var folded: Int64 = 0
                walk(operations) { place in
                    let text = bytes[Int(bounds[place])..<Int(bounds[place + 1])]
                    folded &+= body(UnsafeRawBufferPointer(rebasing: text))
                }
                return UInt64(bitPattern: folded)
            }
        }
    }
}
