import Foundation
import GaugeSupport
import Platform

/// The machine, system and build behind a run's figures, which mean nothing without it.
package struct RunEnvironment {
    package var settings: RunSettings
    package let date: String
    package let host: String
    package let executable: String
    /// The options of the run, as they were written.
    package var arguments: [String]
    /// Name and release: `Linux 6.1.0`.
    package let kernel: String
    /// The architecture, as the system names it: `x86_64`.
    package let machine: String
    package let revision: SourceRevision
    package let processors: Int
    package let processorName: String
    /// 0 if the system doesn't say.
    package let megahertz: Int
    /// Load averages over 1, 5 and 15 minutes.
    package let load: [Double]
    /// The file system of the disk tiers' directory; `nil` if there's no such directory or it is unknown.
    package let fileSystem: String?
    /// The file names of preloaded libraries, usually another allocator.
    package let preloaded: [String]
    package let isDebugBuild: Bool
    /// The shortest time between two readings of the clock, nanoseconds, which every operation timed alone includes.
    package let clockNanoseconds: Int

    package init(
        settings: RunSettings, directory: String?, variables: [String: String] = ProcessInfo.processInfo.environment
    ) {
        self.settings = settings
        date = ISO8601DateFormatter().string(from: Date())
        host = ProcessInfo.processInfo.hostName
        // Without its folder: results are shared, and the path of a home directory is private.
        executable = CommandLine.arguments.first?.split(separator: "/").last.map(String.init) ?? ""
        arguments = Array(CommandLine.arguments.dropFirst())
        (kernel, machine) = Self.system()
        revision = .own
        processors = ProcessInfo.processInfo.activeProcessorCount
        (processorName, megahertz) = Self.processor(ProcFile.contents("/proc/cpuinfo"))
        var averages = [0.0, 0.0, 0.0]
        load = getloadavg(&averages, 3) == 3 ? averages : []
        fileSystem = directory.flatMap { fileSystemType(at: $0) }
        preloaded = Self.fileNames(ofLibraries: variables["LD_PRELOAD"] ?? "")
        clockNanoseconds = Self.best(ofAverages: Self.clockAverages())
        #if DEBUG
        isDebugBuild = true
        #else
        isDebugBuild = false
        #endif
    }

    /// The name and the megahertz of the first processor in `/proc/cpuinfo`.
    static func processor(_ description: String) -> (name: String, megahertz: Int) {
        let lines = description.split(separator: "\n")
        func value(_ name: String) -> String? {
            let line = lines.first { $0.hasPrefix(name) }
            return line?.split(separator: ":").last.map { $0.trimmingCharacters(in: .whitespaces) }
        }
        let megahertz = value("cpu MHz").flatMap(Double.init).map { Int($0.rounded()) } ?? 0
        return (value("model name") ?? "unknown processor", megahertz)
    }

    /// Averages of a thousand pairs of readings each, since the clock's step may be longer than one reading.
    private static func clockAverages() -> [Double] {
        (0..<20).map { _ in
            let start = LatencyRecorder.now()
            for _ in 0..<1_000 { blackHole(LatencyRecorder.now()) }
            return Double(LatencyRecorder.now() - start) / 1_001
        }
    }

    /// The smallest of several averages, whole nanoseconds.
    static func best(ofAverages averages: [Double]) -> Int { Int(averages.min()?.rounded() ?? 0) }

    /// The file names in a list of paths, separated as for the dynamic linker. The list comes from the environment, so
    /// control characters become question marks.
    package static func fileNames(ofLibraries list: String) -> [String] {
        list.split { $0 == ":" || $0 == " " }.map { path in
            let name = path.split(separator: "/").last ?? path
            return String(name.unicodeScalars.map { 0x21...0x7E ~= $0.value ? Character($0) : "?" })
        }
    }

    static func system() -> (kernel: String, machine: String) {
        var names = utsname()
        guard uname(&names) == 0 else { return ("unknown", "unknown") }
        func text(_ field: some Any) -> String {
            withUnsafeBytes(of: field) { String(decoding: $0.prefix { $0 != 0 }, as: UTF8.self) }
        }
        return ("\(text(names.sysname)) \(text(names.release))", text(names.machine))
    }

    /// The configurations of the run's subjects, if they report them: `sqlite: SQLite 3.40.1: …`.
    package var subjects: [String] = []

    /// The measured build and the libraries preloaded into it, for people.
    package var build: String {
        "Swift \(SwiftVersion.compiler) \(isDebugBuild ? "debug" : "release") build, revision \(revision.description)"
            + (preloaded.isEmpty ? "" : "; preloaded: \(preloaded.joined(separator: ", "))")
    }

    /// Lines for people, printed above the table.
    package var summary: String {
        """
        \(processorName), \(processors) processors; memory tier \(settings.memory), disk tier \(settings.disk) \
        on \(fileSystem ?? "an unknown file system"); seed \(settings.seed); reading the clock takes \(clockNanoseconds) ns
        \(kernel), \(build)

        """ + (settings.load.map { $0.summary + "\n" } ?? "") + subjects.map { $0 + "\n" }.joined()
    }

    /// Reasons to trust the figures less.
    package var warnings: [String] {
        [isDebugBuild ? "this is a debug build; build with -c release" : nil, memoryWarning].compactMap(\.self)
    }

    /// `nil` unless the disk tiers' directory is in memory.
    package var memoryWarning: String? {
        guard let fileSystem, ["tmpfs", "ramfs"].contains(fileSystem) else { return nil }
        return "the directory is in memory (\(fileSystem)); name one on a disk with --directory"
    }
}

extension RunEnvironment {
    /// The members that describe the environment in every result, named as in Google Benchmark's context where
    /// possible.
    package var members: [String: JSONValue] {
        [
            "date": .text(date), "host_name": .text(host), "executable": .text(executable),
            "num_cpus": .whole(processors), "mhz_per_cpu": .whole(megahertz),
            "load_avg": .list(load.map { .number($0) }),
            "library_build_type": .text(isDebugBuild ? "debug" : "release"),
            "arguments": .list(arguments.map { .text($0) }), "cpu_model": .text(processorName),
            "architecture": .text(machine), "kernel": .text(kernel), "swift_version": .text(SwiftVersion.compiler),
            "git_revision": revision.commit.map { .text($0) } ?? .null,
            "git_dirty": revision.isDirty.map { .flag($0) } ?? .null,
            "file_system": fileSystem.map { .text($0) } ?? .null, "clock_nanoseconds": .whole(clockNanoseconds),
            "preloaded": .list(preloaded.map { .text($0) }),
            "seed": .text(String(settings.seed)),
        ]
    }
}
