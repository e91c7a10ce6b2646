import Foundation
import Testing

/// The script `Fuzz/fuzz`, as far as it needs no build.
@Suite("Fuzz script") struct FuzzScriptTests {
    @Test("runs at different times add up, one row a target") func summary() throws {
        let result = try withWork { try Cachefuzz.runScript(["summary"], environment: ["FUZZ_WORK": $0.path]) }
        #expect(result.status == 0, "\(result.errors)")
        #expect(result.output.contains("| etag | 3000 | 25 | 2.0 | 7 | 1 |"), "\(result.output)")
        #expect(result.output.contains("| vary | 500 | 50 | 0.2 | 2 | 0 |"))
        #expect(result.output.contains("| all | 3500 |"))
        #expect(result.output.contains("Revisions: abc, def. From 2026-11-01T00:00Z to 2026-11-03T00:00Z."))
    }

    @Test("the summary lists each kind of disagreement once, but for the known ones") func findings() throws {
        try withWork { work in
            let folder = work.appending(path: "etag/findings")
            try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
            for (name, text) in [
                ("a", "refuses a tag\nrefuses a tag: the whole\n"), ("b", "accepts a tag\nthe whole\n"),
            ] {
                try text.write(to: folder.appending(path: "\(name).txt"), atomically: true, encoding: .utf8)
                try "W/".write(to: folder.appending(path: name), atomically: true, encoding: .utf8)
            }
            let result = try Cachefuzz.runScript(["summary"], environment: ["FUZZ_WORK": work.path])
            #expect(result.output.contains("2. refuses a tag\n    refuses a tag: the whole\n"), "\(result.output)")
            #expect(result.output.contains("1. accepts a tag\n") && result.output.contains("etag/findings/b: 2 bytes"))
            #expect(result.output.contains("etag has 2 kinds of disagreement"))
            #expect(
                try Cachefuzz.runScript(["summary", "vary"], environment: ["FUZZ_WORK": work.path]).output.contains(
                    "kinds")
                    == false)
        }
    }

    @Test("the summary tells crashes apart by their places, and names the smallest input of each kind")
    func crashKinds() throws {
        try withWork { work in
            let folder = work.appending(path: "etag/artifacts")
            try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
            for (name, bytes, kind) in [
                ("crash-1", 3, "crash in a < b"), ("crash-2", 2, "crash in a < b"),
                ("timeout-3", 9, "timeout in a < c"),
            ] {
                try "\(kind)\n".write(to: folder.appending(path: "\(name).kind"), atomically: true, encoding: .utf8)
                try Data(count: bytes).write(to: folder.appending(path: name))
            }
            let result = try Cachefuzz.runScript(["summary"], environment: ["FUZZ_WORK": work.path])
            #expect(result.output.contains("1. crash in a < b: 2 inputs\n    \(folder.path)/crash-2: 2 bytes\n"))
            #expect(result.output.contains("2. timeout in a < c: 1 inputs\n    \(folder.path)/timeout-3: 9 bytes\n"))
        }
    }

    @Test("a crash's kind is the innermost functions of the code itself, whatever the addresses")
    func crashPlaces() throws {
        let stack = """
            ==1== ERROR: libFuzzer: deadly signal
                #0 0x1 in __sanitizer_print_stack_trace /x/compiler-rt/lib/asan/asan_stack.cpp:87:3
                #1 0x2  (/lib/libc.so.6+0x3c04f)
                #2 0x3 in inner /x/Sources/A.swift:1:2
                #3 0x4 in inner /x/Sources/A.swift:9:2
                #4 0x5 in outer /x/Sources/B.swift
                #5 0x6 in testOneInput /x/Fuzz/cachefuzz/Harness/LibFuzzerEntry.swift:72:31
            freed by thread
                #0 0x7 in other /x/Sources/C.swift
            """
        // Much follows the stack, and the script that uses this ends with a pipe that breaks.
        let command = "set -euo pipefail; . Fuzz/Commands/run.sh; crash_kind /x/crash-0123abcd \"$STACK$(seq 100000)\""
        let result = try Cachefuzz.run(
            URL(filePath: "/usr/bin/env"), ["bash", "-c", "cd \"$ROOT\"; \(command)"],
            environment: ["STACK": stack, "ROOT": Cachefuzz.repository.path, "PATH": "/usr/bin:/bin"])
        #expect(result.output == "crash in inner < outer\n" && result.status == 0, "\(result.errors)")
    }

    @Test("a crash while an input was made smaller is kept with the input that ran, and not with the one it came from")
    func culprit() throws {
        try withWork { work in
            let (outer, shrinking) = ("\(work.path)/crash-0123", "\(work.path)/shrinking")
            try Data("outer".utf8).write(to: URL(filePath: outer))
            func culprit() throws -> String {
                let command = ". Fuzz/Commands/run.sh; culprit \(outer) \(shrinking)"
                return try Cachefuzz.run(
                    URL(filePath: "/usr/bin/env"), ["bash", "-c", "cd \"$ROOT\"; \(command)"],
                    environment: ["ROOT": Cachefuzz.repository.path, "PATH": "/usr/bin:/bin"]
                ).output
            }
            #expect(try culprit() == "\(outer)\n")
            try Data("x".utf8).write(to: URL(filePath: shrinking))
            let name = "\(work.path)/crash-11f6ad8ec52a2984abaafd7c3b516503785c2072"
            #expect(try culprit() == "\(name)\n")
            #expect(try String(contentsOfFile: name, encoding: .utf8) == "x")
            #expect([outer, shrinking].allSatisfy { !FileManager.default.fileExists(atPath: $0) })
        }
    }

    @Test("a target for another package is written there with all that it needs, under names of its own")
    func new() throws {
        let mine = FileManager.default.temporaryDirectory.appending(path: "mine-\(UUID().uuidString)")
        defer { try? FileManager.default.removeItem(at: mine) }
        try FileManager.default.createDirectory(at: mine, withIntermediateDirectories: true)
        let arguments = ["new", "http_date", "Mine", "date(bytes) ?? \"a&b\\\"", "--into", mine.path]
        #expect(try Cachefuzz.runScript(arguments).errors.contains("has no Package.swift"))
        try Data().write(to: mine.appending(path: "Package.swift"))
        let result = try Cachefuzz.runScript(arguments)
        #expect(result.status == 0, "\(result.errors)")
        #expect(result.output.contains(".product(name: \"HTTPReference\", package: \""))
        func text(_ path: String) throws -> String {
            try String(contentsOf: mine.appending(path: "Fuzz/\(path)"), encoding: .utf8)
        }
        let target = try text("parserfuzz/http_date.swift")
        #expect(target.contains(" {\n    date(bytes) ?? \"a&b\\\"\n") && target.contains("import Mine\n"))
        #expect(
            try text("Corpora/http_date.pack")
                == String(contentsOfFile: Cachefuzz.pack(of: "http_date"), encoding: .utf8))
        #expect(try text("Dictionaries/http_date.dict").contains("GMT"))
        #expect(
            try !text("fuzz").contains("cachefuzz") && !text("parserfuzz/Harness/Corpus.swift").contains("Platform"))

        #expect(try Cachefuzz.runScript(arguments).errors.contains("is there already"))
        #expect(try Cachefuzz.runScript(["new", "etag", "Mine", "--into", mine.path]).status == 0)
        #expect(try text("parserfuzz/etag.swift").contains("#error(\"read bytes with Mine here"))
        #expect(try text("parserfuzz/FuzzTarget+All.swift").contains("        .httpDate,\n        .entityTag,\n    ]"))
        #expect(
            try Cachefuzz.runScript(["new", "engine", "Mine", "--into", mine.path]).errors.contains("the targets are"))
        #expect(try Cachefuzz.runScript(["new", "etag", "a/b", "--into", mine.path]).status == 64)

        // A target that is written anew keeps its inputs and words.
        let kept = ["Corpora/http_date.pack", "Dictionaries/http_date.dict"]
        for path in kept {
            try "mine".write(to: mine.appending(path: "Fuzz/\(path)"), atomically: true, encoding: .utf8)
        }
        try FileManager.default.removeItem(at: mine.appending(path: "Fuzz/parserfuzz/http_date.swift"))
        #expect(try Cachefuzz.runScript(arguments).status == 0)
        #expect(try text("parserfuzz/http_date.swift") == target && kept.allSatisfy { try text($0) == "mine" })
        #expect(
            try text("parserfuzz/FuzzTarget+All.swift").contains("[\n        .httpDate,\n        .entityTag,\n    ]"))
    }

    @Test("the table of coverage counts the regions of files in folders whose names have blanks") func coverage() throws
    {
        let file = { (name: String, count: Int, covered: Int) in
            "{\"filename\":\"/a b/my pkg/Sources/\(name)\",\"summary\":{\"lines\":{\"count\":9,\"covered\":9},"
                + "\"regions\":{\"count\":\(count),\"covered\":\(covered),\"percent\":1}}}"
        }
        let json =
            "{\"data\":[{\"files\":[\(file("Mine/A 1.swift", 10, 7)),\(file("Mine/B.swift", 5, 5))],\"totals\":{}}]}"
        let result = try Cachefuzz.run(
            URL(filePath: "/usr/bin/env"),
            [
                "bash", "-c",
                "cd \"$ROOT\"; root='/a b/my pkg'; . Fuzz/Commands/coverage.sh; coverage_table <(printf %s \"$JSON\")",
            ],
            environment: ["ROOT": Cachefuzz.repository.path, "JSON": json, "PATH": "/usr/bin:/bin"])
        #expect(
            result.output.hasSuffix(
                """
                | **Mine**, 2 files, 1 of them whole | 15 | 3 | **80.0 %** |
                | Mine/A 1.swift | 10 | 3 | 70.0 % |

                """), "\(result.output)\(result.errors)")
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

    @Test("a page without the marks is refused and stays what it was") func pageWithoutMarks() throws {
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
            (["run", "etag", "1", "--seed", "x"], "--seed is 'x'"),
            (["run", "etag", "1", "--seed", "0"], "--seed is '0'; pass a whole number from 1 to 4294967295"),
            (["run", "etag", "1", "--seed", "4294967296"], "from 1 to 4294967295"),
            (["run", "etag", "9999999999"], "SECONDS is '9999999999'"), (["run", "--fast"], "--fast"),
            (["merge", "--seed"], "--seed is unknown, or has no value"), (["minimise", "etag"], "minimise takes"),
            (["package"], "package takes"),
            (["package", "out", "--sanitizer", "thread", "--binary", "none"], "no --sanitizer thread"),
            (["coverage", "etag"], "coverage takes no etag"), (["new", "etag"], "new takes TARGET, MODULE"),
            (["merge", "--from", "/nowhere"], "--from /nowhere is no directory"),
        ])
    func wrongUsage(arguments: [String], message: String) throws {
        let result = try Cachefuzz.runScript(arguments)
        #expect(result.status == 64)
        // The reason stands before the help.
        #expect(result.errors.hasPrefix("fuzz: "), "\(result.errors)")
        #expect(result.errors.prefix { $0 != "\n" }.contains(message), "\(result.errors)")
    }

    @Test("a binary that was built without instrumentation is not fuzzed with") func plainBinary() throws {
        let result = try Cachefuzz.runScript(["run", "etag", "1", "--binary", Cachefuzz.executable.path])
        #expect(result.status == 1)
        #expect(result.errors.contains("was built without the instrumentation"), "\(result.errors)")
    }

    @Test(
        "a binary of which only the Swift code has the sanitizer is not fuzzed with",
        arguments: [("address", "__asan_report_load"), ("thread", "__tsan_read")])
    func plainC(sanitizer: String, inSwift: String) throws {
        for (inC, isRefused) in [("", true), ("work_in_c_has_\(sanitizer)_sanitizer", false)] {
            let code = """
                cd "$ROOT"; . Fuzz/Commands/build.sh; binary=it; fail() { echo "$1"; exit 1; }
                llvm-nm() { echo __sanitizer_cov_trace LLVMFuzzerTestOneInput \(inSwift) \(inC); }
                check_instrumentation \(sanitizer)
                """
            let result = try Cachefuzz.run(
                URL(filePath: "/usr/bin/env"), ["bash", "-c", code],
                environment: ["ROOT": Cachefuzz.repository.path, "PATH": "/usr/bin:/bin"])
            #expect((result.status == 1) == isRefused, "\(result.errors)")
            #expect(result.output.contains("it has no work_in_c_has_\(sanitizer)_sanitizer") == isRefused)
        }
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
