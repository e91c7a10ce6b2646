import Foundation
import GaugeSupport
import Platform
import TestSupport
import Testing

@testable import GaugeMeasurement

@Suite("Environment of a run") struct RunEnvironmentTests {
    private var environment: RunEnvironment {
        var environment = RunEnvironment(
            settings: RunSettings(seed: 9, memory: ByteSize(bytes: 1 << 20), disk: ByteSize(bytes: 3 << 20)),
            directory: "/tmp")
        environment.arguments = ["run", "--seed=9"]
        environment.subjects = ["peer: as it comes"]
        return environment
    }

    @Test("people read the machine, both capacities, the seed and the build, and then the subjects") func summary() {
        let environment = environment
        let lines = environment.summary.split(separator: "\n").map(String.init)
        #expect(lines.count == 3)
        #expect(lines[0].hasPrefix("\(environment.processorName), \(environment.processors) processors; "))
        #expect(
            lines[0].hasSuffix(
                "memory tier 1 MiB, disk tier 3 MiB on \(environment.fileSystem ?? "an unknown file system"); seed 9; "
                    + "reading the clock takes \(environment.clockNanoseconds) ns"))
        #expect(lines[1] == "\(environment.kernel), \(environment.build)")
        #expect(lines[2] == "peer: as it comes")
        #expect(environment.build.hasPrefix("Swift \(SwiftVersion.compiler) "))
        #expect(environment.build.contains(" build, revision \(environment.revision.description)"))
    }

    @Test("programs read each fact under its own name") func members() throws {
        let environment = environment
        let members = environment.members
        let texts = [
            "date": environment.date, "host_name": environment.host, "executable": environment.executable,
            "cpu_model": environment.processorName, "architecture": environment.machine,
            "kernel": environment.kernel, "swift_version": SwiftVersion.compiler, "seed": "9",
        ]
        for (name, text) in texts { #expect(members[name] == .text(text), "\(name)") }
        #expect(members["num_cpus"] == .whole(environment.processors))
        #expect(members["mhz_per_cpu"] == .whole(environment.megahertz))
        #expect(members["load_avg"] == .list(environment.load.map { .number($0) }))
        #expect(members["arguments"] == .list([.text("run"), .text("--seed=9")]))
        #expect(members["clock_nanoseconds"] == .whole(environment.clockNanoseconds))
        #expect(members["preloaded"] == .list(environment.preloaded.map { .text($0) }))
        #expect(members["file_system"] == environment.fileSystem.map { .text($0) } ?? .null)
        #expect(members["git_revision"] == environment.revision.commit.map { .text($0) } ?? .null)
        #expect(members["git_dirty"] == environment.revision.isDirty.map { .flag($0) } ?? .null)
        #if DEBUG
        #expect(members["library_build_type"] == .text("debug"))
        #expect(environment.warnings.first == "this is a debug build; build with -c release")
        #else
        #expect(members["library_build_type"] == .text("release"))
        #endif
        #expect(members.count == 18)
        #if os(Linux)
        #expect(environment.kernel.hasPrefix("Linux ") && !environment.machine.isEmpty)
        #expect(environment.load.count == 3 && environment.machine != environment.kernel)
        #endif
    }

    @Test("the processor is the first of its list, to a megahertz, and what the list lacks is unknown or 0")
    func processor() {
        for (list, name, megahertz) in [
            (
                "processor\t: 0\nmodel name\t: One @ 2.40GHz\ncpu MHz\t\t: 2399.6\n\nprocessor\t: 1\n"
                    + "model name\t: Other\ncpu MHz\t\t: 1200\n", "One @ 2.40GHz", 2_400
            ),
            ("cpu MHz : 1000.4", "unknown processor", 1_000), ("model name: A", "A", 0),
            ("model name: A\ncpu MHz: fast", "A", 0), ("", "unknown processor", 0),
        ] {
            let processor = RunEnvironment.processor(list)
            #expect(processor.name == name && processor.megahertz == megahertz, "\(list)")
        }
    }

    @Test("a reading of the clock takes the least of several averages, to a nanosecond") func clock() {
        for (averages, nanoseconds) in [([30, 20.6, 25], 21), ([20.4], 20), ([0.5, 9], 1), ([], 0)] {
            #expect(RunEnvironment.best(ofAverages: averages) == nanoseconds, "\(averages)")
        }
    }

    @Test("the libraries are those that the variable of the dynamic linker names") func preloaded() {
        for (variables, names) in [
            (["LD_PRELOAD": "/a/liba.so:/b/libb.so", "PRELOAD": "/c.so"], ["liba.so", "libb.so"]), ([:], []),
        ] {
            let environment = RunEnvironment(settings: RunSettings(), directory: nil, variables: variables)
            #expect(environment.preloaded == names)
            #expect(environment.members["preloaded"] == .list(names.map { .text($0) }))
            #expect(environment.build.hasSuffix("; preloaded: liba.so, libb.so") == !names.isEmpty)
            #expect(environment.build.contains("preloaded") == !names.isEmpty)
        }
    }

    @Test("a workload has its line before those of the subjects") func workload() throws {
        let load = OfferedLoad(arguments: [], summary: "a workload\nof two lines", isPaced: false)
        var environment = RunEnvironment(settings: RunSettings(load: load), directory: nil)
        environment.subjects = ["a: b", "c: d"]
        let lines = environment.summary.split(separator: "\n").map(String.init)
        #expect(Array(lines.dropFirst(2)) == load.summary.split(separator: "\n").map(String.init) + ["a: b", "c: d"])
        #expect(environment.fileSystem == nil && environment.members["file_system"] == .null)
        #expect(lines[0].contains(" on an unknown file system; seed 1; "))
    }

    @Test(
        "a directory in memory is a warning, and one elsewhere is none",
        .enabled(if: fileSystemType(at: "/dev/shm") == "tmpfs"))
    func inMemory() {
        func warnings(_ directory: String?) -> [String] {
            RunEnvironment(settings: RunSettings(), directory: directory).warnings.filter { !$0.contains("debug") }
        }
        #expect(warnings("/dev/shm") == ["the directory is in memory (tmpfs); name one on a disk with --directory"])
        #expect(warnings("/proc").isEmpty && warnings(nil).isEmpty)
    }

    @Test("a revision has the first twelve digits of its commit, and tells of changes") func revision() throws {
        let scratch = try ScratchDirectory()
        func git(_ arguments: String...) throws {
            let variables = ["GIT_CONFIG_GLOBAL": "/dev/null", "GIT_CONFIG_NOSYSTEM": "1"]
            let identity = ["-c", "user.name=a", "-c", "user.email=a@b.example", "-C", scratch.path]
            let outcome = try Tool("git", purpose: "a revision is made")
                .run(identity + arguments, variables: variables, within: 600)
            try #require(outcome.status == 0, "\(outcome.errors)")
        }
        try git("init", "--quiet")
        #expect(SourceRevision(of: scratch.path) == .unknown)
        try git("commit", "--quiet", "--allow-empty", "-m", "one")
        let clean = SourceRevision(of: scratch.path)
        let commit = try #require(clean.commit)
        #expect([40, 64].contains(commit.utf8.count) && clean.isDirty == false)
        #expect(clean.description == String(commit.prefix(12)))
        try Data().write(to: URL(fileURLWithPath: "\(scratch.path)/new"))
        try git("config", "status.showUntrackedFiles", "no")
        let dirty = SourceRevision(of: scratch.path)
        #expect(dirty.commit == commit && dirty.isDirty == true)
        #expect(dirty.description == "\(commit.prefix(12)) with changes that are not committed")
        #expect(SourceRevision.unknown.description == "unknown (no git, or no repository around the executable)")

        // The executable was built at 1,000 s.
        func touch(_ name: String, _ seconds: Double) throws -> String {
            let path = "\(scratch.path)/\(name)"
            let manager = FileManager.default
            try manager.createDirectory(
                atPath: (path as NSString).deletingLastPathComponent, withIntermediateDirectories: true)
            if !manager.fileExists(atPath: path) { try Data().write(to: URL(fileURLWithPath: path)) }
            try manager.setAttributes([.modificationDate: Date(timeIntervalSince1970: seconds)], ofItemAtPath: path)
            return path
        }
        let executable = try touch("built", 1000)
        for (name, seconds) in [
            ("a b/c.swift", 1000.0), ("Tests/t.swift", 2000), ("x/Tests/t.swift", 2000), ("n.md", 2000),
        ] { _ = try touch(name, seconds) }
        try git("add", ".")
        try git("commit", "--quiet", "-m", "two")
        let current = SourceRevision(of: "\(scratch.path)/a b", executable: executable)
        #expect(current.isDirty == false && current.newerSource == nil && current.commit != commit)
        _ = try touch("a b/c.swift", 1001)
        let older = SourceRevision(of: "\(scratch.path)/a b", executable: executable)
        #expect(older.isDirty == true && older.commit == current.commit)
        #expect(older.description == "\(current.description) or before (a b/c.swift is newer than the executable)")
        // A file that is gone has no age, and neither has an executable that is not there.
        try FileManager.default.removeItem(atPath: "\(scratch.path)/a b/c.swift")
        let removed = SourceRevision(of: scratch.path, executable: executable)
        #expect(removed.newerSource == nil && removed.isDirty == true)
        #expect(SourceRevision(of: scratch.path, executable: "\(scratch.path)/none").newerSource == nil)
    }
}
