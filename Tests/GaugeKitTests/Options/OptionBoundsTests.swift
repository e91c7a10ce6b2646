import Testing

@testable import GaugeKit

@Suite("Bounds of options") struct OptionBoundsTests {
    /// A command, an option of it, the values at the ends of its range, and the next ones outside.
    static let ranges: [(command: String, option: String, inside: [String], outside: [String])] = [
        ("run", "sets", ["1", "100000"], ["0", "100001"]), ("run", "samples", ["1", "100000"], ["0", "100001"]),
        ("run", "precision", ["0.1", "100", "100%"], ["0.0999", "100.1"]),
        ("run", "seconds", ["0.1", "86400"], ["0.099", "86400.1"]),
        ("run", "time-out", ["0.1", "3600"], ["0.099", "3600.1"]),
        ("run", "rate", ["0.001", "1e9"], ["0.00099", "1.001e9"]),
        ("run", "self-test", ["1", "10000"], ["0", "10001"]), ("run", "busy", ["0", "1024"], ["-1", "1025"]),
        ("run", "objects", ["1", "1000000"], ["0", "1000001"]),
        ("run", "duplicates", ["0", "1"], ["-0.001", "1.001"]),
        ("run", "seed", ["0", "18446744073709551615"], ["-1", "18446744073709551616"]),
        ("compare", "delta", ["0.01", "100"], ["0.0099", "100.1"]),
        ("compare", "seconds", ["0.2", "3600"], ["0.199", "3600.1"]),
        ("compare", "tries", ["1", "10000"], ["0", "10001"]),
        ("gate", "delta", ["0.01", "100"], ["0.0099", "100.1"]),
        ("gate", "seconds", ["1", "86400"], ["0.9", "86401"]),
        ("gate", "rounds", ["1", "100000"], ["0", "100001"]),
        ("verify", "time-out", ["0.1", "3600"], ["0.099", "3600.1"]),
        ("verify", "search", ["0.01", "3600"], ["0.0099", "3600.1"]),
        ("simulate", "days", ["0.001", "3650"], ["0.00099", "3650.1"]),
        ("simulate", "round-trip", ["0", "60000"], ["-0.1", "60000.1"]),
        ("simulate", "bandwidth", ["0.001", "1000000"], ["0.00099", "1000000.1"]),
        ("replay", "entries", ["1", "100000000"], ["0", "100000001"]),
        ("replay", "rate", ["0.001", "1e9"], ["0.00099", "1.001e9"]),
        ("replay", "speedup", ["0.001", "1e9"], ["0.00099", "1.001e9"]),
        ("mrc", "sample", ["1e-9", "1"], ["9e-10", "1.001"]),
        ("mrc", "sample-objects", ["64", "1073741824"], ["63", "1073741825"]),
        ("mrc", "shard", ["1/1", "100000/100000"], ["0/1", "2/1", "1/100001"]),
        (
            "replay", "log-format", ["%U", "combined", padded("%U", to: 4096)],
            ["", "a word", "%s", "%", padded("%U", to: 4097)]
        ),
        (
            "replay", "fields", ["url=u", padded("url=u", to: 4096)],
            ["", "a word", "status=s", "colour=c,url=u", "url=", padded("url=u", to: 4097)]
        ),
        ("worker", "rate", ["0.001", "1e9"], ["0.00099", "1.001e9"]),
        ("worker", "extra-work", ["0", "10"], ["-0.001", "10.001"]),
        ("worker", "fill-seconds", ["0.001", "86400"], ["0.00099", "86400.1"]),
    ]

    private static func padded(_ text: String, to count: Int) -> String {
        text + String(repeating: " ", count: count - text.utf8.count)
    }

    private static let commands = Gauge.commands.map { $0.specification }

    @Test("an option takes both ends of its range, and nothing beyond", arguments: ranges.indices)
    func bounds(number: Int) throws {
        let range = Self.ranges[number]
        let command = try #require(Self.commands.first { $0.name == range.command })
        let option = try #require(command.options.first { $0.name == range.option })
        for value in range.inside {
            #expect(throws: Never.self, "\(option.name) \(value)") { try option.value(of: value) }
        }
        for value in range.outside {
            #expect(throws: UsageError.self, "\(option.name) \(value)") { try option.value(of: value) }
        }
    }

    @Test("every option that refuses a word is one of those, or a choice, a size or the steps of a sequence")
    func complete() {
        let known = Set(
            Self.ranges.map(\.option) + ["steps", "memory", "disk", "require", "capacities", "two-tier", "policy"])
        for command in Self.commands {
            for option in command.options where option.placeholder != nil {
                do throws(UsageError) {
                    _ = try option.value(of: "a word")
                } catch {
                    let isChoice = "\(error)".contains("the choice is")
                    #expect(isChoice || known.contains(option.name), "\(command.name) --\(option.name)")
                }
            }
        }
    }
}
