// Invariant of the pointers: a mask is an array that is lent for one call, with its length in bytes.

import CSupport

/// Which processors the calling thread may run on, and with it the processes that it starts. Linux only: elsewhere nothing
/// is bound.
package enum ProcessorBinding {
    /// The system's mask, a bit for each of 8,192 processors, in words as it wants them.
    private static let words = 128

    /// The numbers of the processors that the thread may run on; empty where the system does not say.
    package static var allowed: [Int] {
        guard let mask else { return [] }
        return (0..<mask.count * 64).filter { mask[$0 / 64] >> UInt64($0 % 64) & 1 == 1 }
    }

    /// Does something while the thread may run on one processor only. A process that is started meanwhile stays there.
    ///
    /// - Parameter processor: one of `allowed`; with `nil`, and where the system cannot, the thread runs where it did.
    package static func bound<Result>(to processor: Int?, _ body: () throws -> Result) rethrows -> Result {
        guard let processor, processor < words * 64, let before = mask else { return try body() }
        var one = [UInt64](repeating: 0, count: words)
        one[processor / 64] = 1 << UInt64(processor % 64)
        bind(one)
        defer { bind(before) }
        return try body()
    }

    private static var mask: [UInt64]? {
        var mask = [UInt64](repeating: 0, count: words)
        let code = mask.withUnsafeMutableBytes { cs_thread_processors($0.baseAddress, $0.count) }
        return code == 0 ? mask : nil
    }

    private static func bind(_ mask: [UInt64]) {
        _ = mask.withUnsafeBytes { cs_bind_thread($0.baseAddress, $0.count) }
    }
}
