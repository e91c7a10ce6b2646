import Platform

/// The clocks of a measurement. Tests supply their own, on which a body takes an exact time.
package struct MeasurementClock {
    /// Elapsed time, nanoseconds.
    package let elapsed: () -> UInt64
    /// Processor time of the calling thread, nanoseconds.
    package let threadCPU: () -> UInt64
    /// Processor time of all threads, nanoseconds.
    package let processCPU: () -> UInt64
    package var probe: () -> SpeedProbe.Times = { .init() }
    /// How often other work took the processor from this process.
    package var switches: () -> UInt64 = { 0 }
    /// What the calling thread has used so far.
    package var threadUse: @Sendable () -> ThreadUse = { ThreadUse() }

    package static var system: MeasurementClock {
        MeasurementClock(
            elapsed: monotonicNanoseconds, threadCPU: threadCPUNanoseconds, processCPU: processCPUNanoseconds,
            probe: SpeedProbe.run, switches: { UInt64(resourceUsage().ru_nivcsw) }, threadUse: ThreadUse.now)
    }
}

/// Two fixed loops that tell how fast the processor is. Together about 9 µs.
///
/// Eight independent additions take longer while the core is shared (see `FullSpeed`). A chain of additions, each of
/// the previous result, takes a cycle each on nearly all processors, and so measures the clock rate.
package enum SpeedProbe {
    #if DEBUG
    private static let rounds = 200
    #else
    private static let rounds = 8_000
    #endif

    package static let steps = rounds * 2

    package struct Times: Equatable {
        package var parallel: UInt64 = 0
        package var chain: UInt64 = 0
    }

    package static func run() -> Times {
        var (a, b, c, d): (UInt64, UInt64, UInt64, UInt64) = (1, 2, 3, 4)
        var (e, f, g, h): (UInt64, UInt64, UInt64, UInt64) = (5, 6, 7, 8)
        let start = monotonicNanoseconds()
        for _ in 0..<rounds {
            a = opaque(a &+ 1)
            b = opaque(b &+ 1)
            c = opaque(c &+ 1)
            d = opaque(d &+ 1)
            e = opaque(e &+ 1)
            f = opaque(f &+ 1)
            g = opaque(g &+ 1)
            h = opaque(h &+ 1)
        }
        let middle = monotonicNanoseconds()
        var chain = a
        for _ in 0..<steps / 8 {
            chain = opaque(chain &+ 1)
            chain = opaque(chain &+ 1)
            chain = opaque(chain &+ 1)
            chain = opaque(chain &+ 1)
            chain = opaque(chain &+ 1)
            chain = opaque(chain &+ 1)
            chain = opaque(chain &+ 1)
            chain = opaque(chain &+ 1)
        }
        let end = monotonicNanoseconds()
        blackHole(chain &+ b &+ c &+ d &+ e &+ f &+ g &+ h)
        return Times(parallel: middle - start, chain: end - middle)
    }
}

/// The number of operations between two readings of the clock.
///
/// A batch is so long that reading the clock (about 20 ns) doesn't matter, and so short that a slice has many, and its
/// shortest wasn't interrupted.
package struct BatchSize: Equatable {
    /// The intended duration of a batch, nanoseconds.
    package let target: UInt64
    package private(set) var operations = 1
    /// Whether a batch took a time close enough to the target.
    package private(set) var isCalibrated = false

    /// The most operations, so that a body that takes no time doesn't run for ever.
    package static let most = 1 << 40

    /// Adjusts the number after a batch that took `nanoseconds`. Any time from 0.4 to 4 times the target is accepted,
    /// so that the size stays the same from slice to slice.
    package mutating func adjust(nanoseconds: UInt64) {
        let isLong = nanoseconds > target * 4 && operations > 1
        let isShort = nanoseconds < target * 2 / 5 && operations < Self.most
        isCalibrated = !isLong && !isShort
        guard !isCalibrated else { return }
        let wanted = Double(operations) * Double(target) / Double(max(nanoseconds, 1))
        // The first batches are cold, or so short that the clock's step matters: grow at most 16 times at once.
        operations = Int(min(max(wanted, 1), Double(operations) * 16, Double(Self.most)))
    }
}

/// The time of one batch, nanoseconds.
package struct BatchTime: Equatable {
    /// From the first start to the last end; this is reported.
    package let whole: UInt64
    /// The quickest thread's time, which determines the size of the next batch. The whole also contains the wake-up of
    /// the last thread, which takes milliseconds on a busy machine however few the operations; batches would shrink
    /// until they contain little else.
    package let quickest: UInt64

    package init(_ nanoseconds: UInt64) {
        whole = nanoseconds
        quickest = nanoseconds
    }

    /// The time of several threads, from the start and end of each.
    package init(_ starts: some Sequence<UInt64>, _ ends: some Sequence<UInt64>) {
        whole = ends.reduce(0, max) - starts.reduce(.max, min)
        quickest = zip(starts, ends).map { $1 - $0 }.reduce(.max, min)
    }
}
