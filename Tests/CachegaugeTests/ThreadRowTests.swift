import Foundation
import TestSupport
import Testing

@testable import GaugeMeasurement

/// Workers are bound to one processor, which alone would leave them without the rows of several threads.
@Suite("Rows of several threads in comparisons") struct ThreadRowTests {
    @Test(
        "two builds are compared in a row of two threads",
        .enabled(if: UsableProcessors.count > 1, "needs two processors"))
    func compared() throws {
        let path = RunningChild.path(of: "cachegauge")
        let run = try ChildRun(
            "cachegauge",
            [
                "compare", path, path, "--filter=^memory/hits/1k/2-threads/tiered$", "--suite=full", "--seconds=0.3",
                "--format=json",
            ])
        #expect(run.status == 0, "\(run.errors)")
        let document = try JSONSerialization.jsonObject(with: Data(run.output.utf8)) as? [String: Any]
        let rows = try #require(document?["rows"] as? [[String: Any]])
        #expect(rows.count == 1 && rows.allSatisfy { $0["a_ns"] as? Double ?? 0 > 0 }, "\(run.output)\(run.errors)")
    }

    @Test("a worker has the rows of the command that started it", arguments: [(1, false), (2, true)])
    func told(processors: Int, has: Bool) throws {
        let run = try ChildRun(
            "cachegauge", ["list", "--suite=full"], environment: [UsableProcessors.variable: "\(processors)"])
        #expect(run.output.contains("memory/hits/1k/2-threads/tiered") == has)
    }
}
