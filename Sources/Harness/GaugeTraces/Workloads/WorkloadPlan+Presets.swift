extension WorkloadPlan {
    /// The predefined workloads, each named after the traffic that it models, for caches of 4 MiB of memory and 20 MiB
    /// of disk.
    @usableFromInline package static let presets: [WorkloadPlan] = [
        pageLoads, webZipf, imageFeed, noLifetimes, polling, scanAmongZipf, loopTooLarge, evenly,
    ]

    /// The preset with a name; `nil` for an unknown name.
    package static func preset(_ name: String) -> WorkloadPlan? { presets.first { $0.name == name } }

    /// A site's header classes as browsers see them: versioned files, images, documents, a changing API.
    private static let site = [
        HeaderClass(weight: 35, maxAge: 31_536_000, immutable: true),
        HeaderClass(weight: 35, maxAge: 86_400, etag: true, lastModified: 864_000),
        HeaderClass(weight: 10, lastModified: 2_592_000, changesEvery: 1_209_600),
        HeaderClass(weight: 8, noCache: true, etag: true, changesEvery: 21_600),
        HeaderClass(weight: 6, maxAge: 300, etag: true, changesEvery: 3_600),
        HeaderClass(weight: 3, maxAge: 60, staleWhileRevalidate: 600, etag: true, changesEvery: 1_800),
        HeaderClass(weight: 2, maxAge: 3_600, etag: true, vary: "Accept-Language", variants: 2),
        HeaderClass(weight: 1, noStore: true, changesEvery: 60),
    ]

    private static func make(_ name: String, _ models: String, _ edit: (inout WorkloadPlan) -> Void) -> WorkloadPlan {
        var plan = WorkloadPlan()
        plan.name = name
        plan.models = models
        edit(&plan)
        return plan
    }

    private static let pageLoads = make(
        "page-loads",
        "a user reading the pages of a few sites: 60 to 100 requests each, many of them for shared files"
    ) {
        $0.objects = 6_000
        $0.keys = .pages(PagePattern())
        $0.headers = site
        $0.revisit = .exponential(seconds: 900)
        $0.duplicates = 0.02
    }

    private static let webZipf = make(
        "web-zipf", "requests as a proxy sees them: Zipf 0.8 over 10,000 objects, 270 MB in all"
    ) {
        $0.headers = site
    }

    private static let imageFeed = make(
        "image-feed", "scrolling through a feed of pictures: a small set is popular, and it keeps changing"
    ) {
        $0.objects = 20_000
        $0.keys = .hotspot(fraction: 0.005, share: 0.9, every: 50, step: 0.05)
        $0.sizes = .lognormal(mu: 10.4, sigma: 0.6, minimum: 2_048, maximum: 1 << 20)
        $0.headers = [HeaderClass(maxAge: 604_800, immutable: true)]
        $0.revisit = .exponential(seconds: 5)
    }

    private static let noLifetimes = make(
        "no-lifetimes", "servers that state no lifetime: Last-Modified alone, ETag alone, or nothing at all"
    ) {
        $0.objects = 2_000
        $0.headers = [
            HeaderClass(weight: 5, lastModified: 604_800, changesEvery: 604_800),
            HeaderClass(weight: 3, etag: true, changesEvery: 86_400),
            HeaderClass(weight: 1),
        ]
    }

    private static let polling = make(
        "api-polling", "an application polling its API: small answers, short lifetimes, changes"
    ) {
        $0.objects = 60
        $0.keys = .loop
        $0.sizes = .histogram([
            SizeBin(from: 64, to: 1_024, weight: 5), SizeBin(from: 1_025, to: 8_192, weight: 4),
            SizeBin(from: 8_193, to: 65_536, weight: 1),
        ])
        $0.headers = [
            HeaderClass(weight: 3, maxAge: 30, etag: true, changesEvery: 120),
            HeaderClass(weight: 2, noCache: true, etag: true, changesEvery: 600),
            HeaderClass(weight: 1, noStore: true, changesEvery: 10),
        ]
        $0.operations = OperationMix(read: 0.97, store: 0.025, remove: 0.005)
        $0.revisit = .constant(seconds: 1)
        $0.duplicates = 0.1
    }

    private static let scanAmongZipf = make(
        "scan-among-zipf",
        "ordinary requests with runs of objects requested once: prefetching, a crawl, a search"
    ) {
        $0.keys = .mixture([
            MixturePart(weight: 20, run: 50, keys: .zipf(exponent: 0.9)), MixturePart(weight: 1, run: 500, keys: .scan),
        ])
    }

    private static let loopTooLarge = make(
        "loop-too-large", "a repeated loop, a fifth larger than the disk tier: the worst case of LRU"
    ) {
        $0.objects = 1_500
        $0.keys = .loop
        $0.sizes = .constant(16_384)
    }

    private static let evenly = make("uniform", "no popularity at all: the hit ratio is the part that fits") {
        $0.objects = 4_000
        $0.keys = .uniform
        $0.sizes = .constant(16_384)
    }
}
