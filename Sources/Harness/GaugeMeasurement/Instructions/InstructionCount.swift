import Foundation
import GaugeSupport

/// The instructions of one operation, as callgrind counts them. Unlike a time, the count repeats exactly on every run
/// of one build on one machine.
package struct InstructionCount: Codable, Equatable, Sendable {
    /// Instructions of one operation, without costs that don't grow with the number of operations.
    package let perOperation: Double
    /// System calls of one operation, except those that read the clock; `nil` if not counted.
    package var systemCalls: Double?
    package let operations: Int
    /// The functions that execute the instructions, most expensive first.
    package let functions: [Function]

    package struct Function: Codable, Equatable, Sendable {
        package let name: String
        /// Instructions of one operation in the function itself, without its callees'.
        package let perOperation: Double
    }
}

extension InstructionCount {
    /// Computes the count from the profiles of `operations` and of twice as many; what they share isn't due to the
    /// operations.
    package init(once: CallgrindProfile, twice: CallgrindProfile, operations: Int) {
        func part(_ more: UInt64, _ less: UInt64) -> Double { (Double(more) - Double(less)) / Double(operations) }
        self.operations = operations
        perOperation = part(twice.total, once.total)
        if let more = twice.systemCalls, let less = once.systemCalls {
            // The longer run can have fewer: one-time calls, for memory, aren't due to the operations.
            systemCalls = max(0, part(more, less))
        } else {
            systemCalls = nil
        }
        let names = Set(twice.functions.keys).union(once.functions.keys)
        functions = names.map { name in
            Function(name: name, perOperation: part(twice.functions[name] ?? 0, once.functions[name] ?? 0))
        }.filter { $0.perOperation != 0 }.sorted { ($1.perOperation, $0.name) < ($0.perOperation, $1.name) }
    }
}

/// The most expensive operations of a sequence.
package struct CostTail: Codable, Equatable, Sendable {
    /// The mean cost of the most expensive hundredth.
    package let worstPercent: Double
    /// The cost of the most expensive operation.
    package let worst: Double

    /// `nil` without operations.
    package init?(_ costs: [UInt64]) {
        let worst = costs.sorted(by: >).prefix(Self.count(of: costs.count))
        guard let most = worst.first else { return nil }
        self.worst = Double(most)
        worstPercent = worst.reduce(0) { $0 + Double($1) } / Double(worst.count)
    }

    /// The number of operations in the most expensive hundredth, rounded up.
    package static func count(of operations: Int) -> Int { (operations + 99) / 100 }
}

/// The instructions of each operation in a fixed sequence; the most expensive ones are kept.
package struct SequenceCount: Codable, Equatable, Sendable {
    package let instructions: CostTail
    /// The most system calls of one operation, except those that read the clock; `nil` if not counted.
    package let systemCalls: Double?
    /// The functions of the most expensive hundredth, most expensive first, by instructions of one operation.
    package let functions: [InstructionCount.Function]

    /// Operations in the sequence: enough for work that is done every 1,024th time.
    package static let operations = 2_048

    /// Reads the dumps from `first` on, one for each operation: the totals of all, and the functions only of those that
    /// matter.
    ///
    /// - Throws: `GaugeError` if one is missing.
    package init(_ dumps: CallgrindDumps, from first: Int, count: Int) throws {
        let totals = try (0..<count).map { try dumps.totals(first + $0) }
        guard let tail = CostTail(totals.map(\.instructions)) else { throw GaugeError("no operation was counted") }
        instructions = tail
        func worst(by cost: (Int) -> UInt64) throws -> [CallgrindProfile] {
            // Equal costs stay in the order of the sequence, so that the choice is the same every time.
            let order = (0..<count).sorted { (cost($1), $0) < (cost($0), $1) }
            return try order.prefix(CostTail.count(of: count)).map {
                try dumps.profile(first + $0)
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
