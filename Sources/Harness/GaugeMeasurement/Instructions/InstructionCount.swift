/// The instructions of one operation, as callgrind counts them. Unlike a time, the count is the same on every run of
/// one build on one machine.
package struct InstructionCount: Codable, Equatable, Sendable {
    /// Instructions of one operation, without costs that do not grow with the number of operations.
    package let perOperation: Double
    /// System calls of one operation, without those that read the clock; `nil` when they were not counted.
    package let systemCalls: Double?
    /// The number of operations that were counted.
    package let operations: Int
    /// The functions that execute the instructions, most expensive first.
    package let functions: [Function]

    package struct Function: Codable, Equatable, Sendable {
        package let name: String
        /// Instructions of one operation, in the function itself and not in its callees.
        package let perOperation: Double
    }

    package init(perOperation: Double, systemCalls: Double? = nil, operations: Int, functions: [Function]) {
        self.perOperation = perOperation
        self.systemCalls = systemCalls
        self.operations = operations
        self.functions = functions
    }

    /// Computes the count from the profiles of `operations` and of twice as many, whose common part is not due to the
    /// operations.
    package init(once: CallgrindProfile, twice: CallgrindProfile, operations: Int) {
        func part(_ more: UInt64, _ less: UInt64) -> Double { (Double(more) - Double(less)) / Double(operations) }
        self.operations = operations
        perOperation = part(twice.total, once.total)
        if let more = twice.systemCalls, let less = once.systemCalls {
            // The longer run can have fewer: calls made once, for memory, are not due to the operations.
            systemCalls = max(0, part(more, less))
        } else {
            systemCalls = nil
        }
        let names = Set(twice.functions.keys).union(once.functions.keys)
        functions = names.map { name in
            Function(
                name: name, perOperation: part(twice.functions[name] ?? 0, once.functions[name] ?? 0))
        }.filter { $0.perOperation != 0 }.sorted { ($1.perOperation, $0.name) < ($0.perOperation, $1.name) }
    }
}
