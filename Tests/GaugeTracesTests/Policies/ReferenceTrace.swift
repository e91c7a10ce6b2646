@testable import GaugeSupport

/// Two traces that every language makes alike, from SplitMix64 and multiplications alone, over which other programs ran
/// too.
enum ReferenceTrace: String, CaseIterable {
    /// Popular objects and rare ones.
    case popular
    /// The same, in which popularity drifts, among runs of objects that are asked for once.
    case mixed

    private struct Numbers {
        var state: UInt64

        mutating func next() -> UInt64 {
            state &+= 0x9E37_79B9_7F4A_7C15
            return SplitMix64.mix(state)
        }

        mutating func unit() -> Double { Double(next() >> 11) * (1.0 / 9_007_199_254_740_992) }
    }

    /// 512 bytes to 128 KiB, by the object.
    static func size(_ object: Int) -> Int {
        let hash = SplitMix64.mix((UInt64(object) &+ 1) &* 0x9E37_79B9_7F4A_7C15)
        let base = UInt64(1) << (9 + hash % 8)
        return Int(base + (hash >> 8) % base)
    }

    var objects: [Int] {
        let (count, objects) = (200_000, 20_000)
        var requests: [Int] = []
        requests.reserveCapacity(count)
        switch self {
        case .popular:
            var numbers = Numbers(state: 1)
            for _ in 0..<count {
                let unit = numbers.unit()
                requests.append(Int(Double(objects) * (unit * unit * unit * unit)))
            }
        case .mixed:
            var numbers = Numbers(state: 2)
            var (next, left) = (objects, 0)
            for number in 0..<count {
                if left == 0, numbers.next() % 2_000 == 0 { left = 1_000 }
                if left > 0, numbers.next() % 2 == 0 {
                    left -= 1
                    requests.append(next)
                    next += 1
                } else {
                    let unit = numbers.unit()
                    let popular = Int(Double(objects) * (unit * unit * unit)) + number / 20_000 * 997
                    requests.append(popular % objects)
                }
            }
        }
        return requests
    }
}
