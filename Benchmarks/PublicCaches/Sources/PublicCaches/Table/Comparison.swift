import Foundation

/// Measures and verifies each cache by the harness's own commands, and prints one table of their results.
struct Comparison {
    private let caches: [ComparedCache]

    init(of caches: [ComparedCache]) { self.caches = caches }

    func run() throws {
        let memory = try Self.gauge(
            RunResults.self, "run --suite full --sets 5 --filter ^memory/(hit|store|store-evict)/1k/")
        // Few entries, and much time for them, since some caches read their whole directory at each store.
        let disk = try Self.gauge(
            RunResults.self, "run --suite full --sets 1 --filter ^disk/(hit|store)/16k/ --disk 4MiB --time-out 60")
        let pages = try Self.gauge(
            RunResults.self, "run --suite full --sets 1 --filter ^cache/page-loads/ --memory 32MiB --disk 32MiB",
            // Ratios are of the same requests, however slow a cache is.
            environment: ["CACHEGAUGE_UNHURRIED": "1"])
        let measured = RunResults(benchmarks: memory.benchmarks + disk.benchmarks + pages.benchmarks)
        let lines = try caches.map { cache in
            let verified = try Self.gauge(
                VerifyResults.self, "verify --subject \(cache.name) --search 2 --time-out 30")
            return ComparedLine(cache, measured, verified)
        }
        print(ComparedLine.header)
        for isOnDisk in [false, true] {
            print(isOnDisk ? "on disk, bodies of 16 KiB" : "in memory, 1,000 bodies of 256 bytes")
            for line in lines where line.cache.isOnDisk == isOnDisk { print(line.text) }
        }
        print("hit ratios on page-loads are of caches of 32 MiB")
        for note in lines.flatMap(\.notes) { print(note) }
    }

    /// Runs a command of this executable, and reads what it prints. Its progress goes to the standard error.
    private static func gauge<Results: Decodable>(
        _ type: Results.Type, _ command: String, environment: [String: String] = [:]
    ) throws -> Results {
        let (process, output) = (Process(), Pipe())
        process.executableURL = Bundle.main.executableURL
        process.arguments = command.split(separator: " ").map(String.init) + ["--seed", "1", "--format", "json"]
        process.environment = ProcessInfo.processInfo.environment.merging(environment) { $1 }
        process.standardOutput = output
        try process.run()
        let text = try output.fileHandleForReading.readToEnd() ?? Data()
        process.waitUntilExit()
        do { return try JSONDecoder().decode(type, from: text) } catch {
            throw NoResults(description: "'\(command)' ended with status \(process.terminationStatus): \(error)")
        }
    }

    private struct NoResults: Error, CustomStringConvertible {
        let description: String
    }
}
