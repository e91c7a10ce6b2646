import Foundation
import GaugeSupport

/// A regular expression that selects names.
///
/// Some expressions take a time exponential in the length of the name, and deeply nested ones use a deep stack. So the
/// length is limited, and matching stops after a few seconds.
package struct NameFilter: Sendable {
    private let pattern: String

    private static let longest = 1_000
    private static let timeOut = DispatchTimeInterval.seconds(2)

    package init(_ pattern: String) throws(UsageError) {
        guard pattern.utf8.count <= Self.longest else {
            throw UsageError("the filter is longer than \(Self.longest) bytes; shorten it")
        }
        self.pattern = pattern
    }

    /// The names that contain a match.
    package func matches(among names: [String]) throws -> Set<String> {
        let outcome = Outcome()
        let done = DispatchSemaphore(value: 0)
        let thread = Thread {
            outcome.value = Result {
                let expression = try Regex(pattern)
                return Set(names.filter { $0.contains(expression) })
            }
            done.signal()
        }
        thread.stackSize = 8 << 20
        thread.start()
        guard done.wait(timeout: .now() + Self.timeOut) == .success else {
            // The thread cannot be stopped, but it ends with this process, which exits now.
            throw UsageError("filter '\(pattern)' takes too long to match; avoid a repetition inside a repetition")
        }
        do {
            return try outcome.value.get()
        } catch {
            throw UsageError("filter '\(pattern)' is not a regular expression: \(error)")
        }
    }

    /// `@unchecked Sendable`: the thread writes it before it signals, and the caller reads it after the signal.
    private final class Outcome: @unchecked Sendable {
        var value: Result<Set<String>, any Error> = .success([])
    }
}
