import GaugeSupport
import Testing

@testable import GaugeTraces

/// Draws by weight against their definition, and texts.
@Suite("Parts of workloads") struct WorkloadPartsTests {
    @Test("a mix chooses by its weights, and reads where it has none") func operations() {
        let mix = OperationMix(read: 1, store: 2, remove: 1)
        let points = [0, 0.2499, 0.25, 0.7499, 0.75, 0.9999]
        #expect(points.map { mix.operation(at: $0) } == [.read, .read, .store, .store, .remove, .remove])
        #expect(OperationMix(read: 0, store: 0, remove: 0).operation(at: 0.5) == .read)
        #expect(OperationMix(read: 0, store: 1).operation(at: 0.9999) == .store)
        #expect(OperationMix(read: 0, store: 0, remove: 1).operation(at: 0) == .remove)
        #expect(OperationMix(read: -1, store: 1, remove: -1).operation(at: 0) == .store)
        #expect(OperationMix().isReadOnly && OperationMix(store: -1).isReadOnly)
        #expect(!OperationMix(store: 0.1).isReadOnly && !OperationMix(remove: 0.1).isReadOnly)
    }

    /// The frequency of each class among 20,000 keys: a standard deviation is below 71.
    private func counts<Value: Hashable>(_ draw: (UInt64) -> Value) -> [Value: Int] {
        Dictionary((0..<20_000).map { (draw($0), 1) }, uniquingKeysWith: +)
    }

    @Test("header classes and size bins are drawn by weight, and those without weight never") func weights() throws {
        let classes = [(1.0, 1), (0, 2), (3, 3), (-5, 4)].map { HeaderClass(weight: $0, maxAge: $1) }
        let ages = counts { HeaderClass.of($0, among: classes, seed: 3).maxAge ?? 0 }
        #expect(Set(ages.keys) == [1, 3])
        #expect(abs(try #require(ages[1]) - 5_000) < 350)
        #expect(HeaderClass.of(1, among: [], seed: 3) == HeaderClass())
        let bins = [
            SizeBin(from: 10, to: 10, weight: 1), SizeBin(from: 0, to: 9, weight: 0),
            SizeBin(from: 20, to: 22, weight: 3),
        ]
        let sizes = BodySizes(.histogram(bins), seed: 3)
        let drawn = counts { sizes.size(of: $0) }
        #expect(Set(drawn.keys) == [10, 20, 21, 22] && sizes.longest == 22)
        for size in [10, 20, 21, 22] { #expect(abs(try #require(drawn[size]) - 5_000) < 350, "\(size)") }
        #expect(sizes.description == "by a histogram of 3 bins up to 22 bytes")
        #expect(BodySizes(.histogram([]), seed: 3).size(of: 1) == 0)
        #expect(BodySizes(.constant(7), seed: 3).description == "7 bytes each")
        #expect(BodySizes(.lognormal(mu: 1, sigma: 2, minimum: 3, maximum: 4), seed: 3).longest == 4)
    }

    @Test("a class writes its directives in one order, and none when it has none") func directives() {
        let all = HeaderClass(
            maxAge: 1, staleWhileRevalidate: 2, noStore: true, noCache: true, mustRevalidate: true, immutable: true)
        #expect(
            all.cacheControl == "no-store, no-cache, max-age=1, must-revalidate, immutable, stale-while-revalidate=2")
        #expect(HeaderClass(maxAge: 0).cacheControl == "max-age=0" && HeaderClass(etag: true).cacheControl == nil)
    }

    @Test("intervals are constant, or exponential with their mean") func intervals() {
        var random = Xoshiro256(seed: 9)
        #expect(RevisitInterval.constant(seconds: 5).draw(&random) == 5)
        let drawn = (0..<20_000).map { _ in RevisitInterval.exponential(seconds: 5).draw(&random) }
        let mean = drawn.reduce(0, +) / 20_000
        // A standard deviation of the mean is 0.035; of an exponential, half lie below 0.693 means.
        #expect(abs(mean - 5) < 0.2 && abs(drawn.count { $0 < 5 * 0.6931 } - 10_000) < 400)
        #expect(drawn.allSatisfy { $0 >= 0 })
    }

    @Test("patterns have their usual words") func words() {
        let patterns: [(KeyPattern, String)] = [
            (.zipf(exponent: 0.9), "Zipf 0.9"), (.uniform, "uniform"), (.scan, "scan"), (.loop, "loop"),
            (.pages(PagePattern(fewest: 3, most: 9)), "pages of 3 to 9 requests"),
            (
                .hotspot(fraction: 0.2, share: 0.8, every: 100, step: 0.5),
                "hotspot (80.0 % of requests to 20.0 % of objects, moving by 50.0 % of that every 100 requests)"
            ),
            (
                .mixture([MixturePart(weight: 3, keys: .scan), MixturePart(weight: 0.5, keys: .loop)]),
                "3 × scan and 0.5 × loop"
            ),
        ]
        for (pattern, text) in patterns { #expect(pattern.description == text) }
    }

    @Test("pages are visited as often as Zipf's law says, each with a document that no other has") func documents() {
        let pattern = PagePattern(pages: 30, fewest: 1, most: 1, exponent: 0.8)
        var pages = PageKeys(objects: 100, pattern: pattern, seed: 4)
        var visits = ZipfKeys(objects: 30, exponent: 0.8, seed: 4)
        // The first ten objects are shared by all pages.
        #expect(pages.draw(500) == visits.draw(500).map { 10 + $0 })
    }
}
