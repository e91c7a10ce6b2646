import Foundation
import Platform
import TestSupport
import Testing

@testable import GaugeSupport

/// A package without sources in a git repository, and a compiler that "builds" it by copying the planted executable. It
/// tests the steps of a gate around building and counting without minutes of building.
final class PlantedPackage {
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
        scratch= planted="\(RunningChild.path(of: "PlantedGauge"))"
        while [ $# -gt 0 ]; do
            case $1 in
            --package-path) package=$2; shift ;;
            --scratch-path) scratch=$2; shift ;;
            --product) product=$2; shift ;;
            --show-bin-path) show=yes ;;
            esac
            shift
        done
        scratch=${scratch:-$package/.build}
        bin=$scratch/bin
        [ "$show" ] && { echo "$bin"; exit 0; }
        [ -e "$package/broken" ] && { echo "Building"; echo "main.swift:1:1: error: it is broken"; exit 1; }
        [ -e "$package/endless" ] && { touch "\(scratch.path)/building"; while echo going on; do sleep 1; done; }
        echo "$package" >>"\(scratch.path)/built"
        [ -e "$package/Package.resolved" ] || cp "\(scratch.path)/newest" "$package/Package.resolved" 2>/dev/null
        [ -e "$package/uses" ] && uses='{"state": {"path": "'$package/$(cat "$package/uses")'"}}'
        mkdir -p "$bin" && echo '{"object": {"dependencies": ['"$uses"']}}' >"$scratch/workspace-state.json"
        mkdir -p "$bin" && cp "$planted" "$bin/$product"
        [ -e "$package/build" ] || exit 0
        echo "#!/bin/sh" >"$bin/$product"
        echo "PLANTED_BUILD=$(cat "$package/build") exec '$planted' \"\\$@\"" >>"$bin/$product"
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

    /// Makes the executable that is "built" from here on that build of the planted one.
    func choose(build: String) throws {
        try build.write(toFile: "\(path)/build", atomically: true, encoding: .utf8)
    }

    func touch(_ name: String) throws {
        try "".write(toFile: "\(path)/\(name)", atomically: true, encoding: .utf8)
    }

    /// Starts a command in the directory of the package. The shell replaces itself by the command.
    func start(_ arguments: [String], command: String = "gate", build: String = "") throws -> RunningChild {
        try RunningChild(
            "sh",
            ["-c", "cd '\(path)' && exec \"$@\"", "sh", RunningChild.path(of: "PlantedGauge"), command] + arguments,
            environment: environment.merging(["PLANTED_BUILD": build]) { $1 })
    }

    func gate(_ arguments: String...) throws -> (output: String, errors: String, status: Int32) {
        let child = try start(
            arguments.contains("--suite=full") ? arguments : arguments + ["--suite=full", "--filter=^planted/timed/"])
        let (output, errors) = child.collect()
        return (output, errors, child.wait())
    }

    /// What builds from here on take for dependencies without pins.
    func choose(newest: String) throws {
        try newest.write(toFile: "\(scratch.path)/newest", atomically: true, encoding: .utf8)
    }

    /// How many bases were built.
    var builtBases: Int {
        get throws {
            let built = try String(contentsOfFile: "\(scratch.path)/built", encoding: .utf8).split(separator: "\n")
            return built.count { $0 != path }
        }
    }

    /// Waits until a worker hangs (see `Misdeeds.hang`).
    func waitForHanging() {
        func isHanging() -> Bool {
            let files = FileManager.default.enumerator(atPath: "\(scratch.path)/tmp")
            return files?.contains { "\($0)".hasSuffix("/hanging") } == true
        }
        while !isHanging() { usleep(1_000) }
    }

    /// The worktrees and temporary files that a gate has left behind.
    var leftovers: [String] {
        get throws {
            let worktrees = try git("worktree", "list").split(separator: "\n").dropFirst().map(String.init)
            return try worktrees + FileManager.default.contentsOfDirectory(atPath: "\(scratch.path)/tmp")
        }
    }
}
