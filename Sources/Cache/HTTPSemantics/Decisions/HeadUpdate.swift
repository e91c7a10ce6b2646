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
