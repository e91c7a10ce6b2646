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

    /// The stated estimate at a rate, and the keys of each group.
    private func estimate(rate: Double, capacity: Int) throws -> (estimate: SampleEstimate, groups: [[UInt64]]) {
        var rules = AccessRules(sizes: BodySizes(.oneSize, seed: 1), urls: RequestURLs(seed: 1))
        let sample = KeySample(seed: 9, rate: rate)
        var maker = MissRatioCurveMaker(unit: .bytes, capacities: [capacity], sample: sample)
        var groups = [[UInt64]](repeating: [], count: 8)
        for key in Self.keys {
            guard let hash = maker.hash(of: key) else {
                maker.pass(size: Self.size(of: key))
                continue
            }
            groups[Int(hash % 8)].append(key)
            maker.add(rules.access(TraceRequest(id: key, size: Self.size(of: key))), hash: hash)
        }
        return (try #require(maker.curve().points[0].estimate), groups)
    }

    @Test(
        "Student's interval of the mean of eight groups, narrower as half of all keys are in them, and half of its distance from the whole",
        arguments: [40_000, 160_000])
    func error(capacity: Int) throws {
        let (estimate, groups) = try estimate(rate: 0.5, capacity: capacity)
        let chosen = Set(groups.joined())
        let sampled = Self.keys.filter(chosen.contains)
        let whole = Self.misses(of: sampled, capacity: capacity / 2)
        let parts = groups.map { Self.misses(of: $0, capacity: capacity / 16) }
        func error(_ whole: Double, _ parts: [Double]) -> (all: Double, scale: Double) {
            let scaled = parts.map { $0 * 16 }
            let mean = scaled.reduce(0, +) / 8
            let deviation = (scaled.map { ($0 - mean) * ($0 - mean) }.reduce(0, +) / 7).squareRoot()
            let scale = abs(mean - whole * 2) / 2
            // Student's t that is exceeded in 2.5 % of cases, for seven degrees of freedom. Of the variance of a group,
            // a sixteenth of all keys, fifteen sixteenths are due to the other keys.
            return (2.365 * deviation / 8.0.squareRoot() * (8.0 / 15).squareRoot() + scale, scale)
        }
        let bytes = Double(Self.keys.map(Self.size).reduce(0, +))
        #expect(estimate.misses == 2 * whole.requests && estimate.missedBytes == 2 * whole.bytes)
        let requestError = error(whole.requests, parts.map(\.requests))
        let byteError = error(whole.bytes, parts.map(\.bytes))
        for (stated, expected) in [
            (estimate.error * Double(Self.keys.count), requestError.all), (estimate.byteError * bytes, byteError.all),
            (estimate.scaleError * Double(Self.keys.count), requestError.scale),
            (estimate.byteScaleError * bytes, byteError.scale),
        ] {
            #expect(abs(stated / expected - 1) < 1e-9)
        }
    }

    @Test("a sample of all keys has no error") func exact() throws {
        let estimate = try estimate(rate: 1, capacity: 40_000).estimate
        #expect(estimate.misses == Self.misses(of: Self.keys, capacity: 40_000).requests)
        #expect(estimate.error == 0 && estimate.byteError == 0)
    }

    @Test("all shards together leave the error of their smaller caches, which holds what they differ by")
    func allShards() throws {
        var rules = AccessRules(sizes: BodySizes(.oneSize, seed: 1), urls: RequestURLs(seed: 1))
        for seed in 1...5 as ClosedRange<UInt64> {
            var curves: [MissRatioCurve] = []
            for shard in 0..<4 {
                let sample = KeySample(seed: seed, rate: 1, shard: shard, of: 4)
                var maker = MissRatioCurveMaker(unit: .bytes, capacities: [160_000], sample: sample)
                rules = AccessRules(sizes: BodySizes(.oneSize, seed: 1), urls: RequestURLs(seed: 1))
                for key in Self.keys {
                    let size = Self.size(of: key)
                    if let hash = maker.hash(of: key) {
                        maker.add(rules.access(TraceRequest(id: key, size: size)), hash: hash)
                    } else {
                        maker.pass(size: size)
                    }
                }
                curves.append(maker.curve())
            }
            let merged = try curves.dropFirst().reduce(curves[0]) { try $0.merged(with: $1) }
            let estimates = try curves.map { try #require($0.points[0].estimate) }
            let all = try #require(merged.points[0].estimate)
            #expect(
                abs(all.error - estimates.reduce(0) { $0 + $1.scaleError } / 4) < 1e-6 && all.error == all.scaleError)
            #expect(estimates.allSatisfy { $0.error > all.error })
            let exact = Self.misses(of: Self.keys, capacity: 160_000).requests
            #expect(abs(all.misses - exact) <= all.error * Double(Self.keys.count), "\(all), exactly \(exact)")
        }
    }
}
