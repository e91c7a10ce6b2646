import HTTPAgreement
import HTTPReference
import HTTPSemantics

extension FuzzTarget {
    /// Checks what validators decide: the request's conditions on a fresh response, a 304 with the fields of the request,
    /// and which of two stored responses is the latest.
    static func checkValidators(_ input: ExchangeInput) {
        let method = input.request.method
        if method == "GET" || method == "HEAD" {
            for length in [0, 1_000] as [Int64] {
                require(
                    .preconditions(
                        input.request.headerFields, method: method, input.response, receivedAt: ExchangeInput.received,
                        length: length))
            }
        }
        checkConfirmation(of: input.response.headerFields, by: input.request.headerFields)
        checkLatest(input)
    }

    /// A 304 updates the stored response if it has the same strong tag, a weak tag with the same text or, without a tag,
    /// the same `Last-Modified`; without a validator, if the request had no other validators than the stored ones
    /// (RFC 9111, section 4.3.4). After such a request, a stored weak tag matches a strong one too.
    private static func checkConfirmation(of stored: HTTPFields, by told: HTTPFields) {
        func tag(_ fields: HTTPFields) -> (isThere: Bool, tag: Reference.EntityTag?) {
            let value = first("etag", fields)
            return (value != nil, value.flatMap { Reference.EntityTag.parse(Array($0.utf8)) })
        }
        let (own, other) = (tag(stored), tag(told))
        // Malformed tags are compared as texts, which is a matter of choice.
        guard own.isThere == (own.tag != nil), other.isThere == (other.tag != nil) else { return }
        for asked in [false, true] {
            let isSame: Bool
            if let other = other.tag {
                let isWeak = other.isWeak || asked && own.tag?.isWeak ?? false
                isSame = own.tag.map { isWeak ? $0.weaklyMatches(other) : $0.stronglyMatches(other) } ?? false
            } else if let date = first("last-modified", told) {
                isSame = first("last-modified", stored).map { Array($0.utf8) == Array(date.utf8) } ?? false
            } else {
                isSame = asked
            }
            let result = Freshening.freshen(stored, with: told, sentStoredValidators: asked)
            require(
                (result != .differs) == isSame,
                "\(stored), asked with no other validators: \(asked), and a 304 with \(told): \(result)")
        }
    }

    private static func first(_ name: String, _ fields: HTTPFields) -> String? {
        fields.fields.first { Array($0.name.rawName.utf8).lowercased == Array(name.utf8) }?.value
    }

    /// The latest is that with the later `Date`, also if it was received earlier; of equal ones the first.
    private static func checkLatest(_ input: ExchangeInput) {
        guard case .at(let date) = input.exchange.response.fields.date else { return }
        let received = ExchangeInput.received
        guard 1..<1 << 28 ~= input.amount, (date - 1 << 28..<date + 1 << 28) ~= received else { return }
        var later = input.exchange.response
        later.fields.date = .at(date + input.amount)
        let second = StoredFacts(later, requestTime: received, responseTime: received)
        let receipt = received + 2 * input.amount
        let first = StoredFacts(input.exchange.response, requestTime: receipt, responseTime: receipt)
        require(
            Reuse.latest(of: [first, second]) == 1 && Reuse.latest(of: [second, first]) == 0
                && Reuse.latest(of: [first, first]) == 0,
            "the latest of a response and one \(input.amount) s younger, but received earlier, is not the younger")
    }
}
