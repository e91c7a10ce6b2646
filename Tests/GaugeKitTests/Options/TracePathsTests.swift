import Foundation
import TestSupport
import Testing

@testable import GaugeKit
@testable import GaugeSupport

@Suite("Files named by operands") struct TracePathsTests {
    private static func message(_ operands: [String]) -> String {
        do {
            return try TracePaths(operands).paths.joined(separator: " ")
        } catch {
            return "\(error)"
        }
    }

    @Test("a pattern names its files in the order of their numbers, and an existing file is no pattern")
    func patterns() throws {
        let directory = try ScratchDirectory()
        for name in ["part10.csv", "part2.csv", "part1.csv", "part[1].csv", "other.csv"] {
            try Data().write(to: URL(fileURLWithPath: "\(directory.path)/\(name)"))
        }
        func found(_ names: String...) throws -> [String] {
            try TracePaths(names.map { "\(directory.path)/\($0)" }).paths.map {
                String($0.dropFirst(directory.path.count + 1))
            }
        }
        #expect(
            try found("part?*.csv", "other.csv") == [
                "part1.csv", "part2.csv", "part10.csv", "part[1].csv", "other.csv",
            ])
        #expect(try found("part[1].csv") == ["part[1].csv"])
        #expect(try found("part[12].csv") == ["part1.csv", "part2.csv"])
        let nothing = "\(directory.path)/none*.csv"
        #expect(Self.message([nothing]) == "no file matches '\(nothing)'; check the pattern, or name the files")
    }

    @Test("operands without a pattern are taken as they are, and no file twice or beyond the limit") func plain() {
        #expect(Self.message(["-", "missing.csv"]) == "- missing.csv")
        #expect(Self.message(["a", "b", "a"]) == "a is named twice; name each file of the trace once")
        #expect(Self.message((0..<512).map(String.init)).hasSuffix(" 511"))
        #expect(Self.message((0..<513).map(String.init)).hasPrefix("513 files are more than the 512 "))
    }

    @Test("names are ordered by the values of their numbers") func order() {
        let names = ["", "a", "a1", "a01", "a1b", "a2", "a002b", "a10", "a10a", "a20", "a99999999999999999999", "b"]
        let sorted = ["", "a", "a01", "a1", "a1b", "a2", "a002b", "a10", "a10a", "a20", "a99999999999999999999", "b"]
        #expect(names.reversed().sorted(by: TracePaths.isBefore) == sorted)
    }
}
