import Foundation
import TestSupport
import Testing

/// The Swift examples of README and guides.
@Suite("Examples") struct ExampleTests {
    private static let root = URL(filePath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
        .deletingLastPathComponent()

    private static func lines(_ path: String) throws -> [String] {
        try String(contentsOf: root.appending(path: path), encoding: .utf8).split(separator: "\n")
            .map { $0.trimmingCharacters(in: .whitespaces) }
    }

    /// The fenced blocks of Swift in a page, each as its lines without indentation.
    private static func examples(in page: String, language: String = "swift") throws -> [[String]] {
        var examples: [[String]] = []
        var block: [String]?
        for line in try lines(page) {
            if line == "```\(language)" {
                block = []
            } else if line == "```", let ended = block {
                examples.append(ended)
                block = nil
            } else {
                block?.append(line)
            }
        }
        return examples
    }

    @Test(
        "every Swift example is part of a fixture that CI compiles",
        arguments: [
            ("README.md", 3), ("Benchmarks/Guides/harness.md", 1), ("Benchmarks/Guides/measure-my-cache.md", 2),
            ("Benchmarks/Guides/gate-my-ci.md", 1), ("Benchmarks/Guides/use-the-cache.md", 4),
        ])
    func everySwiftExampleIsPartOfAFixtureThatCICompiles(page: String, count: Int) throws {
        let fixtures = try ["Examples", "OutsideApp", "OutsideCache"].flatMap { name -> [[String]] in
            let folder = "Tests/Fixtures/\(name)"
            let files = try FileManager.default.subpathsOfDirectory(atPath: Self.root.appending(path: folder).path)
            return try files.filter { $0.hasSuffix(".swift") && !$0.hasPrefix(".build") }
                .map { try Self.lines("\(folder)/\($0)") }
        }
        let examples = try Self.examples(in: page)
        #expect(examples.count >= count)
        for example in examples {
            // A manifest names the copy of this package in another way than the fixtures do.
            let isManifest = example.contains("import PackageDescription")
            let wanted =
                isManifest
                ? example.filter { $0.hasPrefix(".executableTarget") }.map { $0.trimmingCharacters(in: [","]) }
                : example
            #expect(!wanted.isEmpty)
            let isCompiled = fixtures.contains { fixture in
                fixture.indices.contains { start in
                    fixture[start...].starts(with: wanted) { isManifest ? $0.hasPrefix($1) : $0 == $1 }
                }
            }
            #expect(
                isCompiled, "\(page): no fixture has this example; change both:\n\(example.joined(separator: "\n"))")
        }
    }

    #if os(Linux)
    /// Checks the types alone, as `Fuzz/fuzz build` takes minutes.
    @Test("the sources of fuzz-my-parser.md compile beside the copy of the harness that it makes")
    func theSourcesOfFuzzMyParserCompileBesideACopyOfTheHarness() throws {
        let page = "Benchmarks/Guides/fuzz-my-parser.md"
        let copying = try #require(try Self.examples(in: page, language: "sh").first)
        let sources = try Self.examples(in: page).map { $0.joined(separator: "\n") }
        // The last one, of a parser in C, is an outline.
        try #require(sources.count == 4)
        let scratch = try ScratchDirectory()
        try sources[1].write(toFile: "\(scratch.path)/Size.swift", atomically: true, encoding: .utf8)
        try sources[2].write(toFile: "\(scratch.path)/SizeTarget.swift", atomically: true, encoding: .utf8)
        // The compiler's cache is in the home, where an account may not have one.
        let home = FileManager.default.homeDirectoryForCurrentUser.path
        let swiftc = access(home, W_OK) == 0 ? "swiftc" : "swiftc -module-cache-path '\(scratch.path)/modules'"
        let commands =
            copying.map { $0.replacing("../CacheGauge", with: Self.root.path) } + [
                "mv ../Size.swift Sources/Mine", "mv ../SizeTarget.swift Fuzz/cachefuzz",
                "echo 'module WorkCounter { header \"Fuzz/WorkCounter/include/WorkCounter.h\" }' >module.modulemap",
                "\(swiftc) -swift-version 6 -parse-as-library -emit-module -module-name Mine Sources/Mine/*.swift",
                "\(swiftc) -swift-version 6 -parse-as-library -typecheck -module-name cachefuzz -I . "
                    + "Fuzz/cachefuzz/*.swift Fuzz/cachefuzz/Harness/*.swift",
            ]
        let script = (["cd '\(scratch.path)'"] + commands).joined(separator: "\n")
        let run = try ChildRun("sh", ["-ec", script])
        #expect(run.status == 0, "\(run.output.prefix(2_000))\(run.errors.prefix(2_000))")
    }
    #endif
}
