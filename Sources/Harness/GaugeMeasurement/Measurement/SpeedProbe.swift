import Platform

/// A fixed loop of eight additions that do not depend on each other, which takes as long as the processor's core is
/// shared (see `FullSpeed`). About 5 µs.
package enum SpeedProbe {
    #if DEBUG
    private static let rounds = 200
    #else
    private static let rounds = 8_000
    #endif

    /// Runs the loop.
    ///
    /// - Returns: its time, nanoseconds.
    package static func time() -> UInt64 {
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
        let end = monotonicNanoseconds()
        blackHole(a &+ b &+ c &+ d &+ e &+ f &+ g &+ h)
        return end - start
    }
}
