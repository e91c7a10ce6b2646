import GaugeSupport
import GaugeTraces

extension RunEnvironment {
    /// The members that describe the environment in every result. Names are those of Google Benchmark's context where
    /// it has them.
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

    /// The same for people, printed below a trace's results: the environment, and the digest of the trace.
    package func footer(_ digest: TraceDigest?) -> String {
        let hash = digest.map { "\($0.text) over \($0.count) bytes" } ?? "none, since the trace was not read to its end"
        return """
            trace hash      \(hash)
            measured on     \(processorName), \(processors) processors; \(kernel)\(fileSystem.map { ", \($0)" } ?? "")
            measured with   \(build); seed \(settings.seed)

            """
    }
}
