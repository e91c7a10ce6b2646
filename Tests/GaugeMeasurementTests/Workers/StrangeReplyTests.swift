import Foundation
import Platform
import TestSupport
import Testing

@testable import GaugeMeasurement

/// A worker that answers with something else, or says something else at first.
@Suite("Strange replies of a worker") struct StrangeReplyTests {
    private static func line(_ reply: WorkerReply) throws -> String {
        String(decoding: try JSONEncoder().encode(reply), as: UTF8.self)
    }

    /// Says the first reply, and then for each request one of the others: the last to a calibration.
    private static func worker(_ replies: WorkerReply..., requests: String = "/dev/null") throws -> WorkerProcess {
        let script = """
            printf '%s\\n' "$1"
            while read -r request; do
                printf '%s\\n' "$request" >> "$0"
                case $request in
                *settle*) printf '%s\\n' "$3" ;;
                *) printf '%s\\n' "$2" ;;
                esac
            done
            """
        return try WorkerProcess(executable: "/bin/sh", arguments: ["-c", script, requests] + replies.map(Self.line))
    }

    private static let greeting = WorkerReply.hello(protocol: WorkerProtocol.version, benchmark: "a/b/c")

    @Test("each request is sent as itself, and another reply to it is told by what was asked for")
    func replies() throws {
        let scratch = try ScratchDirectory()
        let path = "\(scratch.path)/requests"
        let worker = try Self.worker(Self.greeting, .calibrated, .warm, requests: path)
        let exchanges: [(WorkerRequest, String, (WorkerProcess) throws -> Void)] = [
            (.prepare, "prepare", { _ = try $0.finishPreparing(within: 600) }),
            (.calibrate(milliseconds: 2), "calibrate", { try $0.calibrate(milliseconds: 2, within: 600) }),
            (.warmCaches(milliseconds: 3), "warm the caches", { try $0.warmCaches(milliseconds: 3, within: 600) }),
            (.slice(milliseconds: 4), "run a slice", { _ = try $0.slice(milliseconds: 4, within: 600) }),
            (.sliceEach(milliseconds: 5), "time operations", { _ = try $0.sliceEach(milliseconds: 5, within: 600) }),
            (.count(operations: 6), "count", { try $0.count(operations: 6, within: 600) }),
            (.countEach(operations: 7), "count each", { _ = try $0.countEach(operations: 7, within: 600) }),
            (.finish, "finish", { _ = try $0.finish(within: 600) }),
        ]
        try worker.beginPreparing(within: 600)
        for (_, asked, exchange) in exchanges {
            #expect(throws: WorkerFailure.misunderstood("something else when asked to \(asked)")) {
                try exchange(worker)
            }
        }
        let sent = try exchanges.map { String(decoding: try JSONEncoder().encode($0.0), as: UTF8.self) }
        #expect(try String(contentsOfFile: path, encoding: .utf8).split(separator: "\n").map(String.init) == sent)
    }

    @Test("only a greeting of the same version is one, and a failure in its place is told as such")
    func greetings() throws {
        let version = WorkerProtocol.version
        let greetings: [(WorkerReply, WorkerFailure)] = [
            (
                .hello(protocol: version + 1, benchmark: ""),
                .misunderstood("that it speaks protocol \(version + 1), not \(version)")
            ), (.warm, .misunderstood("something before its greeting")), (.failed(reason: "a"), .failed(reason: "a")),
            (.tooSlow(reason: "b"), .tooSlow(reason: "b")),
        ]
        for (reply, failure) in greetings {
            let worker = try Self.worker(reply, .warm, .warm)
            #expect(throws: failure) { try worker.greet(within: 600) }
        }
        #expect(throws: Never.self) { try Self.worker(Self.greeting, .warm, .warm).greet(within: 600) }
    }

    @Test(
        "a worker that ends is told by its end, and its last words are kept without the blanks around them",
        arguments: [("exit 3", .exited(code: 3)), ("kill -SEGV $$", .crashed(signal: SIGSEGV))]
            as [(String, WorkerFailure)])
    func ends(script: String, failure: WorkerFailure) throws {
        let worker = try WorkerProcess(executable: "/bin/sh", arguments: ["-c", "echo ' no  library ' >&2; \(script)"])
        #expect(throws: failure) { try worker.greet(within: 600) }
        #expect(worker.lastWords == "no  library")
    }

    @Test("a stream that cannot be written or read is an error of the system") func streams() {
        #expect(throws: SystemError(code: EBADF)) { try WorkerChannel(-1).send(.warm) }
        #expect(throws: SystemError(code: EBADF)) { try WorkerRequests.forEach(from: -1) { _ in true } }
    }
}
