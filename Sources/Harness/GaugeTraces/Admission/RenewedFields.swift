/// The fields of each URL's last full response that say whether and how long it may be reused. A 304 renews that
/// response: the fields that it leaves out stay (RFC 9111, section 3.2).
///
/// All variants of a URL share them. Takes memory only for URLs whose responses have such fields: 100 to 300 bytes.
struct RenewedFields {
    private static let names = ["cache-control", "expires", "last-modified", "pragma", "vary"].map { Array($0.utf8) }

    private var kept: [UInt64: [HTTPExchange.Field]] = [:]

    /// The verdict on an exchange for a URL. A 304 is judged as the response that it confirms.
    mutating func verdict(on exchange: HTTPExchange, of id: UInt64, _ rules: some CachingRules) -> CachingVerdict {
        guard exchange.hasFields || exchange.status == 304 else { return rules.verdict(on: exchange) }
        var judged = exchange
        let isGet = exchange.hasFields && exchange.method == "GET"
        if exchange.status == 304 {
            judged.status = 200
            if isGet, let kept = kept[id] {
                let sent = Self.fields(of: exchange)
                judged.responseFields += kept.filter { field in !sent.contains { $0.name == field.name } }
            }
        }
        let verdict = rules.verdict(on: judged)
        if isGet, verdict.freshSeconds != nil || verdict.invalidates { keep(Self.fields(of: judged), of: id) }
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
