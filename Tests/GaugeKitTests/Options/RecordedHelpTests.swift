import TestSupport
import Testing

@testable import GaugeKit

@Suite("Recorded help") struct RecordedHelpTests {
    @Test(
        "the help of a command is the recorded one, line by line",
        arguments: Gauge.commands.map { $0.specification.name })
    func help(command: String) throws {
        let specification = try #require(Gauge.commands.map { $0.specification }.first { $0.name == command })
        let help = specification.help(executable: "gauge")
        #expect(RecordedText.differences(of: help, from: "Help/\(command).txt") == [])
        #expect(help.split(separator: "\n").allSatisfy { $0.count <= 120 })
        for option in specification.options { #expect(help.contains("\n  \(option.usage) "), "\(option.name)") }
    }
}
