import Foundation
import Synchronization

/// Keeps processors busy while something else is measured: each thread writes through 256 KiB again and again, and so
/// competes for the processor, its caches and a core's units.
package final class OtherWork: Sendable {
    private let isOver = Atomic(false)

    package init(threads: Int) {
        for _ in 0..<threads {
            Thread.detachNewThread { [self] in
                var memory = [UInt64](repeating: 1, count: 32_768)
                var sum: UInt64 = 0
                while !isOver.load(ordering: .relaxed) {
                    for index in memory.indices {
                        sum = (sum ^ memory[index]) &* 0x9E37_79B9_7F4A_7C15
                        memory[index] = sum
                    }
                }
            }
        }
    }

    /// Ends the threads within microseconds.
    package func end() { isOver.store(true, ordering: .relaxed) }
}
