import Foundation
import Platform

/// What a thread has used since it started, or between two moments.
package struct ThreadUse: Equatable, Sendable {
    /// Processor time, nanoseconds.
    package var nanoseconds: UInt64 = 0
    /// How often it waited, and so was woken later.
    package var wakeUps: UInt64 = 0

    #if os(Linux)
    package static let countsWakeUps = true
    #else
    package static let countsWakeUps = false
    #endif

    /// The calling thread's use so far. Its wake-ups are 0 where the system doesn't count them by thread.
    package static func now() -> ThreadUse {
        #if os(Linux)
        var usage = rusage()
        // RUSAGE_THREAD, which Glibc's module lacks.
        getrusage(1, &usage)
        return ThreadUse(nanoseconds: threadCPUNanoseconds(), wakeUps: UInt64(usage.ru_nvcsw))
        #else
        return ThreadUse(nanoseconds: threadCPUNanoseconds())
        #endif
    }

    package static func + (one: ThreadUse, other: ThreadUse) -> ThreadUse {
        ThreadUse(nanoseconds: one.nanoseconds &+ other.nanoseconds, wakeUps: one.wakeUps &+ other.wakeUps)
    }

    package static func - (later: ThreadUse, earlier: ThreadUse) -> ThreadUse {
        ThreadUse(nanoseconds: later.nanoseconds &- earlier.nanoseconds, wakeUps: later.wakeUps &- earlier.wakeUps)
    }
}
