import Foundation
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
    private static func examples(in page: String) throws -> [[String]] {
        var examples: [[String]] = []
        var block: [String]?
        for line in try lines(page) {
            if line == "```swift" {
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

    // fuzz-my-parser.md is left out: its sources compile only in a copy of Fuzz/cachefuzz.
    @Test(
        "every Swift example is part of a fixture that CI compiles",
        arguments: [
            ("README.md", 2), ("Benchmarks/Guides/harness.md", 1), ("Benchmarks/Guides/measure-my-cache.md", 2),
            ("Benchmarks/Guides/gate-my-ci.md", 1), ("Benchmarks/Guides/use-the-cache.md", 3),
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
}
