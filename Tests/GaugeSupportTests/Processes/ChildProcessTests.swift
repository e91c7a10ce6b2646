import Platform
import Testing

@testable import GaugeSupport

@Suite("Child processes", .timeLimit(.minutes(60)))
struct ChildProcessTests {
    private func shell(_ script: String, input: ChildProcess.Stream = .nothing, kept: Int = 1 << 20) throws
        -> ChildProcess
    {
        try ChildProcess("/bin/sh", arguments: ["-c", script], input: input, keptErrors: kept)
    }

    private func output(of child: ChildProcess) throws -> String {
        var bytes: [UInt8] = []
        while child.isReadable { try child.read(waiting: -1) { bytes.append(contentsOf: $0) } }
        return String(decoding: bytes, as: UTF8.self)
    }

    @Test("output, errors and exit code arrive") func outputErrorsAndExitCodeArrive() throws {
        let child = try shell("echo out; echo err >&2; exit 7")
        #expect(try output(of: child) == "out\n")
        #expect(child.errors.text == "err\n")
        #expect(child.wait() == .exited(code: 7) && child.wait().status == 7)
    }

    @Test("a program that reads its input ends when the input is closed")
    func aProgramThatReadsItsInputEndsWhenTheInputIsClosed() throws {
        let child = try shell("exec cat", input: .pipe)
        #expect(child.write("one\ntwo\n".utf8))
        #expect(child.wait(seconds: 0) == nil)
        child.closeInput()
        #expect(try output(of: child) == "one\ntwo\n")
        #expect(child.wait() == .exited(code: 0))
    }

    @Test("a signal is the end of a program, and minus its number the status", arguments: [SIGTERM, SIGKILL])
    func aSignalIsTheEndOfAProgramAndMinusItsNumberTheStatus(number: Int32) throws {
        let child = try shell("exec sleep 600")
        child.signal(number)
        #expect(child.wait() == .crashed(signal: number) && child.wait().status == -number)
    }

    @Test("a signal that the parent ignores is at its default in a program") func ignoredSignal() throws {
        let old = signal(SIGUSR2, SIG_IGN)
        defer { signal(SIGUSR2, old) }
        #expect(try shell("kill -USR2 $$; exit 3").wait() == .crashed(signal: SIGUSR2))
    }

    @Test("a tool is called by its name, not by its path") func toolName() {
        #expect(Tool.output(of: "sh", ["-c", "echo $0"], within: 600) == "sh\n")
    }

    @Test("a released program is killed, and so is the group that it leads") func aReleasedProgramIsKilled() throws {
        // The grandchild holds the write end of the pipe for as long as it lives.
        let ends = try ChildPipe()
        defer { close(ends.readEnd) }
        _ = fcntl(ends.writeEnd, F_SETFD, 0)
        var child: ChildProcess? = try shell("sleep 600 & exec sleep 600")
        close(ends.writeEnd)
        let identifier = try #require(child).identifier
        child = nil
        #expect(kill(identifier, 0) == -1 && errno == ESRCH)
        var byte: UInt8 = 0
        #expect(read(ends.readEnd, &byte, 1) == 0)
    }

    @Test("a program that cannot be started is an error of the system")
    func aProgramThatCannotBeStartedIsAnErrorOfTheSystem() {
        #expect(throws: SystemError(code: ENOENT)) { try ChildProcess("/nowhere/at/all", arguments: []) }
    }

    @Test("of a long output at least the stated end is kept, and at most twice as much")
    func ofALongOutputAtLeastTheStatedEndIsKept() throws {
        let child = try shell("seq 100000 >&2", kept: 1_000)
        #expect(try output(of: child) == "")
        #expect((1_000...2_001).contains(child.errors.text.utf8.count))
        #expect(child.errors.text.hasSuffix("\n99999\n100000\n"))
    }

    @Test("a program has its parent's environment with what was changed") func environment() {
        let own = ChildProcess.environment()
        let changed = ChildProcess.environment(changed: ["PATH": "/nowhere", "GAUGE_TEST": "a=b"])
        let others = own.filter { !$0.hasPrefix("PATH=") }
        #expect(changed.sorted() == (others + ["PATH=/nowhere", "GAUGE_TEST=a=b"]).sorted())
    }

    @Test("a tool has no variables of a git hook, those that were set for it, and is not asked for passwords")
    func toolEnvironment() {
        let names = ["GIT_DIR", "GIT_WORK_TREE", "GIT_INDEX_FILE", "GIT_PREFIX", "GIT_CONFIG", "PATH", "HOME"]
        let own = Dictionary(uniqueKeysWithValues: names.map { ($0, "own") })
        let environment = Tool.environment(["PATH": "set", "GIT_DIR": "set"], of: own)
        #expect(
            environment.sorted() == ["GIT_CONFIG=own", "GIT_DIR=set", "GIT_TERMINAL_PROMPT=0", "HOME=own", "PATH=set"])
    }

    @Test("an exit code may have eight bits") func exitCodes() throws {
        for code in [128, 200, 255] as [Int32] {
            #expect(try shell("exit \(code)").wait() == .exited(code: code))
        }
    }

    @Test("a wait is rounded up to whole milliseconds, and is no longer than a quarter of an hour or so")
    func pollTimes() {
        let times: [(UInt64, Int32)] = [
            (0, 1), (999_999, 1), (1_000_000, 2), (20_000_000, 21), (999_998_999_999, 999_999), (1 << 62, 1_000_000),
        ]
        for (nanoseconds, milliseconds) in times { #expect(pollMilliseconds(for: nanoseconds) == milliseconds) }
    }

    @Test("a tool that exceeds its time-out is an error, and its process is gone")
    func aToolThatExceedsItsTimeOutIsAnError() throws {
        let tool = try Tool("sleep", purpose: "time is passed")
        #expect(throws: GaugeError.self) { try tool.run(["600"], within: 0.02) }
        #expect(Tool.output(of: "sleep", ["600"], within: 0.02) == nil)
        #expect(Tool.output(of: "sh", ["-c", "echo a; exit 1"], within: 600) == nil)
        #expect(Tool.output(of: "sh", ["-c", "echo a"], within: 600) == "a\n")
        #expect(Tool.output(of: "no-such-program", [], within: 600) == nil)
    }
}
