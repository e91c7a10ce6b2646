import Foundation
import Platform

/// Where the figures come from: no figure means anything without it.
struct RunEnvironment {
    let settings: RunSettings
    let date: String
    let host: String
    let executable: String
    /// The options of the run, as they were written.
    var arguments: [String]
    /// Name and release: `Linux 6.1.0`.
    let kernel: String
    /// The architecture, as the system names it: `x86_64`.
    let machine: String
    let revision: SourceRevision
    let processors: Int
    let processorName: String
    /// 0 when the system does not say.
    let megahertz: Int
    /// Over 1, 5 and 15 minutes.
    let load: [Double]
    /// Of the directory of the disk tiers; `nil` when there is none, or nobody knows.
    let fileSystem: String?
    /// Libraries that were loaded before all others, by their file names: another allocator, mostly.
    let preloaded: [String]
    let isDebugBuild: Bool
    /// The shortest time between two readings of the clock, nanoseconds: contained in every operation timed alone.
    let clockNanoseconds: Int

    init(settings: RunSettings, directory: String?) {
        self.settings = settings
        date = ISO8601DateFormatter().string(from: Date())
        host = ProcessInfo.processInfo.hostName
        // Without its folder: results are shared, and where somebody keeps their work is nobody's business.
        executable = CommandLine.arguments.first?.split(separator: "/").last.map(String.init) ?? ""
        arguments = Array(CommandLine.arguments.dropFirst())
        (kernel, machine) = Self.system()
        revision = .own
        processors = ProcessInfo.processInfo.activeProcessorCount
        let description = ProcFile.contents("/proc/cpuinfo").split(separator: "\n")
        func value(_ name: String) -> String? {
            let line = description.first { $0.hasPrefix(name) }
            return line?.split(separator: ":").last.map { $0.trimmingCharacters(in: .whitespaces) }
        }
        processorName = value("model name") ?? "unknown processor"
        megahertz = value("cpu MHz").flatMap(Double.init).map { Int($0.rounded()) } ?? 0
        var averages = [0.0, 0.0, 0.0]
        load = getloadavg(&averages, 3) == 3 ? averages : []
        fileSystem = directory.flatMap { fileSystemType(at: $0) }
        preloaded = Self.fileNames(ofLibraries: ProcessInfo.processInfo.environment["LD_PRELOAD"] ?? "")
        clockNanoseconds = Self.measureClock()
        #if DEBUG
        isDebugBuild = true
        #else
        isDebugBuild = false
        #endif
    }

    /// A thousand pairs of readings, averaged, since the clock's own step may be longer than a reading; the best of some.
    private static func measureClock() -> Int {
        let averages = (0..<20).map { _ in
            let start = LatencyRecorder.now()
            for _ in 0..<1_000 { blackHole(LatencyRecorder.now()) }
            return Double(LatencyRecorder.now() - start) / 1_001
        }
        return Int(averages.min()?.rounded() ?? 0)
    }

    /// The last parts of paths as the dynamic linker separates them. They come from outside, so what a terminal would not
    /// show as it is becomes a question mark.
    static func fileNames(ofLibraries list: String) -> [String] {
        list.split { $0 == ":" || $0 == " " }.map { path in
            let name = path.split(separator: "/").last ?? path
            return String(name.unicodeScalars.map { 0x21...0x7E ~= $0.value ? Character($0) : "?" })
        }
    }

    private static func system() -> (kernel: String, machine: String) {
        var names = utsname()
        guard uname(&names) == 0 else { return ("unknown", "unknown") }
        func text(_ field: some Any) -> String {
            withUnsafeBytes(of: field) { String(decoding: $0.prefix { $0 != 0 }, as: UTF8.self) }
        }
        return ("\(text(names.sysname)) \(text(names.release))", text(names.machine))
    }

    /// How the subjects of the run are set up, those that say so: `sqlite: SQLite 3.40.1: …`.
    var subjects: [String] = []

    /// Which build of what is measured, and what was loaded before it, for people.
    var build: String {
        "Swift \(SwiftVersion.compiler) \(isDebugBuild ? "debug" : "release") build, revision \(revision.description)"
            + (preloaded.isEmpty ? "" : "; preloaded: \(preloaded.joined(separator: ", "))")
    }

    /// Lines for people, above the table.
    var summary: String {
        """
        \(processorName), \(processors) processors; memory tier \(settings.memory), disk tier \(settings.disk) \
        on \(fileSystem ?? "an unknown file system"); seed \(settings.seed); reading the clock takes \(clockNanoseconds) ns
        \(kernel), \(build)

        """ + (settings.load.map { $0.summary + "\n" } ?? "") + subjects.map { $0 + "\n" }.joined()
    }

    /// What makes the figures worth less than they look.
    var warnings: [String] {
        var warnings: [String] = []
        if isDebugBuild { warnings.append("this is a debug build; build with -c release") }
        if fileSystem == "tmpfs" || fileSystem == "ramfs" {
            warnings.append("the directory is in memory (\(fileSystem ?? "")); name one on a disk with --directory")
        }
        return warnings
    }
}
