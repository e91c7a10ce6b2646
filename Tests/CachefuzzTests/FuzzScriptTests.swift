import Foundation
import Testing

/// The script `Fuzz/fuzz`, as far as it needs no build.
@Suite("Fuzz script") struct FuzzScriptTests {
    @Test("runs at different times add up, one row a target")
    func summary() throws {
        let result = try withWork { try Cachefuzz.runScript(["summary"], environment: ["FUZZ_WORK": $0.path]) }
        #expect(result.status == 0, "\(result.errors)")
        #expect(result.output.contains("| etag | 3000 | 25 | 2.0 | 7 | 1 |"), "\(result.output)")
        #expect(result.output.contains("| vary | 500 | 50 | 0.2 | 2 | 0 |"))
        #expect(result.output.contains("| all | 3500 |"))
        #expect(result.output.contains("Revisions: abc, def. From 2026-11-01T00:00Z to 2026-11-03T00:00Z."))
    }

    @Test("the table goes between the marks of a page and leaves the rest alone, time after time")
    func intoPage() throws {
        try withWork { work in
            let page = work.appending(path: "page.md")
            try "before\n<!-- Fuzz/fuzz summary: begin -->\nold\n<!-- Fuzz/fuzz summary: end -->\nafter\n"
                .write(to: page, atomically: true, encoding: .utf8)
            for _ in 0..<2 {
                let result = try Cachefuzz.runScript(
                    ["summary", "--into", page.path, "vary"], environment: ["FUZZ_WORK": work.path])
                #expect(result.status == 0, "\(result.errors)")
            }
            let text = try String(contentsOf: page, encoding: .utf8)
            #expect(text.hasPrefix("before\n<!--") && text.hasSuffix("-->\nafter\n"))
            #expect(!text.contains("old"))
            #expect(text.components(separatedBy: "| vary |").count == 2)
        }
    }

    @Test("a page without the marks is refused and stays what it was")
    func pageWithoutMarks() throws {
        try withWork { work in
            let page = work.appending(path: "page.md")
            try "text\n".write(to: page, atomically: true, encoding: .utf8)
            let result = try Cachefuzz.runScript(
                ["summary", "--into", page.path], environment: ["FUZZ_WORK": work.path])
            #expect(result.status == 1)
            #expect(result.errors.contains("Fuzz/fuzz summary: begin"))
            #expect(try String(contentsOf: page, encoding: .utf8) == "text\n")
        }
    }

    @Test(
        "wrong usage is told and has its own exit code",
        arguments: [
            ([], "a command is missing"), (["nonesuch"], "there is no command 'nonesuch'"),
            (["list", "etag"], "list takes no etag"), (["summary", "etgg"], "no target is called 'etgg'"),
            (["summary", "*"], "no target is called '*'"), (["minimise", "etag", "/nowhere"], "/nowhere is no file"),
            (["run", "etag"], "run takes TARGET and SECONDS"),
            (["run", "etag", "soon"], "SECONDS is 'soon'"), (["all"], "all takes SECONDS or --cpu-minutes N"),
            (["all", "0"], "above 0"), (["run", "etag", "1", "--sanitizer", "memory"], "--sanitizer is 'memory'"),
            (["run", "etag", "1", "--seed", "x"], "--seed is 'x'"), (["run", "--fast"], "--fast"),
            (["merge", "--seed"], "--seed is unknown, or has no value"), (["minimise", "etag"], "minimise takes"),
            (["package"], "package takes"),
            (["package", "out", "--sanitizer", "thread", "--binary", "none"], "no --sanitizer thread"),
            (["coverage", "etag"], "coverage takes no etag"),
        ])
    func wrongUsage(arguments: [String], message: String) throws {
        let result = try Cachefuzz.runScript(arguments)
        #expect(result.status == 64)
        // The reason stands before the help.
        #expect(result.errors.hasPrefix("fuzz: "), "\(result.errors)")
        #expect(result.errors.prefix { $0 != "\n" }.contains(message), "\(result.errors)")
    }

    @Test("a binary that was built without instrumentation is not fuzzed with")
    func plainBinary() throws {
        let result = try Cachefuzz.runScript(["run", "etag", "1", "--binary", Cachefuzz.executable.path])
        #expect(result.status == 1)
        #expect(result.errors.contains("was built without the instrumentation"), "\(result.errors)")
    }

    /// A folder with the logs of three runs.
    private func withWork<Value>(_ body: (URL) throws -> Value) throws -> Value {
        let work = FileManager.default.temporaryDirectory.appending(path: "fuzz-work-\(UUID().uuidString)")
        defer { try? FileManager.default.removeItem(at: work) }
        let runs = [
            ("etag", "1", "revision=abc date=2026-11-01T00:00Z cpu=20.0 executions=1000 units=5 crashes=0"),
            ("etag", "2", "revision=def date=2026-11-03T00:00Z cpu=100.0 executions=2000 units=2 crashes=1"),
            ("vary", "1", "revision=abc date=2026-11-02T00:00Z cpu=10.0 executions=500 units=2 crashes=0"),
        ]
        for (target, name, figures) in runs {
            let logs = work.appending(path: "\(target)/logs")
            try FileManager.default.createDirectory(at: logs, withIntermediateDirectories: true)
            try "INFO: what libFuzzer says\nfuzz: target=\(target) sanitizer=address \(figures)\n"
                .write(to: logs.appending(path: "\(name).log"), atomically: true, encoding: .utf8)
        }
        return try body(work)
    }
}
