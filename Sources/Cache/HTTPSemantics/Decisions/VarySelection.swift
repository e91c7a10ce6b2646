/// The request fields by which a response was selected, as `Vary` names them (RFC 9111, section 4.1).
package struct VarySelection: Equatable, Sendable {
    /// The names in lower case, each once, in order of their bytes, so that two spellings of one list are equal;
    /// none when nothing matches.
    package let names: [String]
    /// `*` is among the members, wherever it stands, or something that is not a name: the response matches no request.
    package let matchesNothing: Bool

    /// The selection of a response.
    ///
    /// - Parameters:
    ///   - vary: the value of `Vary`, its lines joined; `nil` without one.
    ///   - extra: names that an application adds for a server that does not send them.
    package init(_ vary: String?, also extra: [String] = []) {
        var names = extra.map { AsciiCase.lowered($0) }
        matchesNothing = withFieldBytes(of: vary ?? "") { bytes in
            var places = VaryNames()
            while let place = places.next(in: bytes) {
                names.append(AsciiCase.lowered(String(decoding: place.slice(of: bytes), as: UTF8.self)))
            }
            return places.isAnything
        }
        self.names = matchesNothing ? [] : Self.sortedOnce(names)
    }

    private static func sortedOnce(_ names: [String]) -> [String] {
        guard names.count > 1 else { return names }
        return names.sorted { $0.utf8.lexicographicallyPrecedes($1.utf8) }.reduce(into: []) { sorted, name in
            if sorted.last != name { sorted.append(name) }
        }
    }

    /// No field selects: the one stored response answers every request.
    package var isEmpty: Bool { names.isEmpty && !matchesNothing }

    /// The bytes that tell this request's variant from others: equal for two requests exactly when the named fields
    /// match; `nil` when nothing matches, and no bytes when nothing selects.
    ///
    /// Two values match if they differ in whitespace around commas, in the length of whitespace elsewhere outside of
    /// quotes, or in being spread over several lines. A field that is absent matches only one that is absent too. For
    /// `Accept-Language`, case and the order of members of different weight do not matter either.
    package func variantKey(of request: HTTPFields) -> [UInt8]? {
        guard !matchesNothing else { return nil }
        var key: [UInt8] = []
        key.reserveCapacity(64 * names.count)
        for name in names {
            Self.appendPart(to: &key) { $0.append(contentsOf: name.utf8) }
            let value = request[HTTPFields.Name(name)]
            if let value { Self.appendPart(to: &key) { Self.append(value, of: name, to: &$0) } }
            key.append(value == nil ? 0 : 1)
        }
        return key
    }

    /// A normalised value and one that was not understood begin with different bytes, so that they never match.
    private static func append(_ value: String, of name: String, to key: inout [UInt8]) {
        guard name == "accept-language" else { return WhitespaceNormalisation.append(value, to: &key) }
        key.append(1)
        guard !AcceptLanguage.append(value, to: &key) else { return }
        key[key.count - 1] = 0
        WhitespaceNormalisation.append(value, to: &key)
    }

    /// Appends a part and its length: read from the end, a key can be divided into its parts in one way only, so that
    /// different lists of parts have different keys.
    private static func appendPart(to key: inout [UInt8], _ write: (inout [UInt8]) -> Void) {
        let start = key.count
        write(&key)
        withUnsafeBytes(of: UInt64(key.count - start).littleEndian) { key.append(contentsOf: $0) }
    }
}
