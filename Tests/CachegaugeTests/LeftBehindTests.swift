import TestSupport
import Testing

/// What is done n times leaves descriptors, memory, threads, mappings, processes and files as they were (the executable
/// LeftBehind, a process for each of its cases).
@Suite struct LeftBehindTests {
    /// `kind/what is done`, as the executable lists them.
    static let names: [String] = {
        let listed = try? ChildRun("LeftBehind", ["list"]).output.split(separator: "\n").map(String.init)
        return listed ?? []
    }()

    @Test("nothing is left behind, however often it is done", arguments: names)
    func nothing(name: String) throws {
        let (directory, caches) = (try ScratchDirectory(), try ScratchDirectory())
        let run = try ChildRun(
            "LeftBehind", [name],
            environment: [
                "TMPDIR": directory.path, "XDG_CACHE_HOME": caches.path,
                // Blocks that a thread keeps for its next use count as used.
                "GLIBC_TUNABLES": "glibc.malloc.tcache_count=0:glibc.malloc.arena_max=1",
            ])
        #expect(run.output + run.errors == "")
        #expect(run.status == 0)
        // Nor does a session with a cache of its own open the default one.
        #expect(!caches.holds("cache.lock"))
    }

    @Test("each kind of thing is tried", arguments: ["directory", "request", "body", "session", "harness"])
    func kinds(kind: String) { #expect(Self.names.count { $0.hasPrefix("\(kind)/") } >= 8) }
}
