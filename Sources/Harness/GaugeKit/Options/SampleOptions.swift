import GaugeSupport
import GaugeTraces

/// The options of `mrc` for a sample of the keys.
struct SampleOptions: Sendable {
    static let rate = CommandOption.number(
        "sample", "RATE", in: 1e-9...1, help: "simulate this share of the keys, such as 0.01, and estimate the rest")
    static let objects = CommandOption<Int>.whole(
        "sample-objects", in: 64...1 << 30, help: "simulate at most so many keys, such as 8192, and estimate the rest")
    static let shard = CommandOption<(number: Int, count: Int)>(
        "shard", "I/N", help: "simulate the Ith of N parts of the keys; --merge joins the results"
    ) { (text) throws(UsageError) in
        let parts = text.split(separator: "/", omittingEmptySubsequences: false).map { Int($0) }
        guard parts.count == 2, let number = parts[0], let count = parts[1], (1...100_000).contains(count),
            (1...count).contains(number)
        else { throw UsageError("'\(text)' is not like 3/8: the third of eight shards, of at most 100000") }
        return (number, count)
    }

    static let all = [rate.specification, objects.specification, shard.specification]

    static let notes = """
        A sample holds every request for some of the keys, and simulates caches that are smaller by the same rate
        (SHARDS). The rest of the trace is read and counted, but takes no memory. The error stated is half of a 95 %
        interval. Results of shards, written with --format json, are joined with mrc --merge FILE…; every shard reads
        the whole trace.
        """

    private let rate: Double?
    private let objects: Int?
    private let shard: (number: Int, count: Int)?

    init(_ arguments: ParsedArguments) {
        rate = arguments[Self.rate]
        objects = arguments[Self.objects]
        shard = arguments[Self.shard]
    }

    /// The sample; `nil` if every key is simulated.
    func sample(seed: UInt64) -> KeySample? {
        guard rate != nil || objects != nil || shard != nil else { return nil }
        return KeySample(
            seed: SplitMix64.derive(seed, "sample"), rate: rate ?? 1, mostKeys: objects,
            shard: (shard?.number ?? 1) - 1, of: shard?.count ?? 1)
    }
}
