import GaugeSupport

/// Numbers drawn beforehand, walked round and round, from batch to batch: a batch of few operations that always began
/// at the first would measure a few keys that every cache and predictor has learnt.
///
/// `@unchecked Sendable`: the numbers are written in `init` alone; the place is used by one thread, whose walk it is.
final class NumberWalk: @unchecked Sendable {
    private let numbers: UnsafeMutableBufferPointer<UInt32>
    private var place = 0

    /// - Parameter count: how many to draw; a walk of less than 65,536 steps could be learnt.
    init(_ count: Int = 65_536, draw: () -> Int) {
        numbers = .allocate(capacity: count)
        for index in numbers.indices { numbers.initializeElement(at: index, to: UInt32(draw())) }
    }

    /// 65,536 numbers below `bound`, each equally likely.
    convenience init(uniformBelow bound: Int, seed: UInt64) {
        var random = Xoshiro256(seed: seed, "number walk")
        self.init { Int(random.next(below: UInt64(bound))) }
    }

    deinit { numbers.deallocate() }

    /// How many numbers there are.
    var count: Int { numbers.count }

    /// A number by its place.
    subscript(place: Int) -> Int { Int(numbers[place]) }

    /// Calls `body` with the next `steps` places and the numbers there.
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
