import GaugeSupport
import Platform

/// The files that the operands of a command name: paths, `-`, and name patterns with `*`, `?` and `[…]`.
struct TracePaths: Sendable {
    /// The most files that one trace may have, all of which are open at once.
    static let most = 512

    /// In the order of the operands; those of a pattern by name, in which numbers count by their values.
    let paths: [String]

    /// Finds the files. A path of an existing file is no pattern, whatever characters it has.
    ///
    /// - Throws: `UsageError` when a pattern matches no file, a file is named twice, or there are too many.
    init(_ operands: [String]) throws(UsageError) {
        var paths: [String] = []
        for operand in operands { paths += try Self.matches(of: operand) }
        if let twice = Dictionary(grouping: paths, by: \.self).first(where: { $0.value.count > 1 })?.key {
            throw UsageError("\(twice) is named twice; name each file of the trace once")
        }
        guard paths.count <= Self.most else {
            throw UsageError(
                "\(paths.count) files are more than the \(Self.most) that are read side by side; join some with cat")
        }
        self.paths = paths
    }

    private static func matches(of operand: String) throws(UsageError) -> [String] {
        guard operand != "-", operand.contains(where: { "*?[".contains($0) }), access(operand, F_OK) != 0 else {
            return [operand]
        }
        var found = glob_t()
        defer { globfree(&found) }
        guard glob(operand, GLOB_NOSORT, nil, &found) == 0, let names = found.gl_pathv else {
            throw UsageError("no file matches '\(operand)'; check the pattern, or name the files")
        }
        return (0..<Int(found.gl_pathc)).compactMap { names[$0].map { String(cString: $0) } }.sorted(by: isBefore)
    }

    /// Compares names so that `part2` comes before `part10`.
    static func isBefore(_ one: String, _ other: String) -> Bool {
        var (left, right) = (ArraySlice(one.utf8), ArraySlice(other.utf8))
        while let first = left.first, let second = right.first {
            let (number, otherNumber) = (left.prefix(while: isDigit), right.prefix(while: isDigit))
            if !number.isEmpty, !otherNumber.isEmpty {
                let (value, otherValue) = (number.drop { $0 == 0x30 }, otherNumber.drop { $0 == 0x30 })
                guard value.elementsEqual(otherValue) else {
                    return value.count == otherValue.count
                        ? value.lexicographicallyPrecedes(otherValue) : value.count < otherValue.count
                }
                (left, right) = (left.dropFirst(number.count), right.dropFirst(otherNumber.count))
            } else {
                guard first == second else { return first < second }
                (left, right) = (left.dropFirst(), right.dropFirst())
            }
        }
        // Names that differ in leading zeros alone are in the order of their bytes.
        return left.isEmpty && right.isEmpty ? one < other : left.isEmpty
    }

    private static func isDigit(_ byte: UInt8) -> Bool { byte >= 0x30 && byte <= 0x39 }
}
