import Foundation
import Testing

@testable import GaugeMeasurement
@testable import GaugeSupport

/// Sequences of operations of which each has its own profile.
@Suite("Counts of a sequence") struct SequenceCountTests {
    @Test(
        "the tail is the most expensive hundredth, rounded up",
        arguments: [(1, 1), (99, 1), (100, 1), (101, 2), (150, 2), (200, 2), (201, 3), (2_048, 21), (0, 0)])
    func counts(operations: Int, count: Int) { #expect(CostTail.count(of: operations) == count) }

    @Test("the tail has the mean of the most expensive hundredth, and the most expensive of all") func tails() {
        let costs = [UInt64](repeating: 10, count: 148) + [70, 90]
        for order in [costs, costs.reversed()] {
            let tail = CostTail(order)
            #expect(tail?.worst == 90 && tail?.worstPercent == 80)
        }
        #expect(CostTail([]) == nil)
    }

    private static func dumps(_ texts: [String]) -> CallgrindDumps { CallgrindDumps(Array(texts.joined().utf8)) }

    @Test("of equally expensive operations the earlier ones are looked at, and totals of any length are read")
    func equalCosts() throws {
        let cost = UInt64.max / 400
        let dumps = (0..<150).map { number in
            "part: \(number + 1)\nevents: Ir sysCount\nfn=(\(number)) own\(number)\n1 \(cost) 3\n\ntotals: \(cost) 3\n"
        }
        let count = try SequenceCount(Self.dumps(dumps), from: 1, count: 150)
        #expect(count.functions.map(\.name) == ["own0", "own1"] && count.systemCalls == 3)
        let long = "part: 1\nevents: Ir sysCount\ntotals: \(String(repeating: "0", count: 180))42 7\n"
        #expect(try Self.dumps([long]).totals(1) == (42, 7))
    }

    /// Of 150 operations numbers 3 and 7 execute most, and number 5 makes most system calls.
    @Test("functions are those of the most expensive hundredth, and system calls the most of any operation")
    func profiles() throws {
        let dumps = (0..<153).map { place in
            let number = place - 3
            let (cost, calls) = number == 3 ? (300, 1) : number == 7 ? (500, 2) : number == 5 ? (20, 9) : (10, 0)
            return """
                part: \(place + 1)
                events: Ir sysCount
                fn=(1) work
                1 \(cost - 5) \(calls)
                fn=(\(place + 2)) rest\(number)
                1 5

                totals: \(cost) \(calls)

                """
        }
        let count = try SequenceCount(Self.dumps(dumps), from: 4, count: 150)
        #expect(count.instructions.worst == 500 && count.instructions.worstPercent == 400)
        #expect(count.systemCalls == 9)
        #expect(count.functions.map(\.name) == ["work", "rest3", "rest7"])
        #expect(count.functions.map(\.perOperation) == [395, 2.5, 2.5])
        #expect(throws: GaugeError.self) { try SequenceCount(Self.dumps(dumps), from: 5, count: 150) }
        #expect(throws: GaugeError.self) { try SequenceCount(Self.dumps(dumps), from: 4, count: 0) }
    }
}
