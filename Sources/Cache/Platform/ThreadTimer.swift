import CSupport

/// Interrupts the thread that made it by a signal, some time after it was set. Linux only: elsewhere it does nothing.
///
/// The thread no longer blocks the signal, as threads of Dispatch do. Used by that thread alone. Making one costs three
/// system calls; setting it costs one, and so does stopping it.
package struct ThreadTimer: ~Copyable {
    #if canImport(Glibc)
    /// `nil` for the first timer of a process, whose number is 0.
    private var timer: timer_t?
    private let isMade: Bool

    /// - Parameter number: the signal.
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

    /// Sends the signal once, after so many nanoseconds below 10⁹; 0 stops the timer.
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
