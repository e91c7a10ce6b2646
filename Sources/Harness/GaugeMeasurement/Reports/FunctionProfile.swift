import GaugeSupport

/// Where the instructions of each row are executed, as `run --instructions --verbose` prints it.
enum FunctionProfile {
    /// The part of a row's instructions that the functions shown cover, and the most that are shown.
    private static let (shown, most) = (0.9, 30)

    /// A block for each row whose instructions were counted, the most expensive function first.
    static func text(_ rows: [ResultRow], width: Int) -> String {
        let blocks = rows.compactMap { row in row.instructions.map { block(row.name.description, $0, width: width) } }
        guard !blocks.isEmpty else { return "" }
        return "instructions of one operation by function, without what it calls\n" + blocks.joined()
    }

    private static func block(_ name: String, _ count: InstructionCount, width: Int) -> String {
        var text = "\(name): \(Quantity.each(count.perOperation))\n"
        var (sum, number) = (0.0, 0)
        for function in count.functions where function.perOperation > 0 {
            guard sum < shown * count.perOperation, number < most else { break }
            sum += function.perOperation
            number += 1
            let cells = [
                Quantity.each(function.perOperation), Quantity.percent(function.perOperation / count.perOperation),
            ].map { $0.leftPadded(to: 10) }
            text += cells.joined() + "  " + Demangling.name(function.name).prefix(max(20, width - 22)) + "\n"
        }
        return text
    }
}
