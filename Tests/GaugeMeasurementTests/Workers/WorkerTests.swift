import Foundation
import TestSupport
import Testing

@testable import GaugeKit
@testable import GaugeMeasurement
@testable import GaugeSupport

@Suite("Worker process") struct WorkerTests {
    @Test("lines are found however the bytes are divided") func linesAreFoundHoweverTheBytesAreDivided() {
        let bytes = Array("one\n\nthree\nfo".utf8)
        for cut in 0...bytes.count {
            var buffer = LineBuffer()
            var lines: [String] = []
            for part in [bytes[..<cut], bytes[cut...]] {
                part.withUnsafeBytes { buffer.append($0) }
                while let line = buffer.next() { lines.append(String(decoding: line, as: UTF8.self)) }
            }
            #expect(lines == ["one", "", "three"])
            #expect(buffer.pending == 2)
        }
    }

    @Test("a worker prepares, calibrates, measures and finishes when asked to")
    func aWorkerPreparesCalibratesMeasuresAndFinishesWhenAskedTo() throws {
        let scratch = try ScratchDirectory()
        let worker = try WorkerProcess(
            executable: RunningChild.path(of: "PlantedGauge"),
            arguments: WorkerArguments.make(
                benchmark: "planted/timed/tiered", settings: RunSettings(),
                directory: scratch.path))
        try worker.greet(within: 600)
        try worker.send(.slice(milliseconds: 1))
        #expect(throws: WorkerFailure.failed(reason: "slice before prepare")) { try worker.receive(within: 600) }
        try worker.send(.prepare)
        guard case .prepared(let prepared) = try worker.receive(within: 600) else {
            Issue.record("no answer to prepare")
            return
        }
        #expect(prepared.kind == .timed)
        try worker.send(.calibrate(milliseconds: 5))
        guard case .calibrated = try worker.receive(within: 600) else {
            Issue.record("no answer to calibrate")
            return
        }
        try worker.send(.slice(milliseconds: 5))
        guard case .slice(let slice) = try worker.receive(within: 600) else {
            Issue.record("no answer to slice")
            return
        }
        #expect(slice.operations > 0)
        #expect(slice.histograms[.miss]?.minimum == 4_000)
        try worker.send(.finish)
        guard case .finished = try worker.receive(within: 600) else {
            Issue.record("no answer to finish")
            return
        }
    }

    @Test("an executable that cannot be started is an error with its path")
    func anExecutableThatCannotBeStartedIsAnErrorWithItsPath() {
        #expect(throws: GaugeError("a worker cannot be started from /nonexistent: No such file or directory")) {
            try WorkerProcess(executable: "/nonexistent", arguments: [])
        }
    }

    @Test("a program that does not speak the protocol is an error")
    func aProgramThatDoesNotSpeakTheProtocolIsAnError() throws {
        let worker = try WorkerProcess(executable: "/bin/echo", arguments: ["hello"])
        #expect(throws: WorkerFailure.misunderstood("'hello'")) { try worker.greet(within: 600) }
    }

    @Test("a line that is longer than an answer can be is an error, before it ends") func endlessLine() throws {
        let worker = try WorkerProcess(
            executable: "/bin/sh", arguments: ["-c", "head -c 17000000 /dev/zero; exec sleep 600"])
        #expect(throws: WorkerFailure.misunderstood("a line of more than 16777216 bytes")) {
            try worker.greet(within: 600)
        }
    }

    @Test("messages survive encoding") func messagesSurviveEncoding() throws {
        var slice = SliceReply()
        slice.operations = 3
        slice.batches = [1, 2, .max]
        slice.histograms[.promotion] = Histogram()
        slice.wrongAnswers = [WrongAnswer(key: "\n\"é", expected: "a", got: "b", history: ["c"])]
        let encoded = try JSONEncoder().encode(WorkerReply.slice(slice))
        #expect(!encoded.contains(UInt8(ascii: "\n")))
        guard case .slice(let decoded) = try JSONDecoder().decode(WorkerReply.self, from: encoded) else {
            Issue.record("another message came out")
            return
        }
        #expect(decoded == slice)
    }

    @Test("workers of older builds understand a request to calibrate")
    func workersOfOlderBuildsUnderstandARequestToCalibrate() throws {
        let request = try JSONEncoder().encode(WorkerRequest.calibrate(milliseconds: 5))
        #expect(String(decoding: request, as: UTF8.self) == #"{"settle":{"milliseconds":5}}"#)
        let reply = try JSONDecoder().decode(WorkerReply.self, from: Data(#"{"settled":{}}"#.utf8))
        guard case .calibrated = reply else {
            Issue.record("\(reply)")
            return
        }
    }
}
