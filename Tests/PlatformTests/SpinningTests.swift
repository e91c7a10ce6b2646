import Testing

@testable import Platform

/// How long a thread waits between two looks at what another one holds.
@Suite struct SpinningTests {
    @Test("a backoff is 200 pauses, then 20 yields, then naps") func backoff() {
        var backoff = SpinBackoff()
        let steps = (0..<230).map { _ in backoff.next() }
        #expect(steps[..<200].allSatisfy { $0 == .pause })
        #expect(steps[200..<220].allSatisfy { $0 == .yield })
        #expect(steps[220...].allSatisfy { $0 == .nap })
    }

    @Test("a lock is tried 150 times, after one pause, then two, and at last eight each time") func tries() {
        var pauses: [Int] = []
        var tries = 0
        let isTaken = Lock.spin(pause: { pauses.append($0) }) {
            tries += 1
            return false
        }
        #expect(!isTaken && tries == 150)
        #expect(pauses == Array(1...8) + Array(repeating: 8, count: 142))
    }

    @Test("a lock that a try took is not tried again", arguments: [1, 2, 150])
    func taken(at success: Int) {
        var steps: [String] = []
        var tries = 0
        let isTaken = Lock.spin(pause: { _ in steps.append("pause") }) {
            steps.append("try")
            tries += 1
            return tries == success
        }
        #expect(isTaken && tries == success)
        #expect(steps == Array(repeating: ["pause", "try"], count: success).flatMap { $0 })
    }
}
