/// Instructions of one function in two builds.
struct FunctionChange: Equatable, Sendable {
    /// As the source has it, where that can be found out.
    let name: String
    /// Of one operation, in the function itself and not in what it calls.
    let base: Double
    let head: Double

    var change: Double { head - base }

    /// How many are named.
    static let most = 5
    /// Changes below this part of the largest explain nothing.
    private static let least = 0.02

    /// The functions whose instructions changed most, the most first.
    static func changes(
        from base: [InstructionCount.Function], to head: [InstructionCount.Function]
    ) -> [FunctionChange] {
        var table: [String: (base: Double, head: Double)] = [:]
        for function in base { table[function.name, default: (0, 0)].base += function.perOperation }
        for function in head { table[function.name, default: (0, 0)].head += function.perOperation }
        let changes = table.map { FunctionChange(name: $0.key, base: $0.value.base, head: $0.value.head) }
            .sorted { (abs($1.change), $0.name) < (abs($0.change), $1.name) }
        guard let largest = changes.first, largest.change != 0 else { return [] }
        return changes.prefix(most).filter { abs($0.change) >= least * abs(largest.change) }
            .map { FunctionChange(name: Demangling.name($0.name), base: $0.base, head: $0.head) }
    }
}
