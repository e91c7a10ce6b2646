extension Reference {
    /// The directives of a `Cache-Control` field (RFC 9111, section 5.2; RFC 5861; RFC 8246).
    ///
    /// A member of the list is a directive's name, up to the first `=` or whitespace, and what follows it. A name that
    /// is none of those below is ignored with all that follows it. Of two arguments for one directive the first counts.
    ///
    /// A quoted string begins right after the name and `=`. What follows the name is nothing, `=` and a token, or `=` and a quoted string; anything else is no argument that
    /// can be understood. Then a number is invalid, a directive that restricts (`no-store`) holds all the same, and one
    /// that permits (`public`) does not.
    package struct CacheControl: Equatable, Sendable {
        /// `no-store`
        package var noStore = false
        /// `no-cache`, with or without a field list.
        package var noCache = false
        /// `must-revalidate`
        package var mustRevalidate = false
        /// `proxy-revalidate`
        package var proxyRevalidate = false
        /// `public`
        package var isPublic = false
        /// `private`, with or without a field list.
        package var isPrivate = false
        /// `immutable`
        package var immutable = false
        /// `must-understand`
        package var mustUnderstand = false
        /// `no-transform`
        package var noTransform = false
        /// `only-if-cached`
        package var onlyIfCached = false
        /// `max-stale` without an argument.
        package var anyStale = false
        /// A quote stands where the grammar has none, or is never closed.
        package var malformed = false

        /// `max-age`
        package var maxAge = Seconds.absent
        /// `s-maxage`
        package var sharedMaxAge = Seconds.absent
        /// `stale-while-revalidate`
        package var staleWhileRevalidate = Seconds.absent
        /// `stale-if-error`
        package var staleIfError = Seconds.absent
        /// `min-fresh`
        package var minFresh = Seconds.absent
        /// `max-stale` with an argument.
        package var maxStale = Seconds.absent

        /// The names in the first `no-cache="…"` that has any.
        package var noCacheFields: Range<Int>?
        /// The names in the first `private="…"` that has any.
        package var privateFields: Range<Int>?

        /// No directive.
        package init() {}

        /// The directives in a field value.
        package init(parsing bytes: [UInt8]) {
            let members = ListMembers(of: bytes)
            malformed = members.isMalformed
            for range in members.ranges { apply(Member(bytes, range)) }
        }

        private mutating func apply(_ member: Member) {
            switch member.name {
            case "no-store": noStore = true
            case "must-revalidate": mustRevalidate = true
            case "proxy-revalidate": proxyRevalidate = true
            case "no-transform": noTransform = true
            case "only-if-cached": onlyIfCached = true
            case "must-understand": mustUnderstand = mustUnderstand || member.argument == .none
            case "immutable": immutable = immutable || member.argument == .none
            case "public": isPublic = isPublic || member.argument == .none
            case "no-cache":
                noCache = true
                noCacheFields = noCacheFields ?? member.fieldList
            case "private":
                isPrivate = true
                privateFields = privateFields ?? member.fieldList
            case "max-age": maxAge.setFirst(member)
            case "s-maxage": sharedMaxAge.setFirst(member)
            case "stale-while-revalidate": staleWhileRevalidate.setFirst(member)
            case "stale-if-error": staleIfError.setFirst(member)
            case "min-fresh": minFresh.setFirst(member)
            case "max-stale":
                if member.argument == .none { anyStale = true } else { maxStale.setFirst(member) }
            default: break
            }
        }
    }

    /// A number of seconds as a directive carries it (RFC 9111, section 1.2.2).
    package enum Seconds: Equatable, Sendable {
        /// The directive is not there.
        case absent
        /// It is there, and its argument is not `1*DIGIT`.
        case invalid
        /// The number, at most 2^31.
        case number(Int64)

        /// The largest number; larger ones are read as this one.
        package static let maximum: Int64 = 1 << 31

        /// The number, `nil` when there is none that counts.
        package var value: Int64? {
            if case .number(let seconds) = self { seconds } else { nil }
        }

        /// Takes a directive's argument, unless an earlier one has been taken.
        mutating func setFirst(_ member: Member) {
            guard self == .absent else { return }
            self = .invalid
            var reader = Reader(member.argumentBytes)
            if let number = reader.readNumber(clampedTo: Self.maximum), reader.isAtEnd { self = .number(number) }
        }
    }
}
