/// The request fields that a response was selected by: what `Vary` names (RFC 9111, section 4.1).
public struct VarySelection: Equatable, Sendable {
    /// The names in lower case, each once, in order of their bytes, so that two spellings of one list are equal;
    /// none when nothing matches.
    public let names: [String]
    /// `*` is among the members, wherever it stands, or something that is no name: the response matches no request.
    public let matchesNothing: Bool

    /// The selection of a response.
    ///
    /// - Parameters:
    ///   - vary: the value of `Vary`, its lines joined; `nil` when there is none.
    ///   - extra: names that an application adds for a server that does not send them.
    public init(_ vary: String?, also extra: [String] = []) {
        var names = Set(extra.map { AsciiCase.lowered($0) })
        matchesNothing = withFieldBytes(of: vary ?? "") { bytes in
            var places = VaryNames()
            while let place = places.next(in: bytes) {
                names.insert(AsciiCase.lowered(String(decoding: place.slice(of: bytes), as: UTF8.self)))
            }
            return places.isAnything
        }
        self.names = matchesNothing ? [] : names.sorted { $0.utf8.lexicographicallyPrecedes($1.utf8) }
    }

    /// No field selects: the one stored response answers every request.
    public var isEmpty: Bool { names.isEmpty && !matchesNothing }

    /// The bytes that tell this request's variant from others: equal for two requests exactly when the named fields
    /// match; `nil` when nothing matches, and no bytes when nothing selects.
    ///
    /// Two values match when they differ in whitespace around commas, in the length of whitespace elsewhere outside of
    /// quotes, or in being spread over several lines. A field that is absent matches only one that is absent too.
    /// Nothing else is normalised, since that would need to know each field's meaning.
    public func variantKey(of request: HTTPFields) -> [UInt8]? {
        guard !matchesNothing else { return nil }
        var key: [UInt8] = []
        for name in names {
            let value = request[HTTPFields.Name(name)].map(WhitespaceNormalisation.normalised)
            append(Array(name.utf8), to: &key)
            key.append(value == nil ? 0 : 1)
            if let value { append(value, to: &key) }
        }
        return key
    }

    /// A length before the bytes, so that no two lists of parts give the same key.
    private func append(_ part: [UInt8], to key: inout [UInt8]) {
        withUnsafeBytes(of: UInt64(part.count).littleEndian) { key.append(contentsOf: $0) }
        key.append(contentsOf: part)
    }
}
