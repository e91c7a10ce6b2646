import GaugeMeasurement

/// The numbers of threads of the rows that use several.
@usableFromInline
package enum ThreadCounts {
    /// 1, 2 and 4, without those above the number of processors that this process may use: threads that take turns on a
    /// processor measure the scheduler.
    @usableFromInline package static let possible: [Int] = possible(on: UsableProcessors.count)

    package static func possible(on processors: Int) -> [Int] { [1, 2, 4].filter { $0 == 1 || $0 <= processors } }

    /// The last part of the name of a row: `1-thread`, `2-threads`.
    @usableFromInline
    package static func label(_ threads: Int) -> String { "\(threads)-thread\(threads == 1 ? "" : "s")" }
}
