extension Reference {
    /// The directives of a `Cache-Control` field (RFC 9111, section 5.2; RFC 5861; RFC 8246), by name.
    ///
    /// A member of the list is a directive's name, up to the first `=` or whitespace, and the rest. Members with an
    /// unknown name are ignored. If a directive has two arguments, the first counts.
    ///
    /// The name is followed by nothing, by `=` and a token, or by `=` and a quoted string right behind it. Anything
    /// else is an unreadable argument: a number is then invalid, a directive that restricts (`no-store`) still applies,
    /// and one that permits (`public`) does not. Of `immutable` any argument is ignored (RFC 8246, section 2).
    ///
    /// Some senders write semicolons for commas. What follows a known directive's semicolon is not in the grammar; in
    /// the safe reading a directive that restricts applies there, too, and the field is malformed.
    public struct CacheControl: Equatable, Sendable {
        /// Directives without a number, including `max-stale` without an argument.
        public var flags: Set<String> = []
        /// Directives with a number.
        public var numbers: [String: Seconds] = [:]
        /// Where the field names are in the first `no-cache="…"` and in the first `private="…"` that has any.
        public var fieldLists: [String: Range<Int>] = [:]
        /// A quote is where the grammar allows none, or is never closed; or a semicolon follows a directive.
        public var malformed = false

        /// No directive.
        public init() {}

        /// What another parser has read.
        ///
        /// - Parameters:
        ///   - flags: the names of directives without a number.
        ///   - numbers: seconds by directive name; more than 2^31 count as 2^31.
        ///   - invalid: the names of directives whose argument is not a number.
        public init(flags: Set<String>, numbers: [String: Int64], invalid: Set<String> = []) {
            self.flags = flags
            self.numbers = numbers.mapValues { .number(min($0, Seconds.maximum)) }
            for name in invalid { self.numbers[name] = .invalid }
        }

        /// The directives in a field value.
        public init(parsing bytes: [UInt8]) {
            let members = ListMembers(of: bytes, directives: Self.names)
            malformed = members.isMalformed
            for range in members.ranges {
                let member = Member(bytes, range, directives: Self.names)
                apply(member)
                guard Self.names.contains(member.name) else { continue }
                for text in member.textsBehindSemicolons {
                    malformed = true
                    let name = Member(bytes, trimWhitespace(text, of: bytes), directives: Self.names).name
                    if Self.restricting.contains(name) { flags.insert(name) }
                }
            }
        }

        private static let restricting: Set<String> = [
            "no-store", "no-cache", "private", "must-revalidate", "proxy-revalidate", "no-transform", "only-if-cached",
        ]

        private mutating func apply(_ member: Member) {
            switch member.name {
            case "no-store", "must-revalidate", "proxy-revalidate", "no-transform", "only-if-cached":
                flags.insert(member.name)
            case "public", "must-understand":
                if member.argument == .none { flags.insert(member.name) }
            case "immutable":
                if member.argument != .unreadable { flags.insert(member.name) }
            case "no-cache", "private":
                flags.insert(member.name)
                fieldLists[member.name] = fieldLists[member.name] ?? member.fieldList
            case "max-stale" where member.argument == .none:
                flags.insert(member.name)
            case "max-age", "s-maxage", "stale-while-revalidate", "stale-if-error", "min-fresh", "max-stale":
                if numbers[member.name] == nil { numbers[member.name] = Seconds(member) }
            default: break
            }
        }

        /// Whether a directive without a number is set.
        public func has(_ flag: String) -> Bool { flags.contains(flag) }

        /// The number of a directive; `absent` without the directive.
        public func number(_ name: String) -> Seconds { numbers[name] ?? .absent }
    }

    /// A number of seconds in a directive (RFC 9111, section 1.2.2).
    public enum Seconds: Equatable, Sendable {
        /// The directive is absent.
        case absent
        /// The directive is present, but its argument is not `1*DIGIT`.
        case invalid
        /// The number, at most 2^31.
        case number(Int64)

        /// The largest number; larger ones are read as this one.
        public static let maximum: Int64 = 1 << 31

        init(_ member: Member) {
            self = .invalid
            var reader = Reader(member.argumentBytes)
            if let number = reader.readNumber(clampedTo: Self.maximum), reader.isAtEnd { self = .number(number) }
        }

        /// The number; `nil` if absent or invalid.
        public var value: Int64? {
            if case .number(let seconds) = self { seconds } else { nil }
        }
    }
}
