import Foundation
import TestSupport
import Testing

@testable import GaugeMeasurement

#if os(Linux)
private let countsAllocations = true
#else
private let countsAllocations = false
#endif

/// The results of the real executable for work of known cost.
@Suite("Harness on work of known cost") struct HarnessTests {
    /// The numbers of each row that matches, by its name.
    private static func rows(_ filter: String, _ options: String...) -> [String: [String: Double]] {
        let always = ["run", "--suite", "harness", "--filter", filter, "--seconds", "0.2", "--format", "json"]
        let run = try? ChildRun("cachegauge", always + options)
        let document = run.flatMap { try? JSONSerialization.jsonObject(with: Data($0.output.utf8)) } as? [String: Any]
        let entries = document?["benchmarks"] as? [[String: Any]] ?? []
        // The values of a whole row are in the aggregate that has a minimum.
        let rows = entries.filter { $0["minimum"] != nil }
        return Dictionary(rows.map { ($0["run_name"] as? String ?? "", $0.compactMapValues { $0 as? Double }) }) { $1 }
    }

    // Measured in instructions, because time depends on other work on the machine.
    @Test(
        "four times the work takes about four times as many instructions, and an empty body about none",
        .enabled(if: (try? Valgrind()) != nil))
    func fourTimesTheWorkTakesFourTimesAsManyInstructions() throws {
        let rows = Self.rows("^harness/(chain/|batched/empty$)", "--instructions")
        func instructions(_ name: String) throws -> Double {
            try #require(rows[name]?["instructions_per_operation"], "\(name)")
        }
        let work = try instructions("harness/chain/64")
        let ratio = try instructions("harness/chain/256") / work
        #expect((3.5...4).contains(ratio), "\(ratio)")
        let part = try instructions("harness/batched/empty") / work
        #expect(part < 0.1, "\(part)")
    }

    @Test(
        "an allocation is counted once, and work without allocations has a count of 0",
        .enabled(if: countsAllocations, "allocations are counted on Linux alone"))
    func anAllocationIsCountedOnceAndWorkWithoutAllocationsHasACountOf0() throws {
        let rows = Self.rows("^harness/(allocation/one|batched/empty|chain/64|timed/empty)$")
        let one = try #require(rows["harness/allocation/one"])
        #expect(one["allocations_per_operation"] == 1)
        #expect(one["allocated_bytes_per_operation"] == 100)
        for name in ["harness/batched/empty", "harness/chain/64", "harness/timed/empty"] {
            #expect(rows[name]?["allocations_per_operation"] == 0, "\(name)")
        }
    }

    @Test("the executable lists its benchmarks, and names the remedy for an unknown name")
    func theExecutableListsItsBenchmarksAndNamesTheRemedyForAnUnknownName() throws {
        let list = try ChildRun("cachegauge", ["list", "--filter", "^harness/chain"])
        let names = list.output.split(separator: "\n").filter { !$0.hasPrefix("#") }.map { $0.prefix { $0 != " " } }
        #expect(names == ["harness/chain/64", "harness/chain/256"])
        let wrong = try ChildRun("cachegauge", ["run", "--filter", "harnes/chain/65"])
        #expect(wrong.status == 64)
    }
}
