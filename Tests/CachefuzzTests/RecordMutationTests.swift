import Testing

@testable import cachefuzz

/// The mutator of inputs that are operations of one width.
@Suite("Mutation of operations") struct RecordMutationTests {
    @Test("what comes out is whole operations and within the limit", arguments: 0..<2_000 as Range<UInt32>)
    func wholeRecords(seed: UInt32) {
        var mutation = RecordMutation(width: 4, seed: seed)
        let input = (0..<Int(seed % 70)).map { UInt8($0) }
        let other = (0..<Int(seed % 41)).map { UInt8(255 - $0) }
        let limit = 4 + Int(seed % 60)
        for output in [mutation.change(input, limit: limit), mutation.join(input, other, limit: limit)] {
            #expect(output.count % 4 == 0 && output.count <= limit, "seed \(seed)")
        }
    }

    @Test("two inputs are joined between operations: a beginning of the one, then an end of the other") func joins() {
        let one = [UInt8](repeating: 1, count: 12)
        let other = [UInt8](repeating: 2, count: 12)
        var lengths: Set<[Int]> = []
        for seed in 0..<200 as Range<UInt32> {
            var mutation = RecordMutation(width: 4, seed: seed)
            let joined = mutation.join(one, other, limit: 64)
            let head = joined.prefix { $0 == 1 }.count
            #expect(joined.dropFirst(head).allSatisfy { $0 == 2 }, "seed \(seed)")
            lengths.insert([head, joined.count - head])
        }
        // Every pair of lengths occurs.
        #expect(lengths.count == 16)
    }

    @Test("what stands before the first operation stays there, and operations behind it stay whole") func head() {
        let input: [UInt8] = [9] + (0..<10 as Range<UInt8>).flatMap { [UInt8](repeating: $0, count: 4) }
        var starts: Set<UInt8> = []
        var orders: Set<[UInt8]> = []
        for seed in 0..<2_000 as Range<UInt32> {
            var mutation = RecordMutation(width: 4, head: 1, seed: seed)
            let changed = mutation.change(input, limit: 33)
            #expect(changed.count % 4 == 1 && changed.count <= 33, "seed \(seed)")
            if let start = changed.first { starts.insert(start) }
            // The unchanged operations show where operations were moved.
            orders.insert(stride(from: 1, to: changed.count, by: 4).map { changed[$0] })
            #expect(mutation.join(input, [7], limit: 64).first == 9, "seed \(seed)")
        }
        #expect(starts.contains(9) && starts.count > 10)
        // One was moved to the front, one left out.
        #expect(orders.contains([9, 0, 1, 2, 3, 4, 5, 6]) && orders.contains([0, 1, 2, 3, 4, 5, 6, 7]))
        #expect(orders.contains([1, 2, 3, 4, 5, 6, 7, 8]))
    }

    @Test("an empty input becomes one with the bytes before the first operation") func emptyInput() {
        var mutation = RecordMutation(width: 4, head: 1, seed: 1)
        #expect(mutation.change([], limit: 64).count % 4 == 1)
        #expect(mutation.change([], limit: 0).isEmpty)
    }

    @Test("every kind of change comes up: more operations, fewer, as many") func changes() {
        let input = [UInt8](repeating: 7, count: 40)
        var lengths: Set<Int> = []
        for seed in 0..<200 as Range<UInt32> {
            var mutation = RecordMutation(width: 4, seed: seed)
            lengths.insert(mutation.change(input, limit: 400).count.signum(40))
        }
        #expect(lengths == [-1, 0, 1])
    }
}

extension Int {
    /// The sign of the difference to `middle`.
    fileprivate func signum(_ middle: Int) -> Int { (self - middle).signum() }
}
