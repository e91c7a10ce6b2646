import Foundation
import TestSupport
import Testing

/// What the harness says about work whose cost is known, measured by the real executable.
struct HarnessTests {
    /// The numbers of each row, by its name.
    private static let rows: [String: [String: Double]] = {
        let run = try? ChildRun("cachegauge", ["run", "--suite", "harness", "--seconds", "2", "--format", "json"])
        let document = run.flatMap { try? JSONSerialization.jsonObject(with: Data($0.output.utf8)) } as? [String: Any]
        let entries = document?["benchmarks"] as? [[String: Any]] ?? []
        // What belongs to a whole row is in the aggregate that has a minimum.
        let rows = entries.filter { $0["minimum"] != nil }
        return Dictionary(rows.map { ($0["run_name"] as? String ?? "", $0.compactMapValues { $0 as? Double }) }) { $1 }
    }()

    private func value(_ key: String, of name: String) throws -> Double {
        try #require(Self.rows[name]?[key], "\(name) has no \(key)")
    }

    // The minimum over hundreds of batches of both, in alternation: what disturbs the machine lengthens some of them
    // and shortens none.
    @Test func `four times the work takes about four times as long`() throws {
        let ratio = try value("minimum", of: "harness/chain/256") / value("minimum", of: "harness/chain/64")
        #expect((2.5...6).contains(ratio), "\(ratio)")
    }

    @Test func `an empty body measures about nothing`() throws {
        let part = try value("minimum", of: "harness/batched/empty") / value("minimum", of: "harness/chain/64")
        #expect(part < 0.1, "\(part)")
    }

    @Test func `an allocation is counted as one, and work without any as none`() throws {
        try #require(Self.rows["harness/allocation/one"] != nil)
        guard Self.rows["harness/allocation/one"]?["allocations_per_operation"] != nil else { return }
        #expect(try value("allocations_per_operation", of: "harness/allocation/one") == 1)
        #expect(try value("allocated_bytes_per_operation", of: "harness/allocation/one") == 100)
        for name in ["harness/batched/empty", "harness/chain/64", "harness/timed/empty"] {
            #expect(try value("allocations_per_operation", of: name) == 0, "\(name)")
        }
    }

    @Test func `the executable lists, and names the remedy for what it has not`() throws {
        let list = try ChildRun("cachegauge", ["list", "--filter", "^harness/chain"])
        #expect(list.output == "harness/chain/64\nharness/chain/256\n")
        let wrong = try ChildRun("cachegauge", ["run", "--filter", "harnes/chain/65"])
        #expect(wrong.status == 64)
    }
}
