import Foundation
import Platform

/// Does one thing again and again, and prints what that leaves behind: in a process of its own, since what others in it
/// take would count.
///
///     LeftBehind list
///     GLIBC_TUNABLES=glibc.malloc.tcache_count=0:glibc.malloc.arena_max=1 TMPDIR=DIRECTORY LeftBehind NAME
///
/// Prints nothing where nothing is left. Temporary files are looked for in `TMPDIR`.
@main
struct LeftBehind {
    static let cases =
        DirectoryCases.all + RequestCases.all + BodyCases.all + SessionCases.all + HarnessCases.all
        + CommandCases.all

    static func main() async throws {
        let arguments = CommandLine.arguments.dropFirst()
        if arguments == ["list"] { return cases.forEach { print($0.name) } }
        guard let chosen = cases.first(where: { [$0.name] == Array(arguments) }),
            let directory = ProcessInfo.processInfo.environment["TMPDIR"]
        else {
            print("usage: LeftBehind list | LeftBehind NAME, with TMPDIR")
            exit(2)
        }
        signal(SIGPIPE, SIG_IGN)
        for excess in try await chosen.run(in: directory) { print(excess) }
    }
}
