import GaugeSupport

/// The pattern of a key stream: a value that can be printed, compared and turned into the stream.
@usableFromInline package indirect enum KeyPattern: Hashable, Sendable, CustomStringConvertible {
    /// ``ZipfKeys``.
    case zipf(exponent: Double)
    /// ``UniformKeys``.
    case uniform
    /// ``HotspotKeys``: `share` of the requests go to a `fraction` of the objects, which moves by `step` of its width
    /// after every `every` requests.
    case hotspot(fraction: Double, share: Double, every: Int, step: Double)
    /// ``ScanKeys``.
    case scan
    /// ``LoopKeys``.
    case loop
    /// ``PageKeys``.
    case pages(PagePattern)
    /// ``MixedKeys``. Scans among the parts begin after the other parts' objects, and share none.
    case mixture([MixturePart])

    /// The stream over `objects` keys for a seed. A scan is endless and ignores `objects`.
    @usableFromInline package func stream(objects: Int, seed: UInt64) -> any KeyStream {
        switch self {
        case .zipf(let exponent): ZipfKeys(objects: objects, exponent: exponent, seed: seed)
        case .uniform: UniformKeys(objects: objects, seed: seed)
        case .hotspot(let fraction, let share, let every, let step):
            HotspotKeys(objects: objects, fraction: fraction, share: share, every: every, step: step, seed: seed)
        case .scan: ScanKeys()
        case .loop: LoopKeys(objects: objects)
        case .pages(let pattern): PageKeys(objects: objects, pattern: pattern, seed: seed)
        case .mixture(let parts): MixedKeys(objects: objects, parts: parts, seed: seed)
        }
    }

    /// For reports: `Zipf 0.8`.
    @usableFromInline package var description: String {
        switch self {
        case .zipf(let exponent): "Zipf \(exponent)"
        case .uniform: "uniform"
        case .hotspot(let fraction, let share, let every, let step):
            "hotspot (\(Quantity.percent(share)) of requests to \(Quantity.percent(fraction)) of objects, "
                + "moving by \(Quantity.percent(step)) of that every \(every) requests)"
        case .scan: "scan"
        case .loop: "loop"
        case .pages(let pattern): "pages of \(pattern.fewest) to \(pattern.most) requests"
        case .mixture(let parts):
            parts.map { "\(JSONFields.text($0.weight)) × \($0.keys)" }.joined(separator: " and ")
        }
    }
}

/// The requests of a visited page.
@usableFromInline package struct PagePattern: Hashable, Sendable {
    @usableFromInline package var pages: Int = 300
    /// The fewest requests of a page, its document included.
    @usableFromInline package var fewest: Int = 60
    @usableFromInline package var most: Int = 100
    /// The part of a page's requests for objects shared by all pages: scripts, styles, icons.
    @usableFromInline package var shared: Double = 0.4
    /// The Zipf exponent of the visits to pages.
    @usableFromInline package var exponent: Double = 0.8
}

@usableFromInline package struct MixturePart: Hashable, Sendable {
    /// How often it takes a turn, relative to the other parts.
    @usableFromInline package var weight: Double
    /// Requests per turn.
    @usableFromInline package var run: Int = 1
    /// Its pattern, which must not be a mixture.
    @usableFromInline package var keys: KeyPattern
}
