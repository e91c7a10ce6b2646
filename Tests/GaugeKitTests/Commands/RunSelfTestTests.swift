import Foundation
import Platform
import TestSupport
import Testing

@Suite("Self-test of runs", .timeLimit(.minutes(60)))
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
            return log.split(separator: "\n").count { $0.hasPrefix("{\"round\"") }
        }
        let start = monotonicNanoseconds()
        #expect(try entries(2) == 2)
        let waited = Double(monotonicNanoseconds() - start) / 1e9
        let log = try String(contentsOfFile: "\(scratch.path)/runs.log", encoding: .utf8)
        let told = log.split(separator: "\n").filter { $0.hasPrefix("{\"round\"") }.compactMap {
            $0.matches(of: /"seconds":([0-9.e+-]+)/).last.flatMap { Double($0.output.1) }
        }
        #expect(told.count == 2 && told.allSatisfy { $0 > 0 } && told.reduce(0, +) <= waited, "\(told) of \(waited) s")
        #expect(try entries(1) == 2)
        #expect(try entries(3) == 3)
    }

    @Test("a log of other options is refused, a torn line is done again, and other work may go on meanwhile")
    func log() throws {
        let scratch = try ScratchDirectory()
        let log = "\(scratch.path)/runs.log"
        func run(_ options: String...) throws -> ChildRun {
            try ChildRun(
                "PlantedGauge",
                [
                    "run", "--self-test=1", "--busy=1", "--filter=^planted/figures/", "--suite=full", "--seconds=0.2",
                    "--log=\(log)",
                ] + options)
        }
        #expect(try run().status == 0)
        let whole = try Data(contentsOf: URL(fileURLWithPath: log))
        let settings = try #require(whole.firstIndex(of: UInt8(ascii: "\n")))
        try whole[...(settings + 9)].write(to: URL(fileURLWithPath: log))
        let torn = try run()
        #expect(torn.status == 0 && torn.errors.contains("was cut short; its run is done again"), "\(torn.errors)")
        #expect(torn.errors.contains("run 1 of 1\n") && torn.output.contains("Other work kept 1 processors busy"))
        let other = try run("--seed=7")
        #expect(other.status == 64 && other.errors.contains("was begun with other options"), "\(other.errors)")
        try FileManager.default.removeItem(atPath: "\(scratch.path)/runs.md")
        try FileManager.default.createDirectory(atPath: "\(scratch.path)/runs.md", withIntermediateDirectories: true)
        let table = try run()
        #expect(table.status == 1 && table.errors.contains("runs.md cannot be written: "), "\(table.errors)")
    }
}
