import Foundation
import TestSupport
import Testing

@Suite("Self-test of runs", .timeLimit(.minutes(2)))
struct RunSelfTestTests {
    @Test("a self-test repeats the run until the log has as many as asked for, and continues a log") func runs() throws
    {
        let scratch = try ScratchDirectory()
        func entries(_ runs: Int) throws -> Int {
            let arguments = [
                "run", "--self-test=\(runs)", "--filter=^planted/figures/", "--suite=full", "--seconds=1",
                "--log=\(scratch.path)/runs.log",
            ]
            let run = try ChildRun("PlantedGauge", arguments)
            #expect(run.status == 0, "\(run.errors)")
            let log = try String(contentsOfFile: "\(scratch.path)/runs.log", encoding: .utf8)
            return log.split(separator: "\n").count { $0.hasPrefix("{\"run\"") }
        }
        #expect(try entries(2) == 2)
        #expect(try entries(1) == 2)
        #expect(try entries(3) == 3)
    }
}
