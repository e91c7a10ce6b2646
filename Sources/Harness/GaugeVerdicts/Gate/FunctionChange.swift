import GaugeMeasurement

/// The instructions of one function in two builds.
package struct FunctionChange: Equatable, Sendable {
    /// The name in the source, if it can be demangled.
    package let name: String
    /// Instructions of one operation, in the function itself and not in its callees.
    package let base: Double
    package let head: Double

    package init(name: String, base: Double, head: Double) {
        self.name = name
        self.base = base
        self.head = head
    }

    package var change: Double { head - base }

    /// The most functions that are named.
    package static let most = 5
    /// Changes below this part of the largest are omitted.
    private static let least = 0.02

    /// The functions whose instructions changed most, largest change first.
    package static func changes(
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
