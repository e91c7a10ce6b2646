/// Instructions of one operation, as callgrind counts them: the same on every run of one build on one machine, which no
/// time is.
struct InstructionCount: Codable, Equatable, Sendable {
    /// Of one operation, without what does not grow with their number.
    let perOperation: Double
    /// System calls of one operation, without those that read the clock; `nil` when they were not counted.
    let systemCalls: Double?
    /// How many operations the count was taken over.
    let operations: Int
    /// Where they are spent, the most expensive first.
    let functions: [Function]

    struct Function: Codable, Equatable, Sendable {
        let name: String
        /// Of one operation, in the function itself and not in what it calls.
        let perOperation: Double
    }

    init(perOperation: Double, systemCalls: Double? = nil, operations: Int, functions: [Function]) {
        self.perOperation = perOperation
        self.systemCalls = systemCalls
        self.operations = operations
        self.functions = functions
    }

    /// From the profiles of `operations` and of twice as many: what both have in common is not the operations'.
    init(once: CallgrindProfile, twice: CallgrindProfile, operations: Int) {
        func part(_ more: UInt64, _ less: UInt64) -> Double { (Double(more) - Double(less)) / Double(operations) }
        self.operations = operations
        perOperation = part(twice.total, once.total)
        if let more = twice.systemCalls, let less = once.systemCalls {
            // Fewer in the longer run: what there was once, for memory, is not the operations'.
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
