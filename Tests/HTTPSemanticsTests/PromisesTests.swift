import Foundation
import Testing

/// `Sources/Cache/REQUIREMENTS.md`, whose rows name the suites that show them.
@Suite struct PromisesTests {
    @Test("every row of the requirements names suites that exist") func rows() throws {
        let text = try Sources.text(Sources.root.appending(path: "Sources/Cache/REQUIREMENTS.md"))
        let rows = text.matches(of: #/(?m)^\| ([A-E]\d+) \|.*\| ([^|]+) \|$/#).map { ($0.output.1, $0.output.2) }
        #expect(rows.count == 56)
        let sources = try Sources.of("Tests").values.joined(separator: "\n")
        let suites = Set(sources.matches(of: #/\b(?:struct|class) (\w+Tests)\b/#).map(\.output.1))
        for (number, cell) in rows {
            let named = cell.matches(of: #/`(\w+)`/#).map(\.output.1)
            #expect(!named.isEmpty, "\(number) names no suite")
            for suite in named { #expect(suites.contains(suite), "\(number): there is no suite \(suite)") }
        }
    }
}
