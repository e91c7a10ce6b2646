import Foundation
import Platform
import TestSupport
import Testing

@Suite("Interruption of a run", .timeLimit(.minutes(60))) struct InterruptionTests {
    @Test(
        "an interrupted run prints its results so far, cleans up and ends with 128 and the signal's number",
        arguments: [SIGINT, SIGTERM, SIGHUP])
    func anInterruptedRunPrintsItsResultsSoFarCleansUpAndTellsTheSignal(signal: Int32) throws {
        let scratch = try ScratchDirectory()
        let child = try RunningChild(
            "PlantedGauge",
            ["run", "--verbose", "--suite", "full", "--filter", "honest-peer|hang-subject", "--time-out", "600"],
            environment: ["TMPDIR": scratch.path])
        // By then the first case is finished.
        while !scratch.holds("hanging") { usleep(1_000) }
        kill(child.process, signal)
        let (output, _) = child.collect()
        #expect(child.wait() == 128 + signal)
        #expect(output.contains("planted/honest-peer/tiered"))
        #expect(scratch.contents == [])
    }

    @Test("an interrupted run in JSON still writes a whole document")
    func anInterruptedRunInJSONStillWritesAWholeDocument() throws {
        let scratch = try ScratchDirectory()
        let child = try RunningChild(
            "PlantedGauge",
            [
                "run", "--verbose", "--suite", "full", "--filter", "hang-subject", "--time-out", "600", "--format",
                "json",
            ],
            environment: ["TMPDIR": scratch.path])
        while !scratch.holds("hanging") { usleep(1_000) }
        kill(child.process, SIGINT)
        let (output, _) = child.collect()
        #expect(child.wait() == 130)
        #expect(try JSONSerialization.jsonObject(with: Data(output.utf8)) is [String: Any])
    }

    @Test("no worker survives when its run is killed, even if the worker hangs")
    func noWorkerSurvivesWhenItsRunIsKilledEvenIfTheWorkerHangs() throws {
        // Every worker inherits the write end of this pipe, which reads as ended once all of them are gone.
        var ends: [Int32] = [-1, -1]
        try #require(pipe(&ends) == 0)
        _ = fcntl(ends[0], F_SETFD, FD_CLOEXEC)
        let scratch = try ScratchDirectory()
        let child = try RunningChild(
            "PlantedGauge", ["run", "--verbose", "--suite", "full", "--filter", "hang-subject", "--time-out", "600"],
            environment: ["TMPDIR": scratch.path])
        close(ends[1])
        while !scratch.holds("hanging") { usleep(1_000) }
        kill(child.process, SIGKILL)
        #expect(child.wait() == -SIGKILL)
        var ended = pollfd(fd: ends[0], events: Int16(POLLIN), revents: 0)
        #expect(poll(&ended, 1, 20_000) == 1, "a worker is still there after 20 s")
        close(ends[0])
    }
}
