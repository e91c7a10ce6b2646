import GaugeSupport

/// One page after another, each with all its resources: first the document, then scripts, styles and images, some of
/// them shared by the whole site. A page requests the same objects every time.
///
/// The shared objects are the first tenth of all objects. A hash of seed and page selects the objects of a page, so
/// pages take no memory.
@usableFromInline package struct PageKeys: KeyStream {
    /// The number of objects.
    @usableFromInline package let objects: Int
    /// The pattern of the pages.
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

    /// The number of requests of a page.
    package func requests(of page: UInt64) -> Int {
        let fewest = max(1, pattern.fewest)
        return fewest + Int(hash(page, 0) % UInt64(max(1, pattern.most - fewest + 1)))
    }

    private func object(_ position: Int, of page: UInt64) -> UInt64 {
        let bits = hash(page, UInt64(position) + 1)
        let shared = UInt64(max(1, objects / 10))
        let others = UInt64(objects) - shared
        // Each page has a different document as long as there are enough objects.
        if position == 0 { return others == 0 ? 0 : shared + page % others }
        let isShared = Double(bits >> 40) * 0x1p-24 < pattern.shared
        return isShared || others == 0 ? bits % shared : shared + bits % others
    }

    private func hash(_ page: UInt64, _ position: UInt64) -> UInt64 {
        SplitMix64.mix(seed ^ SplitMix64.mix(page << 32 | position))
    }
}
