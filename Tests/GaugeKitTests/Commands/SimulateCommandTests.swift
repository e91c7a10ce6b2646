import Foundation
import Platform
import Testing

@testable import GaugeKit
@testable import GaugeSupport
@testable import GaugeTraces

@Suite("Command simulate") struct SimulateCommandTests {
    /// Keeps nothing: asks the origin for each request, and damages what one kind of it answers.
    private class Passing: SimulatedCache {
        class var name: String { "passing" }
        private let origin: SimulatedOrigin

        required init(_ configuration: SubjectConfiguration, start: Int64, origin: SimulatedOrigin) {
            self.origin = origin
        }

        func answer(_ requests: [SimulatedRequest], at moment: Int64) -> [Result<SimulatedAnswer, any Error>] {
            requests.map { request in
                var response = origin.answer(request, at: moment)
                if Self.name == "damaging", !response.body.isEmpty { response.body[0] ^= 1 }
                return .success(SimulatedAnswer(response, source: request.method == "GET" ? .fetched : .bypass))
            }
        }

        func remove(_ url: String, at moment: Int64) {}
    }

    private final class Damaging: Passing { override class var name: String { "damaging" } }

    private static func gauge(_ caches: [any SimulatedCache.Type]) -> Gauge {
        var gauge = Gauge(benchmarks: [], executable: "mine")
        gauge.simulated = caches
        return gauge
    }

    private static func run(
        _ gauge: Gauge, _ arguments: String...
    ) -> (code: GaugeSupport.ExitCode, output: String, notes: String) {
        let output = Locked("")
        let notes = Locked("")
        let console = Console { text in
            output.withLock { $0 += text }
        } note: { text in
            notes.withLock { $0 += text }
        }
        let code = gauge.run(["simulate", "image-feed", "--days=0.01"] + arguments, console: console)
        return (code, output.withLock { $0 }, notes.withLock { $0 })
    }

    @Test("the first cache is simulated unless another is named, and one that is not there is told with its neighbours")
    func names() {
        let gauge = Self.gauge([Passing.self, Damaging.self])
        let json = Self.run(gauge, "--format=json")
        #expect(json.code == .ok && json.output.contains("\"passing\"") && !json.output.contains("\"damaging\""))
        #expect(json.notes.hasPrefix("simulated in ") && json.notes.split(separator: "\n").count == 1)
        let other = Self.run(gauge, "--cache=pasing")
        #expect(other.code == .usage && other.output == "")
        #expect(other.notes.hasPrefix("mine: there is no cache 'pasing'"))
        #expect(other.notes.hasSuffix("; there are passing, damaging\n"), "\(other.notes)")
        let none = Self.run(Self.gauge([]))
        #expect(none.code == .usage)
        #expect(
            none.notes == "mine: mine has no whole HTTP cache to simulate, which only cachegauge has; replay a trace "
                + "instead: mine replay FILE\n")
    }

    @Test("wrong answers are told behind the report, and are the exit code") func wrongAnswers() throws {
        let gauge = Self.gauge([Passing.self, Damaging.self])
        let run = Self.run(gauge, "--cache=damaging", "--format=json")
        #expect(run.code == .wrongAnswer)
        let json = try JSONDecoder().decode(JSONValue.self, from: Data(run.output.utf8))
        let count = try #require(json["wrong"]?.double)
        #expect(count > 0 && run.notes.contains("\ndamaging gave \(Int(count)) wrong answers\n    key "))
    }
}
