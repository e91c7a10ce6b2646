import LoopbackOrigin
import Platform
import URLCaching

/// Requests by concurrent clients against an origin that stalls, fails and lies; afterwards nothing may be left over.
///
///     SessionStress storm REQUESTS CLIENTS SEED libcurl|urlsession|sockets DIRECTORY
///     SessionStress stream MEGABYTES libcurl|urlsession
///     SessionStress fetch URL
///     SessionStress fork
///     SessionStress held CAPACITY BODY ROUNDS
///
/// `fetch` prints status and body, or the error's code. `fork` uses a session in a forked child. `held`
/// hits and reads every response of a full cache, and prints the memory. Prints what came of it, and ends with 1 if
/// anything did that must not.
@main
struct SessionStress {
    static func main() async throws {
        let arguments = CommandLine.arguments.dropFirst()
        switch arguments.first {
        case "storm" where arguments.count == 6:
            let values = Array(arguments.dropFirst())
            guard let requests = Int(values[0]), let clients = Int(values[1]), let seed = UInt64(values[2]) else {
                break
            }
            let storm = Storm.Plan(
                requests: requests, clients: clients, seed: seed, transport: values[3], directory: values[4])
            return try await run(storm)
        case "stream" where arguments.count == 3:
            let values = Array(arguments.dropFirst())
            guard let megabytes = Int(values[0]) else { break }
            return try await SlowReader.run(
                megabytes: megabytes, carrier: values[1] == "urlsession" ? .urlSession : .libcurl)
        case "fetch" where arguments.count == 2:
            guard let url = arguments.last.flatMap({ URL(string: $0) }) else { break }
            return await fetch(url)
        case "held" where arguments.count == 4:
            let values = arguments.dropFirst().compactMap { Int($0) }
            guard values.count == 3 else { break }
            return try HeldResponses.run(capacity: values[0], body: values[1], rounds: values[2])
        case "fork": return try await ForkedSession.run()
        default: break
        }
        say("usage: SessionStress storm REQUESTS CLIENTS SEED libcurl|urlsession|sockets DIRECTORY")
        say("       SessionStress stream MEGABYTES libcurl|urlsession")
        exit(2)
    }

    private static func fetch(_ url: URL) async {
        do {
            let (data, response) = try await CachingSession(cache: nil).data(from: url)
            say("\((response as? HTTPURLResponse)?.statusCode ?? 0) \(String(decoding: data, as: UTF8.self))")
        } catch {
            say("error \((error as? URLError)?.code.rawValue ?? 0)")
        }
    }

    private static func run(_ plan: Storm.Plan) async throws {
        // Opens the descriptors that libraries open once and keep.
        _ = try await storm(plan.warmUp)
        let before = openDescriptors()
        var problems = try await storm(plan)
        let after = settled(to: before)
        say("descriptors: \(before) before, \(after) after")
        if after > before { problems.append("\(after - before) descriptors leaked") }
        for problem in problems.prefix(20) { say("problem: \(problem)") }
        if !problems.isEmpty { exit(1) }
    }

    private static func storm(_ plan: Storm.Plan) async throws -> [String] {
        let storm = try Storm(plan)
        return await storm.run()
    }

    /// Entries of /proc/self/fd, or of /dev/fd.
    static func openDescriptors() -> Int {
        let names = try? FileManager.default.contentsOfDirectory(atPath: "/dev/fd")
        return names?.count ?? -1
    }

    /// URLSession closes its connections on another queue, some time after it was released.
    private static func settled(to expected: Int) -> Int {
        let deadline = monotonicNanoseconds() + 600_000_000_000
        var count = openDescriptors()
        while count > expected, monotonicNanoseconds() < deadline {
            sched_yield()
            count = openDescriptors()
        }
        return count
    }
}

/// Prints at once, so that lines before a crash are seen.
func say(_ text: String) { FileHandle.standardOutput.write(Data("\(text)\n".utf8)) }
