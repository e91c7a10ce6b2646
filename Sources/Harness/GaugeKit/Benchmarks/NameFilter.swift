import Foundation

/// A regular expression that chooses names.
///
/// Some expressions take a time exponential in the length of the name, and deeply nested ones a stack as deep: so the
/// length is bounded, and matching is given up after some seconds.
struct NameFilter: Sendable {
    private let pattern: String

    private static let longest = 1_000
    private static let patience = DispatchTimeInterval.seconds(2)

    init(_ pattern: String) throws(UsageError) {
        guard pattern.utf8.count <= Self.longest else {
            throw UsageError("the filter is longer than \(Self.longest) bytes; shorten it")
        }
        self.pattern = pattern
    }

    /// The names that contain a match.
    func matches(among names: [String]) throws -> Set<String> {
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
        guard done.wait(timeout: .now() + Self.patience) == .success else {
            // The thread cannot be stopped; this process ends now, and the thread with it.
            throw UsageError("filter '\(pattern)' takes too long to match; avoid a repetition inside a repetition")
        }
        do {
            return try outcome.value.get()
        } catch {
            throw UsageError("filter '\(pattern)' is not a regular expression: \(error)")
        }
    }

    /// `@unchecked Sendable`: written by the thread before it signals, read after the signal has come.
    private final class Outcome: @unchecked Sendable {
        var value: Result<Set<String>, any Error> = .success([])
    }
}
