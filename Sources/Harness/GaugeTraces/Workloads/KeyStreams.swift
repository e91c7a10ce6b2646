import GaugeSupport

/// An endless sequence of key ids, the same in every run with the same seed.
///
/// An id stands for an object of the workload. ``RequestURLs`` computes its URL, ``BodySizes`` its length and
/// ``Payload`` its bytes.
@usableFromInline package protocol KeyStream: Sendable {
    /// The next requested id.
    mutating func next() -> UInt64

    /// Whether the last id began a visit, i.e. a page whose ids are requested at one moment. Without pages, every id
    /// begins a visit.
    var beginsVisit: Bool { get }
}

extension KeyStream {
    /// Every id begins a visit.
    @usableFromInline package var beginsVisit: Bool { true }

    /// The next `count` ids. Benchmarks draw them in advance, so that drawing isn't measured.
    @usableFromInline package mutating func draw(_ count: Int) -> [UInt64] { (0..<max(0, count)).map { _ in next() } }
}

/// Every key once, in order, like a crawl. No policy gets a hit.
@usableFromInline package struct ScanKeys: KeyStream {
    package var upcoming: UInt64

    @usableFromInline package init(first: UInt64 = 0) { upcoming = first }

    /// The next requested id: one more than the last.
    @usableFromInline package mutating func next() -> UInt64 {
        defer { upcoming &+= 1 }
        return upcoming
    }
}

/// The same keys over and over in the same order. An LRU cache that is one entry too small never hits.
@usableFromInline package struct LoopKeys: KeyStream {
    @usableFromInline package let objects: Int
    package var upcoming: UInt64 = 0

    /// A loop over `objects` keys, at least 1.
    @usableFromInline package init(objects: Int) { self.objects = max(1, objects) }

    /// The next requested id, below ``objects``.
    @usableFromInline package mutating func next() -> UInt64 {
        defer { upcoming = upcoming + 1 == UInt64(objects) ? 0 : upcoming + 1 }
        return upcoming
    }
}

/// Every key as likely as any other: no popularity for a cache to find.
@usableFromInline package struct UniformKeys: KeyStream {
    @usableFromInline package let objects: Int
    package var random: Xoshiro256

    /// A stream over `objects` keys, at least 1.
    @usableFromInline package init(objects: Int, seed: UInt64) {
        self.objects = max(1, objects)
        random = Xoshiro256(seed: seed, "uniform")
    }

    /// The next requested id, below ``objects``.
    @usableFromInline package mutating func next() -> UInt64 { random.next(below: UInt64(objects)) }
}

/// A few objects get most requests, and these objects change over time, like today's news. A cache has to forget
/// yesterday's.
///
/// The hot objects are neighbours; after the last object, they start over at the first.
@usableFromInline package struct HotspotKeys: KeyStream {
    @usableFromInline package let objects: Int
    /// The number of hot objects at one time, at least 1.
    @usableFromInline package let hot: Int
    package let share: Double
    package let every: Int
    package let step: Int
    package var first = 0
    package var untilMove: Int
    package var random: Xoshiro256

    /// Creates a stream.
    ///
    /// - Parameters:
    ///   - objects: the number of objects, at least 1.
    ///   - fraction: the hot part of the objects, from 0 to 1.
    ///   - share: the part of the requests for hot objects, from 0 to 1. The rest goes to all objects, hot ones
    ///     included.
    ///   - every: the hot objects move after so many requests, at least 1.
    ///   - step: how far they move, as a part of their number, from 0 (never) to 1 (all are replaced).
    ///   - seed: selects one of the possible streams.
    @usableFromInline package init(
        objects: Int, fraction: Double, share: Double, every: Int, step: Double, seed: UInt64
    ) {
        self.objects = max(1, objects)
        hot = Self.part(fraction, of: self.objects, atLeast: 1)
        self.share = share
        self.every = max(1, every)
        self.step = step > 0 ? Self.part(step, of: hot, atLeast: 1) : 0
        untilMove = self.every
        random = Xoshiro256(seed: seed, "hotspot")
    }

    /// The next requested id, below ``objects``.
    @usableFromInline package mutating func next() -> UInt64 {
        if untilMove == 0 {
            first = (first + step) % objects
            untilMove = every
        }
        untilMove -= 1
        guard random.nextUnit() < share else { return random.next(below: UInt64(objects)) }
        return UInt64((first + Int(random.next(below: UInt64(hot)))) % objects)
    }

    private static func part(_ fraction: Double, of whole: Int, atLeast least: Int) -> Int {
        guard fraction > 0 else { return least }
        return max(least, Int(min(fraction, 1) * Double(whole)))
    }
}

