/// What the origin's answer does to a stored response it was asked to confirm (RFC 9111, section 4.3.3).
package enum Validation {
    package enum Answer: Equatable, Sendable {
        case status(Int)
        /// No answer: no connection, or it broke before the header was complete.
        case none
    }

    package enum Decision: Equatable, Sendable {
        /// The stored response is confirmed: freshen it (`Freshening`) and answer with it.
        case freshen
        /// Answer with the new response, and store it if `Storability` allows.
        case useAnswer
        case serveStale
        /// Answer with the failure itself, or with 504 (Gateway Timeout).
        case fail
    }

    /// Decides about the answer to a request that `Reuse` wanted revalidated or fetched.
    ///
    /// - Parameter sentStoredValidators: the request as sent carried the stored validators, and no condition of the
    ///   application's own.
    package static func decide(
        _ request: RequestFacts, _ stored: StoredFacts, answer: Answer, sentStoredValidators: Bool, now: Int64
    ) -> Decision {
        switch answer {
        case .status(304) where sentStoredValidators:
            return .freshen
        case .status(let status) where !StatusRules.isServerFailure(status):
            return .useAnswer
        case .status:
            return StaleAllowance.onFailure(request, stored, now: now) ? .serveStale : .useAnswer
        case .none:
            return StaleAllowance.onFailure(request, stored, now: now) ? .serveStale : .fail
        }
    }
}

/// How a 304 updates a stored response (RFC 9111, sections 3.2 and 4.3.4).
package enum Freshening {
    package enum Result: Equatable, Sendable {
        /// The stored response's new fields; its status and body stay. New `StoredFacts`, made from them and the times
        /// of the validation, make it fresh for another lifetime.
        case freshened(HTTPFields)
        /// The 304 is about another representation: update nothing, and ask the origin again without validators.
        case differs
    }

    /// The fields of the stored response after the 304. They replace the stored ones; see `FieldUpdate`.
    ///
    /// A strong `ETag` in the 304 must be the stored one, a weak one must match it weakly. A lone `Last-Modified` must
    /// be the stored one, character by character: a server that rolls back has changed, too. A 304 without a validator
    /// is about the stored response if the request carried only the stored validators.
    ///
    /// One deviation from RFC 9111, section 4.3.4, for servers (nginx) that weaken a tag when they compress, but not in
    /// a 304: if the request carried only the stored validators, `"x"` confirms a stored `W/"x"`. The stored tag stays
    /// weak, because it may stand for different bytes.
    ///
    /// - Parameter sentStoredValidators: the request carried the validators of `stored` and no others.
    package static func freshen(
        _ stored: HTTPFields, with notModified: HTTPFields, sentStoredValidators: Bool
    ) -> Result {
        guard isAbout(stored, notModified, sentStoredValidators: sentStoredValidators) else { return .differs }
        var news = notModified
        if let tag = stored.firstValue("ETag"), ValidatorMatch.isWeak(tag) { news["ETag"] = tag }
        return .freshened(FieldUpdate.updated(stored, with: news))
    }

    private static func isAbout(_ stored: HTTPFields, _ notModified: HTTPFields, sentStoredValidators: Bool) -> Bool {
        if let entityTag = notModified.firstValue("ETag") {
            guard let storedTag = stored.firstValue("ETag") else { return false }
            let isWeakEnough =
                ValidatorMatch.isWeak(entityTag) || (sentStoredValidators && ValidatorMatch.isWeak(storedTag))
            return isWeakEnough
                ? ValidatorMatch.weakly(entityTag, storedTag) : ValidatorMatch.strongly(entityTag, storedTag)
        }
        if let lastModified = notModified.firstValue("Last-Modified") {
            return ValidatorMatch.identical(lastModified, stored.firstValue("Last-Modified"))
        }
        return sentStoredValidators
    }
}

/// What the answer to a HEAD does to the stored GET response (RFC 9111, section 4.3.5).
package enum HeadUpdate {
    package enum Result: Equatable, Sendable {
        /// It is still the same, with these new fields.
        case updated(HTTPFields)
        /// The representation has changed: remove the stored response.
        case changed
        case unrelated
    }

    /// Compares the validators and length in a 200 to a HEAD with those that the stored response has. Any other status
    /// says nothing. A server that compresses answers to GET alone makes their tags weak.
    ///
    /// - Parameter bodyCount: how many bytes the stored body has. They count in place of `Content-Length`, unless the
    ///   body is coded or was decoded, or its tag is weak.
    package static func decide(_ stored: HTTPFields, bodyCount: Int, head: HTTPFields, status: Int) -> Result {
        guard status == 200 else { return .unrelated }
        var known = stored
        if !stored.contains("Content-Length"), RangeSupport.isGiven(by: stored),
            !ValidatorMatch.isWeak(stored.firstValue("ETag") ?? "")
        {
            known["Content-Length"] = String(bodyCount)
        }
        for name in ["ETag", "Last-Modified", "Content-Length"] as [HTTPFields.Name] {
            guard let value = head.firstValue(name), let old = known.firstValue(name) else { continue }
            let isWeak = name == "ETag" && ValidatorMatch.isWeak(old)
            if !(isWeak ? ValidatorMatch.weakly(value, old) : ValidatorMatch.identical(value, old)) { return .changed }
        }
        switch Freshening.freshen(stored, with: head, sentStoredValidators: true) {
        case .freshened(let fields): return .updated(fields)
        case .differs: return .changed
        }
    }
}

/// Compares validators as written in a field (RFC 9110, section 8.8), byte by byte. A malformed one is a string like
/// any other, and `String`'s own `==` would call some different ones equal.
enum ValidatorMatch {
    static func isWeak(_ tag: String) -> Bool { tag.utf8.starts(with: "W/".utf8) }

    /// Equal, and neither is weak (section 8.8.3.2).
    static func strongly(_ one: String, _ other: String) -> Bool { !isWeak(one) && identical(one, other) }

    /// Equal but for weakness (section 8.8.3.2).
    static func weakly(_ one: String, _ other: String) -> Bool { opaque(one).elementsEqual(opaque(other)) }

    static func identical(_ one: String, _ other: String?) -> Bool {
        guard let other else { return false }
        return one.utf8.elementsEqual(other.utf8)
    }

    private static func opaque(_ tag: String) -> Substring.UTF8View {
        tag.utf8.dropFirst(isWeak(tag) ? 2 : 0)
    }
}
