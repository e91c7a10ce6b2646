/// The fields of each URL's last full response that say whether and how long it may be reused. A 304 renews that
/// response: the fields that it leaves out stay (RFC 9111, section 3.2).
///
/// Each variant of a URL has its own; the first 304 for one has those of the URL's last response. Takes memory only for
/// URLs and variants whose responses have such fields: 100 to 300 bytes.
struct RenewedFields {
    private static let vary = Array("vary".utf8)
    private static let names = ["cache-control", "expires", "last-modified", "pragma"].map { Array($0.utf8) } + [vary]

    private var kept: [UInt64: [HTTPExchange.Field]] = [:]

    /// The verdict on an exchange for a URL. A 304 is judged as the response that it confirms.
    ///
    /// - Parameters:
    ///   - id: the URL's, or the variant's.
    ///   - other: the URL's if `id` is a variant's.
    mutating func verdict(
        on exchange: HTTPExchange, of id: UInt64, or other: UInt64? = nil, _ rules: some CachingRules
    ) -> CachingVerdict {
        guard exchange.hasFields || exchange.status == 304 else { return rules.verdict(on: exchange) }
        var judged = exchange
        let isGet = exchange.hasFields && exchange.method == "GET"
        if exchange.status == 304 {
            judged.status = 200
            if isGet, let kept = kept[id] ?? other.flatMap({ kept[$0] }) {
                let sent = Self.fields(of: exchange)
                judged.responseFields += kept.filter { field in !sent.contains { $0.name == field.name } }
            }
        }
        let verdict = rules.verdict(on: judged)
        if isGet, verdict.freshSeconds != nil || verdict.invalidates {
            let fields = Self.fields(of: judged)
            // After each unsafe request, a URL has another variant.
            if other == nil || fields.contains(where: { $0.name == Self.vary }) { keep(fields, of: id) }
        }
        return verdict
    }

    private mutating func keep(_ fields: [HTTPExchange.Field], of id: UInt64) {
        if fields.isEmpty {
            if !kept.isEmpty { kept[id] = nil }
        } else if kept[id] != fields {
            kept[id] = fields
        }
    }

    /// The fields that matter, under names in lower case that all URLs share.
    private static func fields(of exchange: HTTPExchange) -> [HTTPExchange.Field] {
        exchange.responseFields.compactMap { field in
            // Most other names have another length.
            switch field.name.count {
            case 4, 6, 7, 13: names.first { isName($0, field.name) }.map { .init(name: $0, value: field.value) }
            default: nil
            }
        }
    }

    private static func isName(_ name: [UInt8], _ other: [UInt8]) -> Bool {
        name.count == other.count && other.elementsEqual(name) { $0 | 0x20 == $1 }
    }
}
