import Foundation
import TestSupport

@testable import GaugeMeasurement
@testable import GaugeSupport

/// Two builds whose workers are a script, so that their counts are those that a test wrote. Beside them stands a script
/// that plays valgrind.
struct CountedBuilds {
    let scratch: ScratchDirectory

    /// Files of the repository: one that was just written could not be started while another thread starts a program.
    static let folder = URL(filePath: #filePath).deletingLastPathComponent()
        .appending(path: "../../Fixtures/CountedWorker").standardized.path
    static let executables = ["base", "head"].map { "\(folder)/\($0)/worker" }

    init() throws { scratch = try ScratchDirectory() }

    /// The replies of a benchmark in one of the builds.
    struct Replies {
        var kind = PreparedReply.Kind.batched
        /// Allocations of all operations that are counted, by each process.
        var allocations: [Int] = [0]
        var each: [UInt64] = []
        var wrong = 0
        /// The worker reports this error when it is to prepare.
        var refusal: String?
        /// The name of the reply in whose place it exits.
        var exit: String?
        /// Instructions of the three runs under callgrind, and system calls.
        var profiles: [(instructions: Int, calls: Int)] = []
        /// Instructions of each operation of the sequence under callgrind, and of the exceptions by number.
        var sequence: (usual: Int, others: [Int: Int])? = (10, [:])
    }

    func add(_ name: String, to build: String, _ replies: Replies) throws {
        let folder = "\(scratch.path)/replies/\(build)/\(name)"
        try FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: true)
        func put(_ file: String, _ text: String) throws {
            try Data(text.utf8).write(to: URL(filePath: "\(folder)/\(file)"))
        }
        func put(_ file: String, _ reply: WorkerReply) throws {
            try put(file, String(decoding: try JSONEncoder().encode(reply), as: UTF8.self) + "\n")
        }
        try put("hello", .hello(protocol: WorkerProtocol.version, benchmark: name))
        try put(
            "prepared",
            replies.refusal.map { .failed(reason: $0) }
                ?? .prepared(PreparedReply(kind: replies.kind, threads: 1, outcome: .computed)))
        for (number, allocations) in replies.allocations.enumerated() {
            var report = WorkReply()
            report.counters.allocations = UInt64(allocations)
            try put(number == 0 ? "counted" : "counted.\(number + 1)", .counted(report))
        }
        var sequence = SequenceReply()
        sequence.allocations = replies.each
        try put("countedEach", .countedEach(sequence))
        try put("finished", .finished(FinishReply(figures: [], wrong: replies.wrong, wrongAnswers: [])))
        if let exit = replies.exit { try put("\(exit).exit", "") }
        func profile(_ function: String, _ cost: String) -> String {
            "events: Ir sysCount\nfn=(1) \(function)\n1 \(cost)\ntotals: \(cost)\n"
        }
        for (number, one) in replies.profiles.enumerated() {
            try put("profile.\(number + 1)", profile("work", "\(one.instructions) \(one.calls)"))
        }
        guard let (usual, others) = replies.sequence else { return }
        try put("each", "\(usual) 0\n")
        for (number, cost) in others { try put("each.\(number)", profile("tidy", "\(cost) 1")) }
    }

    /// The requests to the processes of a benchmark, by `plain.1`, `callgrind.2` and so on; the first line of each is
    /// its command line.
    func asked(_ name: String, of build: String) throws -> [String: [String]] {
        let folder = "\(scratch.path)/replies/\(build)/\(name)"
        let files = try FileManager.default.contentsOfDirectory(atPath: folder)
            .filter { $0.hasPrefix("plain.") || $0.hasPrefix("callgrind.") }
        return try Dictionary(
            uniqueKeysWithValues: files.map {
                let text = try String(contentsOfFile: "\(folder)/\($0)", encoding: .utf8)
                return ($0, text.split(separator: "\n").map(String.init))
            })
    }
}
