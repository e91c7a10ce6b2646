import Foundation
import Platform
import TestSupport
import Testing

/// `gate --self-test` on a package that "builds" the planted executable, without valgrind.
@Suite("Self-test of the gate, by its command", .timeLimit(.minutes(60))) struct GateSelfTestTests {
    private let package: PlantedPackage
    private let log: String

    init() throws {
        package = try PlantedPackage()
        log = "\(package.scratch.path)/self.log"
    }

    private func start(rounds: Int, log: String) throws -> RunningChild {
        try package.start(
            [
                "--self-test", "--rounds=\(rounds)", "--seconds=1", "--log=\(log)", "--suite=full",
                "--filter=^planted/figures/",
            ])
    }

    private func run(rounds: Int, log: String? = nil) throws -> (output: String, errors: String, status: Int32) {
        let child = try start(rounds: rounds, log: log ?? self.log)
        let (output, errors) = child.collect()
        return (output, errors, child.wait())
    }

    private var rounds: Int {
        let text = (try? String(contentsOfFile: log, encoding: .utf8)) ?? ""
        return text.split(separator: "\n").count { $0.hasPrefix("{\"round\"") }
    }

    /// The seconds that a log tells of its last round.
    private static func seconds(inLastLineOf path: String) throws -> Double {
        let line = try #require(try String(contentsOfFile: path, encoding: .utf8).split(separator: "\n").last)
        return try #require(line.matches(of: /"seconds":([0-9.e+]+)/).last.flatMap { Double($0.output.1) })
    }

    @Test("each round is in the log, the table beside it, and the next call goes on after the last whole line")
    func continued() throws {
        let start = monotonicNanoseconds()
        let first = try run(rounds: 1)
        let waited = Double(monotonicNanoseconds() - start) / 1e9
        #expect(first.status == 0, "\(first.errors)")
        #expect(first.errors.contains("round 1/1, ") && first.errors.contains("planted/figures/tiered +1.0 % "))
        #expect(first.errors.contains("warning: the planted work is not confirmed by counting instructions: "))
        #expect(rounds == 1)
        // To a tenth of a second.
        let seconds = try Self.seconds(inLastLineOf: log)
        #expect((0...waited + 0.06).contains(seconds), "\(seconds) of \(waited) s")
        let table = try String(contentsOfFile: "\(package.scratch.path)/self.md", encoding: .utf8)
        #expect(table == first.output && table.contains("| +1.0 % | 1 | "), "\(table)")

        // Killed while it wrote the next round.
        let torn = try Data(contentsOf: URL(fileURLWithPath: log)) + Data("{\"round\":{".utf8)
        try torn.write(to: URL(fileURLWithPath: log))
        let second = try run(rounds: 2)
        #expect(second.status == 0, "\(second.errors)")
        #expect(second.errors.contains("self.log was cut short; its round is done again"), "\(second.errors)")
        #expect(!second.errors.contains("round 1/2") && second.errors.contains("round 2/2, "), "\(second.errors)")
        #expect(rounds == 2)

        // Fewer rounds than there are: only the table is written again.
        let third = try run(rounds: 1)
        #expect(third.status == 0 && third.output == second.output && rounds == 2)
        #expect(try package.leftovers == [])
    }

    @Test("a log of other options is refused and stays as it was, and so is one that cannot be opened")
    func otherLog() throws {
        let settings = #"{"settings":{"_0":{"benchmarks":["a/b/c"],"delta":0.01,"seconds":1,"seed":1}}}"# + "\n"
        try settings.write(toFile: log, atomically: true, encoding: .utf8)
        let other = try run(rounds: 1)
        #expect(other.status == 64, "\(other.errors)")
        #expect(other.errors.contains("was begun with other options or benchmarks"), "\(other.errors)")
        #expect(try String(contentsOfFile: log, encoding: .utf8) == settings)
        let missing = try run(rounds: 1, log: "\(package.scratch.path)/missing/self.log")
        #expect(missing.status == 1)
        #expect(missing.errors.contains("self.log cannot be opened: No such file or directory; name another file"))
        let folder = try run(rounds: 1, log: package.path)
        #expect(folder.status == 1 && folder.errors.contains("cannot be opened: Is a directory"), "\(folder.errors)")
    }

    @Test("an interrupted self-test keeps its rounds, writes the table, and says where the next call goes on")
    func interrupted() throws {
        let child = try start(rounds: 1_000, log: log)
        while rounds == 0 { usleep(1_000) }
        kill(child.process, SIGINT)
        let (output, errors) = child.collect()
        #expect(child.wait() == 130)
        #expect(errors.contains("interrupted; \(log) holds \(rounds) rounds, from which the next call goes on"))
        #expect(output.contains("| +1.0 % | 1 | "), "\(output)")
        #expect(try package.leftovers == [])
    }
}
