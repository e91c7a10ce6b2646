import Foundation
import Platform

/// The numbers of threads of the rows that use several.
@usableFromInline
package enum ThreadCounts {
    /// 1, 2 and 4, without those above the number of processors that this process may use: threads that take turns on a
    /// processor measure the scheduler.
    @usableFromInline package static let possible: [Int] = possible(on: processors)

    /// The variable that tells a worker which is bound to one processor how many the command that started it may use, so
    /// that both have the same rows.
    package static let variable = "CACHEGAUGE_PROCESSORS"

    /// The number of processors that this process may use, or the command that started it.
    package static var processors: Int {
        if let told = ProcessInfo.processInfo.environment[variable].flatMap({ Int($0) }) { return max(1, told) }
        return max(1, ProcessorBinding.allowed.isEmpty ? processorCount() : ProcessorBinding.allowed.count)
    }

    package static func possible(on processors: Int) -> [Int] { [1, 2, 4].filter { $0 == 1 || $0 <= processors } }

    /// The last part of the name of a row: `1-thread`, `2-threads`.
    @usableFromInline
    package static func label(_ threads: Int) -> String { "\(threads)-thread\(threads == 1 ? "" : "s")" }
}
