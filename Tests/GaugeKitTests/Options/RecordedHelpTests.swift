import TestSupport
import Testing

@testable import GaugeKit

@Suite("Recorded help") struct RecordedHelpTests {
    @Test("help fits a terminal of 80 columns, but for words that are longer") func narrow() {
        for command in Gauge.commands {
            let help = command.specification.help(executable: "gauge", width: 80)
            for line in help.split(separator: "\n") where line.count > 80 {
                let words = line.split(separator: " ")
                #expect(words.count == 1 || line.hasPrefix("  ") && words.count == 2, "\(line)")
            }
        }
    }

    @Test(
        "the help of a command is the recorded one, line by line",
        arguments: Gauge.commands.map { $0.specification.name })
    func help(command: String) throws {
        let specification = try #require(Gauge.commands.map { $0.specification }.first { $0.name == command })
        let help = specification.help(executable: "gauge")
        #expect(RecordedText.differences(of: help, from: "Help/\(command).txt") == [])
        #expect(help.split(separator: "\n").allSatisfy { $0.count <= 120 })
        for option in specification.options {
            #expect([" ", "\n"].contains { help.contains("\n  \(option.usage)\($0)") }, "\(option.name)")
        }
    }
}
