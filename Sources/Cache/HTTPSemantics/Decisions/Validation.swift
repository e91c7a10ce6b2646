/// The effect of the origin's answer on a stored response that it was asked to confirm (RFC 9111, section 4.3.3).
package enum Validation {
    /// How the origin answered.
    package enum Answer: Equatable, Sendable {
        /// With this status.
        case status(Int)
        /// Not at all: no connection, or one that broke before the header was complete.
        case none
    }

    /// What to do with it.
    package enum Decision: Equatable, Sendable {
        /// The stored response is confirmed: freshen it (`Freshening`) and answer with it.
        case freshen
        /// Answer with the new response, and store it if `Storability` lets it.
        case useAnswer
        /// Answer with the stored response, although it is stale.
        case serveStale
        /// Answer with the failure itself, or with 504 (Gateway Timeout).
        case fail
    }

    /// Decides about the answer to a request that `Reuse` wanted revalidated or fetched.
    ///
    /// - Parameters:
    ///   - request: the application's request, as `Reuse` was given it.
    ///   - stored: the stored response.
    ///   - sentStoredValidators: the request that was sent carried the stored validators, and no condition of
    ///     the application's own.
    ///   - now: when the answer came, seconds since 1970.
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

/// How a 304 brings a stored response up to date (RFC 9111, sections 3.2 and 4.3.4).
package enum Freshening {
    /// The result of a 304.
    package enum Result: Equatable, Sendable {
        /// The stored response's new fields; its status and body stay. New `StoredFacts` follow from them and from the
        /// times of the validation, so that it is fresh for another lifetime.
        case freshened(HTTPFields)
        /// The 304 is about another representation: nothing is updated, and the request goes to the origin again,
        /// without validators.
        case differs
    }

    /// The fields of the stored response after the 304.
    ///
    /// A strong `ETag` in the 304 has to be the stored one. A weak one has to match it weakly, and a `Last-Modified`
    /// alone has to be the one received, character by character: a server that rolls back is a change too. A 304 without
    /// a validator is about the stored response if the request carried the stored validators only.
    ///
    /// One deviation from RFC 9111, section 4.3.4, for servers that weaken a tag when they compress and do not when they
    /// answer 304 (nginx): if the request carried the stored validators only, a stored `W/"x"` is confirmed by `"x"`. The
    /// stored tag stays weak, since the bytes it stands for may differ.
    ///
    /// The fields of the 304 replace the stored ones; see `FieldUpdate`.
    ///
    /// - Parameters:
    ///   - stored: the fields of the stored response.
    ///   - notModified: the fields of the 304.
    ///   - sentStoredValidators: the request carried the validators of `stored` and no others.
    package static func freshen(
        _ stored: HTTPFields, with notModified: HTTPFields, sentStoredValidators: Bool
    ) -> Result {
        guard isAbout(stored, notModified, sentStoredValidators: sentStoredValidators) else { return .differs }
        var news = notModified
        if let tag = stored.firstValue("ETag"), ValidatorMatch.isWeak(tag) { news["ETag"] = tag }
        return .freshened(FieldUpdate.updated(stored, with: news))
    }

    private static func isAbout(
        _ stored: HTTPFields, _ notModified: HTTPFields, sentStoredValidators: Bool
    ) -> Bool {
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

/// The effect of the answer to a HEAD on the stored GET response (RFC 9111, section 4.3.5).
package enum HeadUpdate {
    /// The effect.
    package enum Result: Equatable, Sendable {
        /// It is still the same: these are its new fields.
        case updated(HTTPFields)
        /// The representation has changed: the stored response is removed.
        case changed
        /// The answer says nothing about it.
        case unrelated
    }

    /// Compares the validators and the length in a 200 to a HEAD with those of the stored response.
    ///
    /// - Parameters:
    ///   - stored: the fields of the stored response.
    ///   - head: the fields of the answer.
    ///   - status: the status of the answer; any but 200 says nothing.
    package static func decide(_ stored: HTTPFields, head: HTTPFields, status: Int) -> Result {
        guard status == 200 else { return .unrelated }
        for name in ["ETag", "Last-Modified", "Content-Length"] as [HTTPFields.Name] {
            if let value = head.firstValue(name), !ValidatorMatch.identical(value, stored.firstValue(name)) {
                return .changed
            }
        }
        switch Freshening.freshen(stored, with: head, sentStoredValidators: true) {
        case .freshened(let fields): return .updated(fields)
        case .differs: return .changed
        }
    }
}

/// Comparison of validators as they stand in a field (RFC 9110, section 8.8). They are compared byte by byte: a malformed
/// one is a string like any other, and `String`'s own `==` would take some different ones for equal.
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
