import Platform
import Testing

@testable import GaugeSupport

@Suite("Exit codes") struct ExitCodeTests {
    @Test("a run that a signal ended exits with 128 and the signal's number, and with 130 when no signal is known")
    func signals() {
        let codes = [SIGHUP, SIGINT, SIGTERM].map { ExitCode.interrupted(by: $0).rawValue }
        #expect(codes == [129, 130, 143])
        for unknown in [SIGKILL, 0, nil] { #expect(ExitCode.interrupted(by: unknown) == .interrupted) }
    }

    @Test("three codes tell of an interruption, and no other does") func interruptions() {
        let codes: [ExitCode] = [
            .ok, .failure, .regression, .wrongAnswer, .improvement, .missingBaseline, .inconclusive, .usage, .hungUp,
            .interrupted, .terminated,
        ]
        #expect(codes.map(\.rawValue) == [0, 1, 2, 3, 4, 5, 7, 64, 129, 130, 143])
        #expect(codes.filter(\.isInterruption) == [.hungUp, .interrupted, .terminated])
    }
}
