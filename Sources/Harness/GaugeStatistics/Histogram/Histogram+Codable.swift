/// Encoded as the buckets that are not empty, `[index, count, index, count, …]`, since most are empty.
extension Histogram: Codable {
    private enum CodingKeys: String, CodingKey { case buckets, sum, minimum, maximum }

    /// Reads the output of `encode(to:)`; throws `DecodingError` for invalid buckets.
    @usableFromInline package init(from decoder: any Decoder) throws {
        let container = try decoder.container(keyedBy: CodingKeys.self)
        let pairs = try container.decode([UInt64].self, forKey: .buckets)
        var counts = [UInt64](repeating: 0, count: HistogramBuckets.count)
        guard pairs.count.isMultiple(of: 2) else {
            throw DecodingError.dataCorruptedError(forKey: .buckets, in: container, debugDescription: "odd length")
        }
        for pair in stride(from: 0, to: pairs.count, by: 2) {
            guard let index = Int(exactly: pairs[pair]), counts.indices.contains(index) else {
                throw DecodingError.dataCorruptedError(
                    forKey: .buckets, in: container, debugDescription: "no such bucket")
            }
            counts[index] = pairs[pair + 1]
        }
        self.init(
            counts: counts, sum: try container.decode(UInt64.self, forKey: .sum),
            minimum: try container.decode(UInt64.self, forKey: .minimum),
            maximum: try container.decode(UInt64.self, forKey: .maximum))
    }

    /// Writes the buckets that are not empty.
    @usableFromInline package func encode(to encoder: any Encoder) throws {
        var container = encoder.container(keyedBy: CodingKeys.self)
        var pairs: [UInt64] = []
        for (index, number) in counts.enumerated() where number > 0 { pairs += [UInt64(index), number] }
        try container.encode(pairs, forKey: .buckets)
        try container.encode(sum, forKey: .sum)
        try container.encode(minimum, forKey: .minimum)
        try container.encode(maximum, forKey: .maximum)
    }
}
