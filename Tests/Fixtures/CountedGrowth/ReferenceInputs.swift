import HTTPReference

/// The same for the second implementation, which judges the first on each of the fuzzer's inputs.
enum ReferenceInputs {
    static let all: [HostileInput] =
        fields("Cache-Control") { _ = Reference.CacheControl(parsing: $0) }
        + fields("a date") { _ = Reference.HTTPDate.parse($0, now: 0) }
        + fields("entity tags") { _ = Reference.EntityTagList.parse($0) }
        + fields("Range") { _ = Reference.RangeField.parse($0) }
        + fields("Vary") { _ = Reference.Vary.parse($0) }
        + [
            HostileInput("the reference, a block of fields", "equal names", 2_000) { count in
                let text = Array((String(repeating: "a: b\r\n", count: count) + "\r\n").utf8)
                let limits = Reference.FieldBlock.Limits(bytes: 1 << 20, lineBytes: 1 << 14, lines: .max)
                return { _ = Reference.FieldBlock.parse(text, limits: limits)?.value(of: "a") }
            }
        ]

    private static func fields(_ field: String, _ read: @escaping @Sendable ([UInt8]) -> Void) -> [HostileInput] {
        Repeated.lists.map { list in
            HostileInput("the reference, \(field)", list.name, 2_000) { count in
                let text = Array(list.text(count).utf8)
                return { read(text) }
            }
        }
    }
}
