import Foundation
import Testing

@testable import GaugeSupport
@testable import GaugeTraces

/// The stated error of a sampled curve against its definition: eight groups of keys, each simulated alone with an
/// eighth of the capacity.
@Suite("Error of a sampled curve against a second computation") struct SampleErrorTests {
    private static let keys: [UInt64] = {
        var stream = ZipfKeys(objects: 900, exponent: 0.8, seed: 5)
        return stream.draw(8_000)
    }()

    private static func size(of key: UInt64) -> Int { 100 + Int(key &* 7_919 % 900) }

    private static func misses(of keys: [UInt64], capacity: Int) -> (requests: Double, bytes: Double) {
        var rules = AccessRules(sizes: BodySizes(.oneSize, seed: 1), urls: RequestURLs(seed: 1))
        var maker = MissRatioCurveMaker(unit: .bytes, capacities: [capacity])
        for key in keys { maker.add(rules.access(TraceRequest(id: key, size: size(of: key)))) }
        let sum = maker.curve().points[0].sum
        let bytes = keys.map(size).reduce(0, +)
        return (Double(keys.count - sum.hits), Double(bytes - sum.bytes))
    }

    @Test(
        "Student's interval of the mean of eight groups, and half of its distance from the whole",
        arguments: [40_000, 160_000])
    func error(capacity: Int) throws {
        let sample = KeySample(seed: 9, rate: 1)
        var rules = AccessRules(sizes: BodySizes(.oneSize, seed: 1), urls: RequestURLs(seed: 1))
        var maker = MissRatioCurveMaker(unit: .bytes, capacities: [capacity], sample: sample)
        var groups = [[UInt64]](repeating: [], count: 8)
        for key in Self.keys {
            let hash = try #require(maker.hash(of: key))
            groups[Int(hash % 8)].append(key)
            maker.add(rules.access(TraceRequest(id: key, size: Self.size(of: key))), hash: hash)
        }
        let estimate = try #require(maker.curve().points[0].estimate)
        let whole = Self.misses(of: Self.keys, capacity: capacity)
        let parts = groups.map { Self.misses(of: $0, capacity: capacity / 8) }
        func error(_ whole: Double, _ parts: [Double]) -> Double {
            let scaled = parts.map { $0 * 8 }
            let mean = scaled.reduce(0, +) / 8
            let deviation = (scaled.map { ($0 - mean) * ($0 - mean) }.reduce(0, +) / 7).squareRoot()
            // Student's t that is exceeded in 2.5 % of cases, for seven degrees of freedom.
            return 2.365 * deviation / 8.0.squareRoot() + abs(mean - whole) / 2
        }
        let bytes = Double(Self.keys.map(Self.size).reduce(0, +))
        #expect(estimate.misses == whole.requests && estimate.missedBytes == whole.bytes)
        let requestError = error(whole.requests, parts.map(\.requests)) / Double(Self.keys.count)
        let byteError = error(whole.bytes, parts.map(\.bytes)) / bytes
        #expect(abs(estimate.error / requestError - 1) < 1e-9)
        #expect(abs(estimate.byteError / byteError - 1) < 1e-9)
    }
}
