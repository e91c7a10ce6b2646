import GaugeSupport

/// Several patterns in turns, drawn by weight: for example, ordinary requests interrupted by a scan, which makes an LRU
/// cache evict popular objects.
@usableFromInline package struct MixedKeys: KeyStream {
    private let parts: [MixturePart]
    private let total: Double
    private var streams: [any KeyStream]
    private var random: Xoshiro256
    private var current = 0
    private var left = 0

    /// Whether the last id was the first of a visit.
    @usableFromInline package private(set) var beginsVisit = true

    /// Creates a stream over `objects` keys. If no part has a positive weight, only the first part is used; without any
    /// part, the stream is uniform. A mixture among the parts is taken as uniform.
    @usableFromInline package init(objects: Int, parts: [MixturePart], seed: UInt64) {
        self.parts = parts.isEmpty ? [MixturePart(weight: 1, keys: .uniform)] : parts
        total = self.parts.reduce(0) { $0 + max(0, $1.weight) }
        random = Xoshiro256(seed: seed, "mixture")
        var scans: UInt64 = 0
        streams = self.parts.enumerated().map { number, part -> any KeyStream in
            switch part.keys {
            case .scan:
                // Far enough apart that no scan reaches the next, and that the ids of 16 scans fit into 40 bits.
                defer { scans += 1 }
                return ScanKeys(first: UInt64(max(1, objects)) + scans << 36)
            case .mixture: return UniformKeys(objects: objects, seed: seed &+ UInt64(number))
            // Two parts of one kind have the same popular objects, but in a different order of requests.
            default: return part.keys.stream(objects: objects, seed: seed &+ UInt64(number))
            }
        }
    }

    /// The next requested id.
    @usableFromInline package mutating func next() -> UInt64 {
        let isTurn = left == 0
        if isTurn { takeTurns() }
        left -= 1
        let key = streams[current].next()
        // An interrupted page continues where it stopped.
        beginsVisit = isTurn || streams[current].beginsVisit
        return key
    }

    private mutating func takeTurns() {
        var point = random.nextUnit() * total
        current = 0
        for (number, part) in parts.enumerated() where part.weight > 0 {
            current = number
            point -= part.weight
            if point < 0 { break }
        }
        left = max(1, parts[current].run)
    }
}
