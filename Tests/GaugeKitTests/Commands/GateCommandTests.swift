import Foundation
import Platform
import TestSupport
import Testing

@testable import GaugeSupport
@testable import GaugeVerdicts

/// A package without sources in a git repository, and a compiler that "builds" it by copying the planted executable. It
/// tests the steps of a gate around building and counting without minutes of building.
private final class PlantedPackage {
    let scratch: ScratchDirectory
    let path: String

    init() throws {
        scratch = try ScratchDirectory()
        path = "\(scratch.path)/package"
        let tools = "\(scratch.path)/tools"
        for folder in [path, tools, "\(scratch.path)/tmp"] {
            try FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: true)
        }
        for tool in ["git", "sh", "cp", "mkdir", "cat", "sleep", "touch"] {
            let found = try #require(Programs.find(tool, in: "/usr/local/bin:/usr/bin:/bin"))
            try FileManager.default.createSymbolicLink(atPath: "\(tools)/\(tool)", withDestinationPath: found)
        }
        try """
        #!/bin/sh
        scratch=
        while [ $# -gt 0 ]; do
            case $1 in
            --package-path) package=$2; shift ;;
            --scratch-path) scratch=$2; shift ;;
            --product) product=$2; shift ;;
            --show-bin-path) show=yes ;;
            esac
            shift
        done
        bin=${scratch:-$package/.build}/bin
        [ "$show" ] && { echo "$bin"; exit 0; }
        [ -e "$package/broken" ] && { echo "Building"; echo "main.swift:1:1: error: it is broken"; exit 1; }
        [ -e "$package/endless" ] && { touch "\(scratch.path)/building"; while echo going on; do sleep 1; done; }
        mkdir -p "$bin" && cp "\(RunningChild.path(of: "PlantedGauge"))" "$bin/$product"
        """.write(toFile: "\(tools)/swift.text", atomically: true, encoding: .utf8)
        // The assembler, for padding: -c FILE -o FILE.
        try "#!/bin/sh\ncp \"$2\" \"$4\"\n".write(toFile: "\(tools)/clang.text", atomically: true, encoding: .utf8)
        // Copied by another process: a file cannot be executed while this process, or a child just forked by another
        // test, has it open for writing.
        for tool in ["swift", "clang"] {
            let copy = try Process.run(
                URL(fileURLWithPath: "/bin/cp"), arguments: ["\(tools)/\(tool).text", "\(tools)/\(tool)"])
            copy.waitUntilExit()
            chmod("\(tools)/\(tool)", 0o755)
        }
        try ".build\n".write(toFile: "\(path)/.gitignore", atomically: true, encoding: .utf8)
        try git("init", "--quiet", "--initial-branch=main")
        try commit("first")
    }

    var environment: [String: String] {
        [
            "PATH": "\(scratch.path)/tools", "TMPDIR": "\(scratch.path)/tmp", "GIT_CONFIG_GLOBAL": "/dev/null",
            "GIT_CONFIG_SYSTEM": "/dev/null", "GITHUB_ACTIONS": "", "GITHUB_STEP_SUMMARY": "",
        ]
    }

    @discardableResult
    func git(_ arguments: String...) throws -> String {
        let run = try ChildRun(
            "sh", ["-c", "cd '\(path)' && exec git -c user.name=a -c user.email=a@b.c \"$@\"", "sh"] + arguments,
            environment: environment)
        try #require(run.status == 0, "\(arguments): \(run.errors)")
        return run.output
    }

    func commit(_ message: String) throws {
        try git("add", "--all")
        try git("commit", "--quiet", "--allow-empty", "--message", message)
    }

    func touch(_ name: String) throws {
        try "".write(toFile: "\(path)/\(name)", atomically: true, encoding: .utf8)
    }

    /// Starts a gate in the directory of the package. The shell replaces itself by the gate.
    func start(_ arguments: [String]) throws -> RunningChild {
        try RunningChild(
            "sh",
            ["-c", "cd '\(path)' && exec \"$@\"", "sh", RunningChild.path(of: "PlantedGauge"), "gate"] + arguments,
            environment: environment)
    }

    func gate(_ arguments: String...) throws -> (output: String, errors: String, status: Int32) {
        let child = try start(
            arguments.contains("--suite=full") ? arguments : arguments + ["--suite=full", "--filter=^planted/timed/"])
        let (output, errors) = child.collect()
        return (output, errors, child.wait())
    }

    /// The worktrees and temporary files that a gate has left behind.
    var leftovers: [String] {
        get throws {
            let worktrees = try git("worktree", "list").split(separator: "\n").dropFirst().map(String.init)
            return try worktrees + FileManager.default.contentsOfDirectory(atPath: "\(scratch.path)/tmp")
        }
    }
}

