// Invariant of the pointers: `numbers` is initialised from `init` to `deinit`; positions are taken modulo its count.

import GaugeSupport

/// Numbers drawn in advance and walked cyclically from batch to batch. If a batch of few operations always started at
/// the first number, it would measure a few keys that every cache and predictor has learnt.
///
/// `@unchecked Sendable`: the numbers are written only in `init`, and one thread owns the position.
final class NumberWalk: @unchecked Sendable {
    private let numbers: UnsafeMutableBufferPointer<UInt32>
    private var place = 0

    /// - Parameter count: the number of draws; a predictor could learn a walk of less than 65,536 steps.
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

    /// The number of steps.
    var count: Int { numbers.count }

    /// The number at a position.
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
