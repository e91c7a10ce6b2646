import Foundation
import GaugeSupport

extension WorkloadPlan {
    /// The workload file, with every member. Reading it again gives an equal plan.
    @usableFromInline package var json: String {
        var object: [String: JSONValue] = [
            "name": .text(name), "objects": .whole(objects), "keys": keys.json, "sizes": sizes.json,
            "headers": .list(headers.map(\.json)), "operations": operations.json, "revisit": revisit.json,
            "duplicates": .number(duplicates),
        ]
        if !models.isEmpty { object["models"] = .text(models) }
        let encoder = JSONEncoder()
        encoder.outputFormatting = [.prettyPrinted, .sortedKeys, .withoutEscapingSlashes]
        // Encoding can't fail: all numbers are finite.
        guard let data = try? encoder.encode(JSONValue.object(object)) else { return "{}" }
        return String(decoding: data, as: UTF8.self)
    }
}

extension KeyPattern {
    fileprivate var json: JSONValue {
        switch self {
        case .zipf(let exponent): .object(["kind": .text("zipf"), "exponent": .number(exponent)])
        case .uniform: .object(["kind": .text("uniform")])
        case .hotspot(let fraction, let share, let every, let step):
            .object([
                "kind": .text("hotspot"), "fraction": .number(fraction), "share": .number(share),
                "every": .whole(every), "step": .number(step),
            ])
        case .scan: .object(["kind": .text("scan")])
        case .loop: .object(["kind": .text("loop")])
        case .pages(let pattern):
            .object([
                "kind": .text("pages"), "pages": .whole(pattern.pages), "fewest": .whole(pattern.fewest),
                "most": .whole(pattern.most), "shared": .number(pattern.shared), "exponent": .number(pattern.exponent),
            ])
        case .mixture(let parts):
            .object([
                "kind": .text("mixture"),
                "parts": .list(
                    parts.map {
                        .object(["weight": .number($0.weight), "run": .whole($0.run), "keys": $0.keys.json])
                    }),
            ])
        }
    }
}

extension BodySizes.Distribution {
    fileprivate var json: JSONValue {
        switch self {
        case .constant(let bytes): .object(["kind": .text("constant"), "bytes": .whole(bytes)])
        case .lognormal(let mu, let sigma, let minimum, let maximum):
            .object([
                "kind": .text("lognormal"), "mu": .number(mu), "sigma": .number(sigma), "minimum": .whole(minimum),
                "maximum": .whole(maximum),
            ])
        case .histogram(let bins):
            .object([
                "kind": .text("histogram"),
                "bins": .list(
                    bins.map {
                        .object(["from": .whole($0.from), "to": .whole($0.to), "weight": .number($0.weight)])
                    }),
            ])
        }
    }
}

extension HeaderClass {
    fileprivate var json: JSONValue {
        var object: [String: JSONValue] = ["weight": .number(weight)]
        object["max_age"] = maxAge.map(JSONValue.whole)
        object["stale_while_revalidate"] = staleWhileRevalidate.map(JSONValue.whole)
        object["last_modified"] = lastModified.map(JSONValue.whole)
        object["changes_every"] = changesEvery.map(JSONValue.whole)
        for (name, flag) in [
            ("no_store", noStore), ("no_cache", noCache), ("must_revalidate", mustRevalidate), ("immutable", immutable),
            ("etag", etag),
        ] where flag { object[name] = .flag(true) }
        if !vary.isEmpty { object["vary"] = .text(vary) }
        if variants != 1 { object["variants"] = .whole(variants) }
        return .object(object)
    }
}

extension OperationMix {
    fileprivate var json: JSONValue {
        .object(["read": .number(read), "store": .number(store), "remove": .number(remove)])
    }
}

extension RevisitInterval {
    fileprivate var json: JSONValue {
        switch self {
        case .constant(let seconds): .object(["kind": .text("constant"), "seconds": .number(seconds)])
        case .exponential(let seconds): .object(["kind": .text("exponential"), "seconds": .number(seconds)])
        }
    }
}