@Suite("Command gate", .timeLimit(.minutes(5))) struct GateCommandTests {
    @Test("two builds of the same sources differ in no count, and nothing is left behind")
    func same() throws {
        let package = try PlantedPackage()
        let gate = try package.gate("--base", "main", "--counts", "--require", "memory hits,misses")
        #expect(gate.status == 0, "\(gate.errors)\(gate.output)")
        #expect(gate.output.contains("memory hits"), "\(gate.output)")
        #expect(gate.output.contains(" 0 regressed, 0 improved, "), "\(gate.output)")
        #expect(gate.output.contains("planted/timed/tiered"))
        #expect(!gate.output.contains("planted/timed/peer"))
        #expect(gate.errors.contains("valgrind, which is not installed"), "\(gate.errors)")
        #expect(try package.leftovers == [])
    }

    @Test("without valgrind instructions are not comparable, which fails where they are required")
    func required() throws {
        let package = try PlantedPackage()
        let gate = try package.gate("--base", "HEAD", "--counts", "--require", "instructions")
        #expect(gate.status == 5, "\(gate.errors)\(gate.output)")
        #expect(gate.errors.contains("planted/timed/tiered: instructions is required and not comparable"))
        #expect(try package.leftovers == [])
    }

    @Test("a working tree with changes is said to have them")
    func dirty() throws {
        let package = try PlantedPackage()
        try package.touch("new")
        let gate = try package.gate("--base", "HEAD", "--counts")
        #expect(gate.status == 0, "\(gate.errors)\(gate.output)")
        #expect(gate.output.contains("with changes that are not committed"), "\(gate.output)")
    }

    @Test("a base that does not build is one line, which names it and the compiler's reason")
    func broken() throws {
        let package = try PlantedPackage()
        try package.touch("broken")
        try package.commit("broken")
        let commit = try package.git("rev-parse", "HEAD").prefix(12)
        try package.git("rm", "--quiet", "broken")
        try package.commit("mended")
        let gate = try package.gate("--base", "HEAD~1", "--counts")
        #expect(gate.status == 1)
        #expect(gate.errors.split(separator: "\n").count == 1)
        #expect(
            gate.errors.contains("the base \(commit) does not build: main.swift:1:1: error: it is broken"),
            "\(gate.errors)")
        #expect(try package.leftovers == [])
    }

    @Test("an unknown revision, no repository and missing tools are one line each")
    func troubles() throws {
        let package = try PlantedPackage()
        let unknown = try package.gate("--base", "nonesuch", "--counts")
        #expect(unknown.status == 64)
        #expect(unknown.errors.contains("there is no revision 'nonesuch' here; give a commit, a branch or a tag"))
        let option = try package.gate("--base=--help", "--counts")
        #expect(option.status == 64, "\(option.errors)")
        #expect(unknown.errors.split(separator: "\n").count == 1 && option.errors.split(separator: "\n").count == 1)

        unlink("\(package.scratch.path)/tools/swift")
        let compiler = try package.gate("--base", "HEAD", "--counts")
        #expect(compiler.status == 1)
        #expect(compiler.errors.contains("executables are built by swift, which is not in PATH; install it"))
        try FileManager.default.removeItem(atPath: "\(package.path)/.git")
        let nowhere = try package.gate("--base", "HEAD", "--counts")
        #expect(nowhere.status == 1)
        #expect(nowhere.errors.contains("is in no git repository that can be read"), "\(nowhere.errors)")
        unlink("\(package.scratch.path)/tools/git")
        let git = try package.gate("--base", "HEAD", "--counts")
        #expect(git.status == 1)
        #expect(git.errors.contains("revisions are checked out by git, which is not in PATH"), "\(git.errors)")
        #expect(try FileManager.default.contentsOfDirectory(atPath: "\(package.scratch.path)/tmp") == [])
    }

    @Test("a revision that a shallow clone does not hold is told with what fetches it")
    func shallow() throws {
        let package = try PlantedPackage()
        try package.commit("second")
        let first = try package.git("rev-parse", "HEAD~1").prefix(40)
        let clone = "\(package.scratch.path)/clone"
        try package.git("clone", "--quiet", "--depth=1", "file://\(package.path)", clone)
        let commit = String(first)
        #expect(
            performing: {
                try Repository(around: clone).commit(commit)
            }, throws: { "\($0)".contains("git fetch --unshallow") })
    }

    @Test(
        "an interrupted gate ends the build, removes the worktree and tells the signal", arguments: [SIGINT, SIGTERM])
    func interrupted(signal: Int32) throws {
        let package = try PlantedPackage()
        try package.touch("endless")
        try package.commit("endless")
        try package.git("rm", "--quiet", "endless")
        try package.commit("mended")
        let child = try package.start(["--base", "HEAD~1", "--counts"])
        while access("\(package.scratch.path)/building", F_OK) != 0 { sched_yield() }
        #expect(try package.leftovers.count == 2)
        kill(child.process, signal)
        _ = child.collect()
        #expect(child.wait() == 128 + signal)
        #expect(try package.leftovers == [])
    }

    @Test("the next gate removes what one that was killed has left behind, and no other worktree")
    func killed() throws {
        let package = try PlantedPackage()
        let own = "\(package.scratch.path)/own"
        try package.git("worktree", "add", "--quiet", "--detach", own)
        try package.touch("endless")
        try package.commit("endless")
        try package.git("rm", "--quiet", "endless")
        try package.commit("mended")
        let child = try package.start(["--base", "HEAD~1", "--counts"])
        while access("\(package.scratch.path)/building", F_OK) != 0 { sched_yield() }
        // The build ends when it writes to the closed pipe.
        kill(child.process, SIGKILL)
        #expect(child.wait() == -SIGKILL)
        #expect(try package.leftovers.count == 3)
        let gate = try package.gate("--base", "HEAD~2", "--counts")
        #expect(gate.status == 0, "\(gate.errors)")
        let left = try package.leftovers
        #expect(left.count == 1 && left[0].hasPrefix(own), "\(left)")
    }

    @Test("without --counts time is judged as well, and too little of it is no verdict and no pass where that matters")
    func time() throws {
        let package = try PlantedPackage()
        // Eight sets of slices take at least two seconds.
        let gate = try package.gate("--base", "main", "--seconds", "1")
        #expect(gate.status == 0, "\(gate.errors)\(gate.output)")
        let verdicts = "time of 1 benchmarks: 0 regressed by more than 1.0 %, 0 improved, 0 equivalent, 1 inconclusive"
        #expect(gate.output.contains(verdicts), "\(gate.output)")
        #expect(gate.errors.contains("warning: of 1 benchmarks the time is not judged"), "\(gate.errors)")
        #expect(try package.gate("--base", "main", "--seconds", "1", "--strict").status == 7)
        #expect(try package.leftovers == [])
    }

    @Test(
        "a command line that asks for what there is not is refused before anything is built",
        arguments: [
            [], ["--counts"], ["--base", "HEAD", "--self-test"], ["--self-test", "--seconds", "61"],
            ["--base", "HEAD", "--counts", "--require", "time"],
            ["--base", "HEAD", "--counts", "--filter", "nonesuch"],
        ])
    func usage(arguments: [String]) throws {
        let package = try PlantedPackage()
        let child = try package.start(arguments)
        _ = child.collect()
        #expect(child.wait() == 64)
        #expect(try package.leftovers == [])
    }
}
