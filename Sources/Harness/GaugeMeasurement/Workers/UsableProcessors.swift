import Foundation
import Platform

/// The processors that a command may use, which decide what rows of several threads there are.
package enum UsableProcessors {
    /// The variable that tells a worker which is bound to one processor how many the command that started it may use, so
    /// that both have the same rows.
    package static let variable = "CACHEGAUGE_PROCESSORS"

    /// The number of processors that this process may use, or the command that started it.
    package static var count: Int {
        if let told = ProcessInfo.processInfo.environment[variable].flatMap({ Int($0) }) { return max(1, told) }
        return max(1, ProcessorBinding.allowed.isEmpty ? processorCount() : ProcessorBinding.allowed.count)
    }
}
