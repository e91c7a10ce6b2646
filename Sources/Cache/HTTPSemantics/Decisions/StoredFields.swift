/// The fields a stored response keeps, and those it is served with.
package enum StoredFields {
    /// What is kept of a received response: all but what speaks of one connection or one hop.
    package static func storable(_ received: HTTPFields) -> HTTPFields { UnstorableFields.removed(from: received) }

    /// What a stored response is served with when it was not confirmed for this request: its fields, and an `Age` in
    /// place of any it came with (RFC 9111, section 4).
    ///
    /// - Parameter age: `StoredFacts.currentAge(at:)`; seconds.
    package static func served(_ stored: HTTPFields, age: Int64) -> HTTPFields {
        var fields = stored
        fields["Age"] = String(age)
        return fields
    }
}
