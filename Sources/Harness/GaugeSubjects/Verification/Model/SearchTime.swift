import GaugeSupport
import Platform

/// How long a search goes on. Time in which its thread waited for a processor does not count, so that a busy machine does
/// not make it find less, up to `longest` times as long by the clock.
struct SearchTime {
    static let longest = 4.0

    private let nanoseconds: Double
    private let now: () -> UInt64
    private let waited: () -> UInt64
    private let start: (now: UInt64, waited: UInt64)

    /// - Parameters:
    ///   - now: the clock, nanoseconds.
    ///   - waited: for how long the thread has waited for a processor, nanoseconds.
    init(
        seconds: Double, now: @escaping () -> UInt64 = monotonicNanoseconds,
        waited: @escaping () -> UInt64 = SearchTime.waited
    ) {
        nanoseconds = seconds * 1e9
        (self.now, self.waited) = (now, waited)
        start = (now(), waited())
    }

    var isOver: Bool {
        let passed = Double(now() - start.now)
        return passed - Double(waited() - start.waited) >= nanoseconds || passed >= nanoseconds * Self.longest
    }

    /// The time in which the calling thread was ready to run but had no processor, nanoseconds since it began; 0 where the
    /// system does not report it.
    static func waited() -> UInt64 { waited(schedstat: ProcFile.contents("/proc/thread-self/schedstat")) }

    /// Reads `running waiting timeslices`, of which the first two are nanoseconds (Linux, sched-stats).
    static func waited(schedstat text: String) -> UInt64 {
        let numbers = text.split(whereSeparator: \.isWhitespace)
        return numbers.count == 3 ? UInt64(numbers[1]) ?? 0 : 0
    }
}
