import HTTPSemantics

/// The requests that a response answers: those that agree with the request it was sent for in every field that `Vary`
/// names (RFC 9111, section 4.1).
struct VaryMatch: Sendable {
    let selection: VarySelection
    private let variant: [UInt8]?

    init(_ selection: VarySelection, of request: HTTPRequest) {
        self.selection = selection
        variant = selection.variantKey(of: request.headerFields)
    }

    func contains(_ request: HTTPRequest) -> Bool {
        guard let variant else { return false }
        return selection.variantKey(of: request.headerFields) == variant
    }

    /// Every request that `other` answers, or any at all where that is `nil`, is answered by this one.
    func covers(_ other: VaryMatch?) -> Bool {
        selection.isEmpty || other.map { selection == $0.selection && variant == $0.variant } ?? false
    }

    /// The two are different variants of one list of names, so that neither takes the other's place in a store.
    func isDisjoint(from other: VaryMatch) -> Bool { selection == other.selection && variant != other.variant }
}
