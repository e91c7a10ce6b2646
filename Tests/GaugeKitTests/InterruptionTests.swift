import Foundation
import Platform
import TestSupport
import Testing

@Suite(.timeLimit(.minutes(1))) struct InterruptionTests {
    @Test(arguments: [SIGINT, SIGTERM, SIGHUP])
    func `an interrupted run prints what it has, cleans up and ends with 130`(signal: Int32) throws {
        let scratch = try ScratchDirectory()
        let child = try RunningChild(
            "PlantedGauge", ["run", "--suite", "full", "--filter", "honest-peer|hang-subject", "--patience", "600"],
            environment: ["TMPDIR": scratch.path])
        // The first case is done, and the second hangs.
        child.collect { $0.contains("planted/honest-peer/peer") }
        kill(child.process, signal)
        let (output, _) = child.collect()
        #expect(child.wait() == 130)
        #expect(output.contains("planted/honest-peer/tiered"))
        #expect(scratch.contents == [])
    }

    @Test func `an interrupted run in JSON still writes a whole document`() throws {
        let scratch = try ScratchDirectory()
        let child = try RunningChild(
            "PlantedGauge",
            ["run", "--suite", "full", "--filter", "hang-subject", "--patience", "600", "--format", "json"],
            environment: ["TMPDIR": scratch.path])
        // Nothing is printed before the end; the worker's directory shows that it is on its way.
        while scratch.contents == [] { sched_yield() }
        kill(child.process, SIGINT)
        let (output, _) = child.collect()
        #expect(child.wait() == 130)
        #expect(try JSONSerialization.jsonObject(with: Data(output.utf8)) is [String: Any])
    }

    @Test func `no worker survives a run that is killed`() throws {
        // Every worker inherits the write end of this pipe, which reads as ended once all of them are gone.
        var ends: [Int32] = [-1, -1]
        try #require(pipe(&ends) == 0)
        _ = fcntl(ends[0], F_SETFD, FD_CLOEXEC)
        let child = try RunningChild(
            "PlantedGauge", ["run", "--suite", "full", "--filter", "honest-peer|hang-", "--patience", "600"])
        close(ends[1])
        child.collect { $0.contains("planted/honest-peer/peer") }
        kill(child.process, SIGKILL)
        #expect(child.wait() == -SIGKILL)
        var byte: UInt8 = 0
        #expect(read(ends[0], &byte, 1) == 0)
        close(ends[0])
    }
}
