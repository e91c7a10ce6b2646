import TestSupport
import Testing

@testable import GaugeMeasurement
@testable import GaugeSupport

/// Whole results in the formats that other tools read, with figures that all differ.
@Suite("Recorded formats of a run") struct RecordedFormatsTests {
    private static var document: RunDocument {
        let settings = RunSettings(seed: 77, memory: ByteSize(bytes: 3 << 20), disk: ByteSize(bytes: 70 << 20))
        var environment = RunEnvironment(settings: settings, directory: nil)
        environment.subjects = ["tiered: two tiers", "files: one file each"]
        let noise = NoiseReport(
            stolen: 0.011, loadBefore: 0.5, loadAfter: 2.25, processors: 4, switchesPerSecond: 13, pairs: [0.02, 0.03],
            fullSpeed: 0.75, clock: 2.5, referenceClock: 2.75)
        let rows = SampleDocument.all + [DistinctRow.row, DistinctRow.store]
        return RunDocument(environment: environment, rows: rows, noise: noise)
    }

    /// What depends on the machine and its build, by the beginning of a line.
    private static func isOfMachine(_ line: Substring, _ environment: RunEnvironment) -> Bool {
        let members = environment.members.keys.filter { $0 != "seed" }.map { "    \"\($0)\": " }
        let keys = ["# revision", "goos:", "goarch:", "cpu:", "kernel:", "file-system:", "swift:", "build:"]
        return (members + keys).contains { line.hasPrefix($0) }
    }

    @Test(
        "a run in a format for tools is the recorded one, line by line",
        arguments: [RunFormat.json, .googlecpp, .benchstat, .githubAction])
    func format(format: RunFormat) throws {
        let document = Self.document
        let lines = try format.text(document).split(separator: "\n", omittingEmptySubsequences: false)
        let kept = lines.filter { !Self.isOfMachine($0, document.environment) }
        let text = kept.joined(separator: "\n")
        #expect(RecordedText.differences(of: text, from: "Formats/run-\(format.rawValue).txt") == [])
    }
}
