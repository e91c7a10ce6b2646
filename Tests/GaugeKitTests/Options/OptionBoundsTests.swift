import GaugeSupport
import Testing

@testable import GaugeKit

@Suite("Bounds of options")
struct OptionBoundsTests {
    private static let commands = Dictionary(uniqueKeysWithValues: Gauge.commands.map { ($0.specification.name, $0) })

    /// A command, an option of it, the least and the greatest value, and the next values outside.
    @Test(
        "an option takes both ends of its range, and nothing beyond",
        arguments: [
            ("gate", "delta", ["0.01", "100"], ["0.0099", "100.1"]),
            ("gate", "seconds", ["1", "86400"], ["0.9", "86401"]),
            ("verify", "time-out", ["0.1", "3600"], ["0.099", "3600.1"]),
            ("verify", "search", ["0.01", "3600"], ["0.0099", "3600.1"]),
            ("run", "self-test", ["1", "10000"], ["0", "10001"]),
            ("run", "busy", ["0", "1024"], ["-1", "1025"]),
        ])
    func bounds(command: String, option: String, inside: [String], outside: [String]) throws {
        let command = try #require(Self.commands[command]).specification
        for value in inside {
            #expect(throws: Never.self, "\(value)") { try ParsedArguments(["--\(option)", value], of: command) }
        }
        for value in outside {
            #expect(throws: UsageError.self, "\(value)") { try ParsedArguments(["--\(option)", value], of: command) }
        }
    }
}