/// Several patterns in turns, drawn by weight, e.g. ordinary requests interrupted by a scan, which makes an LRU cache
/// evict popular objects.
@usableFromInline package struct MixedKeys: KeyStream {
    private let parts: [MixturePart]
    private let total: Double
    private var streams: [any KeyStream]
    private var random: Xoshiro256
    private var current = 0
    private var left = 0

    /// Whether the last id was the first of a visit.
    @usableFromInline package private(set) var beginsVisit = true

    /// Creates a stream over `objects` keys. If no part has a positive weight, only the first is used; without parts,
    /// or for a mixture among the parts, requests are uniform.
    @usableFromInline package init(objects: Int, parts: [MixturePart], seed: UInt64) {
        self.parts = parts.isEmpty ? [MixturePart(weight: 1, keys: .uniform)] : parts
        total = self.parts.reduce(0) { $0 + max(0, $1.weight) }
        random = Xoshiro256(seed: seed, "mixture")
        var scans: UInt64 = 0
        streams = self.parts.enumerated().map { number, part -> any KeyStream in
            switch part.keys {
            case .scan:
                // Far enough apart that no scan reaches the next, and near enough that the ids of 16 scans fit into 40
                // bits.
                defer { scans += 1 }
                return ScanKeys(first: UInt64(max(1, objects)) + scans << 36)
            case .mixture: return UniformKeys(objects: objects, seed: seed &+ UInt64(number))
            // Two parts of one kind have the same popular objects, requested in a different order.
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

/// One page after another, each with all its resources: first the document, then scripts, styles and images, some
/// shared by the whole site. A page always requests the same objects.
///
/// The shared objects are the first tenth. A hash of seed and page selects the objects of a page, so pages take no
/// memory.
@usableFromInline package struct PageKeys: KeyStream {
    @usableFromInline package let objects: Int
    @usableFromInline package let pattern: PagePattern
    private var visits: ZipfKeys
    private let seed: UInt64
    private var page: UInt64 = 0
    private var position = 0
    private var count = 0

    /// Creates a stream; values out of range are replaced by the nearest valid ones.
    @usableFromInline package init(objects: Int, pattern: PagePattern, seed: UInt64) {
        self.objects = max(1, objects)
        self.pattern = pattern
        self.seed = SplitMix64.derive(seed, "pages")
        visits = ZipfKeys(objects: pattern.pages, exponent: pattern.exponent, seed: seed)
    }

    /// The next requested id, below ``objects``.
    @usableFromInline package mutating func next() -> UInt64 {
        if position == count {
            page = visits.next()
            count = requests(of: page)
            position = 0
        }
        defer { position += 1 }
        return object(position, of: page)
    }

    /// Whether the last id was a page's document.
    @usableFromInline package var beginsVisit: Bool { position == 1 }

    package func requests(of page: UInt64) -> Int {
        let fewest = max(1, pattern.fewest)
        return fewest + Int(hash(page, 0) % UInt64(max(1, pattern.most - fewest + 1)))
    }

    private func object(_ position: Int, of page: UInt64) -> UInt64 {
        let bits = hash(page, UInt64(position) + 1)
        let shared = UInt64(max(1, objects / 10))
        let others = UInt64(objects) - shared
        // Each page has its own document, as long as there are enough objects.
        if position == 0 { return others == 0 ? 0 : shared + page % others }
        let isShared = Double(bits >> 40) * 0x1p-24 < pattern.shared
        return isShared || others == 0 ? bits % shared : shared + bits % others
    }

    private func hash(_ page: UInt64, _ position: UInt64) -> UInt64 {
        SplitMix64.mix(seed ^ SplitMix64.mix(page << 32 | position))
    }
}
