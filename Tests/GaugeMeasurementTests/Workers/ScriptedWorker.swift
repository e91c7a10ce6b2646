import Foundation
import TestSupport

@testable import GaugeMeasurement

/// A program that plays workers: it answers each request with replies that the test wrote. So the times of a slice are
/// those of the test, whatever the machine does.
struct ScriptedWorker {
    /// Holds the replies, and must hold the directory of the run.
    let scratch: ScratchDirectory

    /// A file of the repository: one that was just written could not be started while another thread starts a program.
    private static let path = URL(fileURLWithPath: #filePath).deletingLastPathComponent()
        .appending(path: "../../Fixtures/ScriptedWorker/worker").standardized.path

    init() throws { scratch = try ScratchDirectory() }

    /// Settings of a run whose workers are this program.
    var settings: RunSettings { RunSettings(timeOut: 600, executable: Self.path) }

    /// A benchmark of this subject, with its replies.
    ///
    /// - Parameters:
    ///   - slices: the replies by name, as `slice`, `slice.2` for the second process, or `slice.2.1` for its first
    ///     slice.
    ///   - exit: the name of a reply in whose place the worker exits.
    func benchmark(
        _ subject: String, case name: String = "b", slices: [String: SliceReply], exit: String? = nil,
        finish: FinishReply = FinishReply(figures: [], wrong: 0, wrongAnswers: [])
    ) throws -> Benchmark {
        let benchmark = Benchmark(BenchmarkName("a", name, subject), isPeer: subject != "tiered") { _ in
            PreparedBenchmark(.batched { _ in })
        }
        let folder = "\(scratch.path)/\(subject)"
        try FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: true)
        func write(_ name: String, _ reply: WorkerReply) throws {
            var line = try JSONEncoder().encode(reply)
            line.append(UInt8(ascii: "\n"))
            try line.write(to: URL(fileURLWithPath: "\(folder)/\(name)"))
        }
        try write("hello", .hello(protocol: WorkerProtocol.version, benchmark: benchmark.name.description))
        try write("prepared", .prepared(PreparedReply(kind: .batched, threads: 1, outcome: .computed)))
        try write("calibrated", .calibrated)
        try write("warm", .warm)
        try write("finished", .finished(finish))
        for (name, slice) in slices { try write(name, .slice(slice)) }
        if let exit { try Data().write(to: URL(fileURLWithPath: "\(folder)/\(exit).exit")) }
        return benchmark
    }

    /// When the caches of a subject's workers were warmed: the number of the process, and of its last slice before.
    func warmings(of subject: String) throws -> [Substring] {
        try String(contentsOfFile: "\(scratch.path)/\(subject)/warmings", encoding: .utf8).split(separator: "\n")
    }

    /// A slice of ten batches of one operation, which take so many nanoseconds each; one of them says how many answers
    /// were wrong.
    static func slice(_ nanoseconds: UInt64, wrong: Int = 0) -> SliceReply {
        var report = SliceReply()
        report.batches = Array(repeating: nanoseconds, count: 10)
        (report.batchOperations, report.operations, report.nanoseconds) = (1, 10, 10 * nanoseconds)
        report.wrong = wrong
        report.wrongAnswers = (0..<wrong).map { WrongAnswer(key: "\($0)", expected: "a", got: "b", history: []) }
        return report
    }
}
