/// Workload files whose members are those of their kinds.
enum WorkloadDocuments: DocumentMaker {
    static func tree(_ text: [UInt8]) -> JSONModel? { JSONModel.parse(text) }

    static func wrapped(_ text: [UInt8], _: inout MessageMaker) -> [UInt8] { text }

    static func document(_ maker: inout MessageMaker) -> JSONModel {
        var members: [(name: [UInt8], value: JSONModel)] = []
        for name in ["name", "models", "objects", "keys", "sizes", "headers", "operations", "revisit", "duplicates"]
        where maker.chance(35) {
            members.append((Array(name.utf8), value(of: name, &maker) ?? .null))
        }
        return .object(members)
    }

    static func value(of name: String, _ maker: inout MessageMaker) -> JSONModel? {
        switch name {
        case "name": .text(maker.pick(["a", "web-1", "custom"]))
        case "models": .text(maker.pick(["", "a sentence", "\"é\" \u{1F600}\\"]))
        case "objects": .whole(maker.pick([1, 2, 10_000, 1_000_000]))
        case "keys": keys(&maker, mayMix: true)
        case "sizes": sizes(&maker)
        case "headers": .array((0...maker.below(2)).map { _ in header(&maker) })
        case "operations":
            .made(["read": weight(&maker), "store": weight(&maker), "remove": maker.chance(40) ? weight(&maker) : nil])
        case "revisit":
            .made([
                "kind": .text(maker.pick(["constant", "exponential"])),
                "seconds": .digits(maker.pick(["0.001", "30", "86400", "0.1234567890123"])),
            ])
        case "parts":
            .made(["weight": weight(&maker), "run": .whole(1 + maker.below(9)), "keys": keys(&maker, mayMix: false)])
        case "bins": bin(&maker)
        case "duplicates", "share", "fraction", "step", "shared": .digits(maker.pick(fractions))
        case "weight", "read", "store", "remove": weight(&maker)
        case "exponent": .digits(maker.pick(["0", "0.8", "1", "0.1234567890123", "10", "1.1"]))
        case "mu": .digits(maker.pick(["-20", "0", "9.357", "40"]))
        case "sigma": .digits(maker.pick(["0", "1.318", "20"]))
        case "minimum", "maximum", "bytes", "from", "to": .whole(maker.pick([0, 1, 64, 65, 1 << 20, 64 << 20]))
        case "every", "run", "pages", "fewest", "most", "variants", "changes_every": .whole(maker.pick([1, 2, 3, 100]))
        case "max_age", "stale_while_revalidate", "last_modified": .whole(maker.pick([0, 1, 60, 315_360_000]))
        case "no_store", "no_cache", "must_revalidate", "immutable", "etag": .flag(maker.chance(70))
        case "vary": .text(maker.pick(["", "Accept", "Accept-Language"]))
        case "kind":
            .text(maker.pick(["zipf", "uniform", "hotspot", "scan", "loop", "pages", "constant", "lognormal"]))
        default: nil
        }
    }

    private static let fractions = ["0", "1", "0.05", "0.9", "0.1234567890123", "0.30000000000000004"]

    private static func weight(_ maker: inout MessageMaker) -> JSONModel {
        .digits(maker.pick(["1", "0", "5", "0.25", "1e9", "0.1234567890123"]))
    }

    private static func some(_ name: String, _ maker: inout MessageMaker) -> JSONModel? {
        maker.chance(60) ? value(of: name, &maker) : nil
    }

    private static func keys(_ maker: inout MessageMaker, mayMix: Bool) -> JSONModel {
        switch maker.below(mayMix ? 7 : 6) {
        case 0: .made(["kind": .text("zipf"), "exponent": some("exponent", &maker)])
        case 1: .made(["kind": .text("uniform")])
        case 2:
            .made([
                "kind": .text("hotspot"), "fraction": some("fraction", &maker), "share": some("share", &maker),
                "every": some("every", &maker), "step": some("step", &maker),
            ])
        case 3: .made(["kind": .text("scan")])
        case 4: .made(["kind": .text("loop")])
        case 5:
            .made([
                "kind": .text("pages"), "pages": some("pages", &maker), "fewest": .whole(1 + maker.below(2)),
                "most": .whole(2 + maker.below(9)), "shared": some("shared", &maker),
                "exponent": some("exponent", &maker),
            ])
        default:
            .made([
                "kind": .text("mixture"),
                "parts": .array((0...maker.below(2)).map { _ in value(of: "parts", &maker) ?? .null }),
            ])
        }
    }

    private static func sizes(_ maker: inout MessageMaker) -> JSONModel {
        switch maker.below(3) {
        case 0: .made(["kind": .text("constant"), "bytes": value(of: "bytes", &maker)])
        case 1:
            .made([
                "kind": .text("lognormal"), "mu": some("mu", &maker), "sigma": some("sigma", &maker),
                "minimum": .whole(maker.pick([0, 1, 64])), "maximum": .whole(maker.pick([64, 65, 1 << 20])),
            ])
        default: .made(["kind": .text("histogram"), "bins": .array((0...maker.below(3)).map { _ in bin(&maker) })])
        }
    }

    private static func bin(_ maker: inout MessageMaker) -> JSONModel {
        let from = maker.pick([0, 1, 64, 1000])
        return .made([
            "from": .whole(from), "to": .whole(from + maker.pick([0, 1, 1000])), "weight": some("weight", &maker),
        ])
    }

    private static func header(_ maker: inout MessageMaker) -> JSONModel {
        .made([
            "weight": some("weight", &maker), "max_age": some("max_age", &maker), "etag": some("etag", &maker),
            "vary": some("vary", &maker), "variants": some("variants", &maker),
            "no_store": maker.chance(20) ? .flag(true) : nil, "immutable": maker.chance(20) ? .flag(true) : nil,
            "no_cache": maker.chance(20) ? .flag(true) : nil, "must_revalidate": maker.chance(20) ? .flag(true) : nil,
            "last_modified": maker.chance(30) ? value(of: "last_modified", &maker) : nil,
            "changes_every": maker.chance(30) ? value(of: "changes_every", &maker) : nil,
            "stale_while_revalidate": maker.chance(20) ? value(of: "max_age", &maker) : nil,
        ])
    }
}
