import Foundation
import TestSupport
import Testing

@Suite("The last run")
struct LastRunTests {
    private func run(in directory: String) throws -> String {
        let planted = RunningChild.path(of: "PlantedGauge")
        let run = try ChildRun(
            "sh",
            [
                "-c",
                "cd '\(directory)' && exec '\(planted)' run --suite full --filter '^planted/timed/' --seconds 0.3",
            ])
        #expect(run.status == 0, "\(run.errors)")
        return run.output
    }

    @Test("a run compares itself with the one before, where the package has a build directory")
    func compared() throws {
        let scratch = try ScratchDirectory()
        #expect(!(try run(in: scratch.path)).contains("since the last run"))
        try FileManager.default.createDirectory(atPath: "\(scratch.path)/.build", withIntermediateDirectories: true)
        #expect(!(try run(in: scratch.path)).contains("since the last run"))
        let second = try run(in: scratch.path)
        #expect(second.contains("since the last run ("), "\(second)")
        // On a busy machine some rows lack a figure to compare.
        #expect(second.contains(/[1-4] rows: |no row has a figure/), "\(second)")
    }
}
