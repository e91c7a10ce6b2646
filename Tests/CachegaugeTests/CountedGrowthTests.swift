import TestSupport
import Testing

/// Parsers whose work must not grow with the square of what they read (the executable CountedGrowth, a process for
/// each).
@Suite struct CountedGrowthTests {
    static let readers: [String] = {
        let listed = try? ChildRun("CountedGrowth", ["list"]).output.split(separator: "\n").map(String.init)
        return listed ?? []
    }()

    @Test("twice as long an input takes at most some three times the bytes, and no time", arguments: readers)
    func growth(reader: String) throws {
        let run = try ChildRun("CountedGrowth", [reader])
        // Ended by the system where an input takes too long, which is the last one.
        #expect(run.status == 0, "\(run.output.suffix(200))\(run.errors)")
        for line in run.output.split(separator: "\n") {
            let counts = line.split(separator: ":")[1].split(separator: " ").compactMap { Int($0) }
            try #require(counts.count == 6, "\(line)")
            for kind in 0..<2 where counts[4 + kind] > 1_000_000 {
                // 2 where the work is a line, 4 where it's a square.
                #expect(Double(counts[4 + kind]) < 3 * Double(max(counts[2 + kind], 1)), "\(line)")
            }
        }
    }

    @Test("every reader is tried") func kinds() { #expect(Self.readers.count > 25) }
}
