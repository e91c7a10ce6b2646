import Foundation
import GaugeSupport

/// The instructions of each operation of a fixed sequence, of which the most expensive are kept.
package struct SequenceCount: Equatable, Sendable {
    package let instructions: CostTail
    /// System calls of the operation that makes most, without those that read the clock; `nil` when they were not
    /// counted.
    package let systemCalls: Double?
    /// The functions of the most expensive hundredth, by instructions of one operation, most expensive first.
    package let functions: [InstructionCount.Function]

    /// Operations in the sequence: enough for work that is done every 1,024th time.
    package static let operations = 2_048

    /// Reads the profiles `output.first`, …, one for each operation.
    ///
    /// Only the totals of all are read, and the functions of those that matter.
    ///
    /// - Throws: `GaugeError` when one is missing.
    package init(profiles output: String, from first: Int, count: Int) throws {
        let totals = try (0..<count).map { try CallgrindProfile.totals(ofFile: "\(output).\(first + $0)") }
        guard let tail = CostTail(totals.map(\.instructions)) else { throw GaugeError("no operation was counted") }
        instructions = tail
        func worst(by cost: (Int) -> UInt64) throws -> [CallgrindProfile] {
            // In the order of the sequence where costs are equal, so that the choice is the same every time.
            let order = (0..<count).sorted { (cost($1), $0) < (cost($0), $1) }
            return try order.prefix(CostTail.count(of: count)).map {
                try CallgrindProfile(ofFile: "\(output).\(first + $0)")
            }
        }
        let profiles = try worst { totals[$0].instructions }
        var table: [String: UInt64] = [:]
        for profile in profiles { table.merge(profile.functions) { $0 &+ $1 } }
        functions = table.map {
            InstructionCount.Function(name: $0.key, perOperation: Double($0.value) / Double(profiles.count))
        }.sorted { ($1.perOperation, $0.name) < ($0.perOperation, $1.name) }
        systemCalls =
            totals.contains { $0.systemCalls != nil }
            ? try worst { totals[$0].systemCalls ?? 0 }.compactMap(\.systemCalls).max().map { Double($0) } : nil
    }
}
