// Invariants of the pointers: a thread gets one reference to its `Body`, and takes it over. A mask is an array lent for
// one call, with its length in bytes.

import CSupport

/// Starts a thread, like `startThread`.
package typealias ThreadStart = @Sendable (_ body: @escaping @Sendable () -> Void) -> Bool

/// Runs `body` on a new thread, which ends with it. The thread blocks only signals that the caller blocks.
///
/// - Returns: `false` if the system has no thread, and then `body` is not run. Foundation's `Thread` does not tell.
@Sendable
package func startThread(_ body: @escaping @Sendable () -> Void) -> Bool {
    let start = Unmanaged.passRetained(Body(run: body))
    #if canImport(Darwin)
    var thread: pthread_t?
    let code = pthread_create(&thread, nil, { runBody($0) }, start.toOpaque())
    if let thread, code == 0 { pthread_detach(thread) }
    #else
    var thread = pthread_t()
    let code = pthread_create(&thread, nil, { $0.flatMap { runBody($0) } }, start.toOpaque())
    if code == 0 { pthread_detach(thread) }
    #endif
    if code != 0 { start.release() }
    return code == 0
}

private final class Body: Sendable {
    let run: @Sendable () -> Void

    init(run: @escaping @Sendable () -> Void) { self.run = run }
}

private func runBody(_ start: UnsafeMutableRawPointer) -> UnsafeMutableRawPointer? {
    Unmanaged<Body>.fromOpaque(start).takeRetainedValue().run()
    return nil
}

/// Sends a signal to the thread that made it, some time after it was set. Linux only: elsewhere it does nothing.
///
/// It unblocks the signal in that thread, because threads of Dispatch block it. Only that thread may use it. Making one
/// costs three system calls, setting or stopping it one.
package struct ThreadTimer: ~Copyable {
    #if canImport(Glibc)
    /// `nil` for the first timer of a process, whose number is 0.
    private var timer: timer_t?
    private let isMade: Bool

    package init(signal number: Int32) {
        var signals = sigset_t()
        sigemptyset(&signals)
        sigaddset(&signals, number)
        pthread_sigmask(SIG_UNBLOCK, &signals, nil)
        var event = sigevent()
        event.sigev_notify = Int32(SIGEV_THREAD_ID)
        event.sigev_signo = number
        event._sigev_un._tid = cs_thread_identifier()
        isMade = timer_create(CLOCK_MONOTONIC, &event, &timer) == 0
    }

    deinit { if isMade { timer_delete(timer) } }

    /// Sends the signal once, after this many nanoseconds (below 10⁹); 0 stops the timer.
    package func set(nanoseconds: Int) {
        guard isMade else { return }
        var time = itimerspec()
        time.it_value.tv_nsec = nanoseconds
        timer_settime(timer, 0, &time, nil)
    }
    #else
    package init(signal number: Int32) {}
    package func set(nanoseconds: Int) {}
    #endif
}

/// The processors that the calling thread, and processes it starts, may run on. Linux only: elsewhere it changes
/// nothing.
package enum ProcessorBinding {
    /// The size of the system's mask: one bit for each of 8,192 processors, in words as the system wants them.
    private static let words = 128

    /// The numbers of the processors the thread may run on; empty if the system does not say.
    package static var allowed: [Int] {
        guard let mask else { return [] }
        return (0..<mask.count * 64).filter { mask[$0 / 64] >> UInt64($0 % 64) & 1 == 1 }
    }

    /// Runs `body` while the thread may run on one processor only. A process started meanwhile stays there.
    ///
    /// - Parameter processor: one of `allowed`; if it's `nil`, or the system refuses, the thread runs where it did.
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

/// How many processors the system uses now; at least 1.
package func processorCount() -> Int { max(1, sysconf(Int32(_SC_NPROCESSORS_ONLN))) }
