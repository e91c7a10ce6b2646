import GaugeSupport

/// Tells the variants of a trace's URLs apart by the request fields that `Vary` names (RFC 9111, section 4.1). Each is
/// an object of its own.
///
/// Of a URL the last `Vary` counts: that of the request's own response, or else of the one before. A successful unsafe
/// request ends all variants. Takes memory only for URLs with a `Vary`.
package struct TracedVariants {
    private struct State {
        private(set) var vary: [UInt8] = []
        /// Whether any field selects.
        private(set) var selects = false
        /// How often all variants were invalidated.
        var generation: UInt64 = 0
        /// Names the variant of the last request.
        private(set) var last: UInt64?
        /// The variant of requests whose fields weren't known, and what the first request with fields selected.
        private var unknown: (variant: UInt64, selection: UInt64?)?

        mutating func set(_ vary: [UInt8], _ rules: some CachingRules) {
            guard vary != self.vary else { return }
            self.vary = vary
            selects = !rules.selection(of: [], by: vary).isEmpty
        }

        /// Notes a request with these fields; `nil` if they aren't known, so that it's for the variant before it.
        mutating func select(by fields: [HTTPExchange.Field]?, _ rules: some CachingRules) {
            guard let fields else {
                if last == nil { unknown = (0, nil) }
                last = last ?? 0
                return
            }
            let selection = DecimalText.hash(rules.selection(of: fields, by: vary))
            if let variant = unknown?.variant, unknown?.selection == nil { unknown = (variant, selection) }
            last = unknown?.selection == selection ? unknown?.variant : selection
        }
    }

    private var states: [UInt64: State] = [:]

    /// The id of a request's variant; `nil` if its URL has none.
    mutating func variant(of request: TraceRequest, _ verdict: CachingVerdict, _ rules: some CachingRules) -> UInt64? {
        guard let exchange = request.exchange else { return nil }
        let vary = exchange.hasFields ? exchange.vary : nil
        guard !states.isEmpty || vary != nil else { return nil }
        var state = states[request.id]
        // A 304 needn't repeat the fields of what it confirms.
        if verdict.freshSeconds != nil, exchange.hasFields, vary != nil || exchange.status != 304 {
            if vary != nil { state = state ?? State() }
            state?.set(vary ?? [], rules)
        }
        guard var state else { return nil }
        if exchange.method == "GET" || exchange.method == "HEAD" { state.select(by: exchange.sentFields, rules) }
        let isPlain = state.generation == 0 && !state.selects
        let variant = isPlain ? nil : SplitMix64.mix(request.id ^ SplitMix64.mix(state.generation &+ (state.last ?? 0)))
        if exchange.method != "GET", verdict.invalidates { state.generation += 1 }
        states[request.id] = isPlain && state.generation == 0 ? nil : state
        return variant
    }

    /// Ends all variants of a URL; false if it has none.
    mutating func end(_ id: UInt64) -> Bool {
        states[id]?.generation += 1
        return states[id] != nil
    }

    /// A URL for a variant, since caches under test know objects by their URLs: about as much longer as the key of a
    /// variant in a cache.
    package static func url(_ url: String?, of variant: UInt64?) -> String? {
        guard let url, let variant else { return url }
        let end = url.utf8.firstIndex(of: UInt8(ascii: "#")) ?? url.endIndex
        let hasQuery = url[..<end].utf8.contains(UInt8(ascii: "?"))
        return "\(url[..<end])\(hasQuery ? "&" : "?")vary=\(String(variant, radix: 16))"
    }
}

extension HTTPExchange {
    /// The fields that were sent; `nil` if the trace doesn't tell: a log has none, and a browser doesn't note those of
    /// a request that its own cache answers.
    fileprivate var sentFields: [Field]? { requestFields.isEmpty || isOfBrowserCache ? nil : requestFields }

    /// The response's `Vary`, its lines joined; `nil` without one.
    var vary: [UInt8]? {
        var value: [UInt8]?
        for field in responseFields where field.isVary {
            value = value.map { $0 + [UInt8(ascii: ",")] + field.value } ?? field.value
        }
        return value
    }
}

extension HTTPExchange.Field {
    fileprivate var isVary: Bool { name.count == 4 && name[0] | 0x20 == UInt8(ascii: "v") && isNamed("vary") }
}
