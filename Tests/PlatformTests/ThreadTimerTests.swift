#if canImport(Glibc)
import Foundation
import Synchronization
import Testing

@testable import Platform

@Suite("Timers of threads", .serialized) struct ThreadTimerTests {
    private static let signals = Atomic(0)
    private static let interrupted = Atomic(0)

    /// Does something in a new thread, which blocks the signal if this one does.
    private func inThread(_ body: @escaping @Sendable () -> Void) {
        let done = DispatchSemaphore(value: 0)
        Thread {
            body()
            done.signal()
        }.start()
        done.wait()
    }

    /// Sets a timer of this thread, and waits for its signal. Whether this thread received it.
    private static func isInterrupted(after nanoseconds: Int) -> Bool {
        Platform.signal(SIGWINCH) { _ in
            ThreadTimerTests.interrupted.store(Int(pthread_self()), ordering: .relaxed)
            ThreadTimerTests.signals.add(1, ordering: .releasing)
        }
        let before = signals.load(ordering: .acquiring)
        let timer = ThreadTimer(signal: SIGWINCH)
        timer.set(nanoseconds: nanoseconds)
        let end = monotonicNanoseconds() + 60_000_000_000
        while signals.load(ordering: .acquiring) == before, monotonicNanoseconds() < end { sched_yield() }
        return signals.load(ordering: .acquiring) == before + 1
            && interrupted.load(ordering: .relaxed) == Int(pthread_self())
    }

    @Test("a timer interrupts the thread that made it, and no other") func interrupts() {
        inThread {
            #expect(Self.isInterrupted(after: 1))
            #expect(Self.isInterrupted(after: 1_000_000))
        }
    }

    @Test("a timer of a signal that does not exist cannot be made, and is set without effect") func noSignal() {
        inThread {
            let none = ThreadTimer(signal: 10_000)
            none.set(nanoseconds: 1)
            #expect(Self.isInterrupted(after: 1_000_000))
        }
    }

    @Test("a timer that was stopped sends nothing") func stopped() {
        inThread {
            let timer = ThreadTimer(signal: SIGWINCH)
            timer.set(nanoseconds: 30_000_000)
            timer.set(nanoseconds: 0)
            // This one ends after the first would have, and is the only one.
            #expect(Self.isInterrupted(after: 60_000_000))
        }
    }
}
#endif
