import Foundation
import Testing

/// The documents name files of this repository; those have to exist.
@Suite("Paths in documents") struct DocumentedPathsTests {
    private static let repository: String = URL(fileURLWithPath: #filePath)
        .deletingLastPathComponent().deletingLastPathComponent().deletingLastPathComponent().path

    /// Files and folders, from the root of the repository, without what is built.
    private static let contents: Set<String> = {
        var paths: Set<String> = []
        guard let walk = FileManager.default.enumerator(atPath: repository) else { return paths }
        while let path = walk.nextObject() as? String {
            if [".build", ".git", ".work"].contains((path as NSString).lastPathComponent) {
                walk.skipDescendants()
            } else {
                paths.insert(path)
            }
        }
        return paths
    }()

    static let documents: [String] = contents.filter { $0.hasSuffix(".md") }.sorted()

    /// Files of the reader's own package in the guides, and files that a command writes.
    private static let others: Set<String> = [
        "Sources/Mine/Size.swift", "Sources/CMine/size.c", "Sources/CMine/include", "Fuzz/cachefuzz/SizeTarget.swift",
        "../CacheGauge", "Sources/Mine/Fields.swift",
        "Fuzz/Known/http_date.txt",
        "Fuzz/.work/http_date/findings", "Fuzz/parserfuzz/cache_control.swift",
        "results/baselines/1.0.json", "compare.py", "Sources/App/App.swift", "App.swift", "origin.py",
        ".github/workflows/gate.yml",
    ]

    @Test("every path in a document exists", arguments: documents)
    func everyPathExists(document: String) throws {
        let text = try String(contentsOfFile: "\(Self.repository)/\(document)", encoding: .utf8)
        let folder = (document as NSString).deletingLastPathComponent
        for path in Self.named(in: text) where !Self.others.contains(path) {
            let near = URL(fileURLWithPath: "/\(folder)").appending(path: path).standardizedFileURL.path.dropFirst()
            let exists =
                Self.contents.contains(String(near)) || Self.contents.contains(path)
                || Self.contents.contains { $0.hasSuffix("/" + path) }
            #expect(exists, "\(document) names \(path), which does not exist; correct the name")
        }
    }

    @Test("a wrong path is found, whether it is a link or a name of a file") func wrongPaths() {
        let text = "See [it](Benchmarks/no.md#part), `Cache/No.swift`, `Sources/No`, `memory/hit` and `NAME.swift`."
        #expect(Self.named(in: text) == ["Benchmarks/no.md", "Cache/No.swift", "Sources/No"])
        #expect(Self.documents.contains("README.md") && Self.documents.contains("Sources/ARCHITECTURE.md"))
    }

    /// The targets of links, and quoted words that are a file's name or begin with a folder of the repository. Words
    /// with a part in capitals, such as NAME, stand for others. Blocks of code are left out.
    private static func named(in text: String) -> [String] {
        let text = text.replacing(/```(?:.|\n)*?```/, with: "")
        let links = text.matches(of: /\]\(([^)\s#]+)(?:#[^)]*)?\)/).map { String($0.output.1) }
            .filter { !$0.contains("://") && !$0.hasPrefix("mailto:") }
        let words = text.matches(of: /`([A-Za-z0-9_.+\/-]+)`/).map { String($0.output.1) }.filter { word in
            if word.contains(/NAME|TARGET|HASH|FILE/) { return false }
            if word.contains(/\.(swift|md|py|yml|sh|c|h)$/) { return true }
            return word.contains(/^(Sources|Tests|Benchmarks|Fuzz|Plugins|results|\.ci|\.github)\//)
        }
        return (links + words).map { $0.hasSuffix("/") ? String($0.dropLast()) : $0 }
    }
}
