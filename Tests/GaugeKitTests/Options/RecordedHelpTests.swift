import TestSupport
import Testing

@testable import GaugeKit

@Suite("Recorded help") struct RecordedHelpTests {
    @Test(
        "the help of a command is the recorded one, line by line",
        arguments: Gauge.commands.map { $0.specification.name })
    func help(command: String) throws {
        let specification = try #require(Gauge.commands.map { $0.specification }.first { $0.name == command })
        #expect(
            RecordedText.differences(of: specification.help(executable: "gauge"), from: "Help/\(command).txt") == [])
    }
}
