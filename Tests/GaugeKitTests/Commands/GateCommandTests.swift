import Foundation
import Platform
import TestSupport
import Testing

@testable import GaugeSupport
@testable import GaugeMeasurement

@Suite("Command gate", .timeLimit(.minutes(60))) struct GateCommandTests {
    @Test("two builds of the same sources differ in no count, and nothing is left behind") func same() throws {
        let package = try PlantedPackage()
        let gate = try package.gate("--base", "main", "--counts", "--require", "memory hits,misses")
        #expect(gate.status == 0, "\(gate.errors)\(gate.output)")
        #expect(gate.output.contains("memory hits"), "\(gate.output)")
        #expect(gate.output.contains(" 0 worse, 0 better, "), "\(gate.output)")
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

    @Test("a benchmark that only one of the builds has is told as new or gone, also where it is the only one chosen")
    func oneSided() throws {
        let package = try PlantedPackage()
        let arguments = ["--base", "HEAD", "--counts", "--suite=full", "--filter=^planted/more/"]
        func gate() throws -> String {
            let child = try package.start(arguments, build: "more")
            let (output, errors) = child.collect()
            #expect(child.wait() == 0, "\(errors)\(output)")
            return output
        }
        try package.choose(build: "plain")
        try package.commit("without more")
        try package.choose(build: "more")
        #expect(try gate().contains("the base has no such benchmark"))
        try package.commit("with more")
        try package.choose(build: "plain")
        #expect(try gate().contains("the benchmark is gone"))
    }

    @Test("a base is built once, and anew only where a package beside the repository has changed")
    func kept() throws {
        let package = try PlantedPackage()
        let other = "\(package.scratch.path)/Other"
        try FileManager.default.createDirectory(atPath: other, withIntermediateDirectories: true)
        try "../Other".write(toFile: "\(package.path)/uses", atomically: true, encoding: .utf8)
        try package.commit("uses another package")
        try package.git("init", "--quiet", other)
        var expected = 0
        for (commits, text, isBuilt) in [
            (true, "one", true), (false, "one", false), (true, "two", true), (false, "two", false),
            (false, "three", true), (false, "three", true),
        ] {
            try text.write(toFile: "\(other)/code", atomically: true, encoding: .utf8)
            if commits {
                try package.git("-C", other, "add", "--all")
                try package.git("-C", other, "commit", "--quiet", "--message", text)
            }
            let gate = try package.gate("--base", "HEAD", "--counts")
            #expect(gate.status == 0, "\(gate.errors)\(gate.output)")
            expected += isBuilt ? 1 : 0
            #expect(try package.builtBases == expected, "\(text), \(commits)")
        }
        #expect(try package.leftovers == [])
    }

    @Test("a base without pins is built anew where the working tree's dependencies are newer") func pins() throws {
        let package = try PlantedPackage()
        for (newest, bases) in [("1.0", 1), ("1.0", 1), ("1.1", 2), ("1.1", 2)] {
            try package.choose(newest: newest)
            unlink("\(package.path)/Package.resolved")
            let gate = try package.gate("--base", "HEAD", "--counts")
            #expect(gate.status == 0, "\(gate.errors)\(gate.output)")
            #expect(try package.builtBases == bases, "\(newest)")
        }
    }

    @Test("a gate that is interrupted while it measures says how far it came", arguments: [true, false])
    func interrupted(isCounting: Bool) throws {
        let package = try PlantedPackage()
        let child = try package.start([
            "--base", "HEAD", isCounting ? "--counts" : "--times", "--suite=full", "--filter=^planted/hang-subject/",
        ])
        package.waitForHanging()
        kill(child.process, SIGINT)
        let (output, errors) = child.collect()
        #expect(child.wait() == 130)
        if isCounting {
            #expect(errors.contains("interrupted, after 0 of 4 counts\n"), "\(errors)")
        } else {
            let told = output.replacing("\n", with: " ")
            #expect(told.contains("planted/hang-subject/tiered  inconclusive"), "\(output)")
            #expect(told.contains("interrupted; these are the verdicts so far"), "\(output)")
        }
        #expect(try package.leftovers == [])
    }

    @Test("a working tree with changes is said to have them") func dirty() throws {
        let package = try PlantedPackage()
        try package.touch("new")
        let gate = try package.gate("--base", "HEAD", "--counts")
        #expect(gate.status == 0, "\(gate.errors)\(gate.output)")
        #expect(gate.output.contains("with changes that are not committed"), "\(gate.output)")
    }

    @Test("a base that does not build is one line, which names it and the compiler's reason") func broken() throws {
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

    @Test("an unknown revision, no repository and missing tools are one line each") func troubles() throws {
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

    @Test("a revision that a shallow clone does not hold is told with what fetches it") func shallow() throws {
        let package = try PlantedPackage()
        try package.commit("second")
        let first = try package.git("rev-parse", "HEAD~1").prefix(40)
        let folder = "\(package.path)/Benchmarks"
        try FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: true)
        #expect(try Repository(around: folder).package(in: "/base") == "/base/Benchmarks")
        #expect(try Repository(around: package.path).package(in: "/base") == "/base")
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
        while access("\(package.scratch.path)/building", F_OK) != 0 { usleep(1_000) }
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
        while access("\(package.scratch.path)/building", F_OK) != 0 { usleep(1_000) }
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
        let verdicts = "time of 1 benchmark: 0 worse by more than 1.0 %, 0 better, 0 equivalent, 1 inconclusive"
        #expect(gate.output.contains(verdicts), "\(gate.output)")
        #expect(gate.errors.contains("times are not judged; see their verdicts"), "\(gate.errors)")
        #expect(try package.gate("--base", "main", "--seconds", "1", "--times", "--strict").status == 7)
        // What counts lack fails the gate beside times as well.
        #expect(try package.gate("--base", "main", "--seconds", "1", "--require", "instructions").status == 5)
        #expect(try package.leftovers == [])
    }

    @Test(
        "a command line that asks for what there is not is refused before anything is built",
        arguments: [
            [], ["--counts"], ["--base", "HEAD", "--self-test"], ["--self-test", "--seconds", "61"],
            ["--base", "HEAD", "--counts", "--require", "time"],
            ["--base", "HEAD", "--counts", "--filter", "nonesuch"],
            ["--base", "HEAD", "--times", "--filter", "nonesuch"],
        ])
    func usage(arguments: [String]) throws {
        let package = try PlantedPackage()
        let child = try package.start(arguments)
        _ = child.collect()
        #expect(child.wait() == 64)
        #expect(try package.leftovers == [])
    }
}
