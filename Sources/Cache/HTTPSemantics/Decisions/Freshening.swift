/// How a 304 brings a stored response up to date (RFC 9111, sections 3.2 and 4.3.4).
package enum Freshening {
    /// What became of it.
    package enum Result: Equatable, Sendable {
        /// The stored response's new fields; its status and body stay. New `StoredFacts` follow from them and from the
        /// times of the validation, so that it is fresh for another lifetime.
        case freshened(HTTPFields)
        /// The 304 speaks of another representation: nothing is updated, and the request goes to the origin again,
        /// without validators.
        case differs
    }

    /// The fields of the stored response after the 304; a new value, the stored one stays as it is.
    ///
    /// A strong `ETag` in the 304 has to be the stored one. A weak one has to match it weakly, and a `Last-Modified`
    /// alone has to be the one received, character by character: a server that rolls back is a change too. A 304 with no
    /// validator at all speaks of the stored response when it was asked about with that one's validators.
    ///
    /// The fields of the 304 replace the stored ones, save those that describe the body, and what speaks of one hop.
    ///
    /// - Parameters:
    ///   - stored: the fields of the stored response.
    ///   - notModified: the fields of the 304.
    ///   - sentStoredValidators: the request carried the validators of `stored` and no others.
    package static func freshen(
        _ stored: HTTPFields, with notModified: HTTPFields, sentStoredValidators: Bool
    ) -> Result {
        guard speaksOf(stored, notModified, sentStoredValidators: sentStoredValidators) else { return .differs }
        return .freshened(FieldUpdate.updated(stored, with: notModified))
    }

    private static func speaksOf(
        _ stored: HTTPFields, _ notModified: HTTPFields, sentStoredValidators: Bool
    ) -> Bool {
        if let entityTag = notModified.firstValue("ETag") {
            guard let storedTag = stored.firstValue("ETag") else { return false }
            return ValidatorMatch.isWeak(entityTag)
                ? ValidatorMatch.weakly(entityTag, storedTag) : ValidatorMatch.strongly(entityTag, storedTag)
        }
        if let lastModified = notModified.firstValue("Last-Modified") {
            return ValidatorMatch.identical(lastModified, stored.firstValue("Last-Modified"))
        }
        return sentStoredValidators
    }
}
