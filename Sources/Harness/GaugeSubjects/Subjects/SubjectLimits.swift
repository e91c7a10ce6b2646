/// What the limits of a cache mean. Caches differ in them, so `verify` tries what is declared here and nothing else.
public struct SubjectLimits: Hashable, Sendable {
    /// What a capacity of 0 means.
    public enum Zero: Sendable {
        /// Nothing is stored.
        case nothing
        /// There is no limit.
        case unlimited
    }

    /// What a capacity of 0 means; `nil` is not tried.
    public var zero: Zero?
    /// Whether a negative capacity can be asked for, and is then an error or means no cache; false where the type of a
    /// capacity has no negative values.
    public var refusesNegative: Bool
    /// The part of a tier's capacity above which a body is not stored in it, such as 0.05 for URL caches; `nil` is not
    /// tried.
    public var largestPart: Double?

    /// Nothing declared, unless it is named.
    public init(zero: Zero? = nil, refusesNegative: Bool = false, largestPart: Double? = nil) {
        self.zero = zero
        self.refusesNegative = refusesNegative
        self.largestPart = largestPart
    }

    /// The limits of `URLCache`: 0 and negative capacities mean no cache, and no body takes more than 5 % of a tier.
    public static let urlCache = SubjectLimits(zero: .nothing, refusesNegative: true, largestPart: 0.05)

    /// One of the declarations, by which a promise is made.
    package enum Declaration: String, Sendable, CaseIterable {
        case zero = "limits.zero"
        case negative = "limits.refusesNegative"
        case largest = "limits.largestPart"
    }

    package func declares(_ declaration: Declaration) -> Bool {
        switch declaration {
        case .zero: zero != nil
        case .negative: refusesNegative
        case .largest: largestPart != nil
        }
    }
}
