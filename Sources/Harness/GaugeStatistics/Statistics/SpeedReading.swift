/// What one probe tells of the processor's speed.
package struct SpeedReading: Hashable, Sendable {
    /// The time of the loop of independent instructions, nanoseconds.
    package let parallel: Double
    /// The time of one cycle, nanoseconds; `nil` from a worker that did not measure it.
    package let cycle: Double?

    package init(parallel: Double, cycle: Double? = nil) {
        self.parallel = parallel
        self.cycle = cycle.flatMap { $0 > 0 ? $0 : nil }
    }

    /// The reading to 0.4 % and 0.02 %, so that those of a long run are few.
    package var rounded: SpeedReading {
        func rounded(_ value: Double, bits: UInt64) -> Double {
            let unit: UInt64 = 1 << (52 - bits)
            return Double(bitPattern: (value.bitPattern &+ unit / 2) & ~(unit - 1))
        }
        return SpeedReading(parallel: rounded(parallel, bits: 8), cycle: cycle.map { rounded($0, bits: 12) })
    }

    /// The loop's time in cycles, which does not depend on the clock rate; its nanoseconds where that is unknown.
    package var duration: Double { cycle.map { parallel / $0 } ?? parallel }
}
