import HTTPReference

/// The same for the second implementation, which judges the first and other parsers on each of the fuzzer's inputs.
enum ReferenceInputs {
    static let all: [HostileInput] =
        fields("Cache-Control") { Mistaken().judgeCacheControl($0) }
        + fields("a date") { Mistaken().judgeDate($0) }
        + fields("entity tags") { _ = Reference.EntityTagList.parse($0) }
        + fields("an entity tag") { Mistaken().judgeEntityTag($0) }
        + fields("Range") { Mistaken().judgeRange($0) }
        + fields("Vary") { Mistaken().judgeVary($0) }
        + fields("Accept-Language") { _ = Reference.AcceptLanguage.isSame($0, $0) }
        + fields("lines") { Mistaken().judgeBlock($0) }
        + [
            HostileInput("the reference, a block of fields", "equal names", 2_000) { count in
                let text = Array((String(repeating: "a: b\r\n", count: count) + "\r\n").utf8)
                let limits = Reference.FieldBlock.Limits(bytes: 1 << 20, lineBytes: 1 << 14, lines: .max)
                return { _ = Reference.FieldBlock.parse(text, limits: limits)?.value(of: "a") }
            },
            HostileInput("the reference, a block of fields", "different names", 2_000) { count in
                let text = Array(((0..<count).map { "a\($0): b\r\n" }.joined() + "\r\n").utf8)
                return { Mistaken().judgeBlock(text) }
            },
        ]

    private static func fields(_ field: String, _ read: @escaping @Sendable ([UInt8]) -> Void) -> [HostileInput] {
        Repeated.lists.map { list in
            HostileInput("the reference, \(field)", list.name, 10_000) { count in
                let text = Array(list.text(count).utf8)
                return { read(text) }
            }
        }
    }
}

/// Parsers that are wrong about nearly every input, so that the reference looks for the kind of each mistake.
private struct Mistaken: CacheControlParser, HTTPDateParser, EntityTagParser, RangeParser, VaryParser {
    /// Whether to read something where there is nothing.
    var isCredulous = false

    func parse(_ bytes: [UInt8]) -> Reference.CacheControl { .init(flags: Reference.CacheControl.names, numbers: [:]) }
    func parse(_ bytes: [UInt8], now: Int64) -> Int64? { isCredulous ? 0 : nil }
    func parse(_ bytes: [UInt8]) -> Reference.EntityTag? { isCredulous ? .init(isWeak: true, opaque: []) : nil }
    func parse(_ bytes: [UInt8]) -> [Reference.ByteRange]? { isCredulous ? [.last(1)] : nil }
    func parse(_ bytes: [UInt8]) -> Reference.Vary { .names(["Accept"]) }

    func judgeCacheControl(_ bytes: [UInt8]) { _ = (self as any CacheControlParser).disagreements(on: bytes) }
    func judgeDate(_ bytes: [UInt8]) { bothWays { $0.disagreements(on: bytes, now: 0) } }
    func judgeEntityTag(_ bytes: [UInt8]) { bothWays { ($0 as any EntityTagParser).disagreements(on: bytes) } }
    func judgeRange(_ bytes: [UInt8]) { bothWays { ($0 as any RangeParser).disagreements(on: bytes) } }
    func judgeVary(_ bytes: [UInt8]) { _ = (self as any VaryParser).disagreements(on: bytes) }
    func judgeBlock(_ bytes: [UInt8]) { bothWays { ($0 as any FieldBlockParser).disagreements(on: bytes) } }

    private func bothWays(_ judge: (Self) -> [Disagreement]) {
        for isCredulous in [false, true] { _ = judge(Self(isCredulous: isCredulous)) }
    }
}

extension Mistaken: FieldBlockParser {
    var limits: Reference.FieldBlock.Limits { .init(bytes: 1 << 20, lineBytes: 1 << 20, lines: .max) }
    func parse(_ bytes: [UInt8]) -> Reference.FieldBlock? { isCredulous ? .init(fields: []) : nil }
}
