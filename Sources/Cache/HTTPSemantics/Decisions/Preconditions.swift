/// Evaluates a request's own conditions and range against a fresh stored response, in the order of RFC 9110, section
/// 13.2.2 (RFC 9111, section 4.3.2; RFC 9110, sections 13.1 and 14.2).
package enum Preconditions {
    package enum Answer: Equatable, Sendable {
        case whole
        /// 304 (Not Modified).
        case notModified
        /// 206 (Partial Content) with these bytes of the body.
        case part(Range<Int64>)
        /// 416 (Range Not Satisfiable).
        case notSatisfiable
        /// Ask the origin: there are several ranges, or the range counts other bytes than the stored body has.
        case forward
    }

    /// Evaluates a GET or HEAD against a stored body of `length` bytes.
    ///
    /// Conditions and ranges count only for a stored 200; unreadable ones are ignored.
    package static func evaluate(
        _ request: HTTPFields, method: MethodClass, stored: HTTPResponse, _ facts: StoredFacts, length: Int64
    ) -> Answer {
        guard stored.status == 200 else { return .whole }
        if isNotModified(request, stored.headerFields, facts) { return .notModified }
        guard method == .get, let value = request["Range"], IfRangeCondition.holds(request, stored.headerFields, facts)
        else { return .whole }
        return select(value, stored.headerFields, length: length)
    }

    private static func isNotModified(_ request: HTTPFields, _ stored: HTTPFields, _ facts: StoredFacts) -> Bool {
        if let tags = request["If-None-Match"] {
            return EntityTagList.matches(tags, entityTag: stored.firstValue("ETag") ?? "")
        }
        // Several joined lines are not a date, and are ignored (RFC 9110, section 13.1.3).
        guard let value = request["If-Modified-Since"],
            let since = withTrimmedFieldBytes(of: value, { HTTPDate.parse($0, now: facts.receivedAt) })
        else { return false }
        let modified = FieldDate(stored, "Last-Modified", now: facts.receivedAt).seconds
        // Not `generatedAt`, which is limited to 68 years around the receipt.
        return modified ?? FieldDate(stored, "Date", now: facts.receivedAt).seconds ?? facts.receivedAt <= since
    }

    private static func select(_ value: String, _ stored: HTTPFields, length: Int64) -> Answer {
        let (first, count) = withTrimmedFieldBytes(of: value) { bytes in
            var list = ByteRangeList()
            var first: ByteRange?
            var count = 0
            while let range = list.next(in: bytes) {
                first = first ?? range
                count += 1
            }
            return list.isMalformed ? (nil, 0) : (first, count)
        }
        guard let range = first else { return .whole }
        if count > 1 || !RangeSupport.isGiven(by: stored) { return .forward }
        switch range {
        case .from(let first): return first < length ? .part(first..<length) : .notSatisfiable
        case .closed(let first, let last):
            return first < length ? .part(first..<min(last, length - 1) + 1) : .notSatisfiable
        case .suffix(0): return .notSatisfiable
        // Content-Range cannot name a part of an empty body.
        case .suffix(let count): return length > 0 ? .part(max(length - count, 0)..<length) : .whole
        }
    }
}

/// Whether a range counts the bytes that the body has.
enum RangeSupport {
    /// Not if the body is coded, because a cache in an application also keeps decoded bodies. Not after
    /// `Accept-Ranges: none` either, which a transport sets when it has decoded the body (RFC 9110, section 14.3).
    static func isGiven(by fields: HTTPFields) -> Bool {
        let codings = ListMembers.of(fields["Content-Encoding"] ?? "")
        return codings.allSatisfy { AsciiCase.lowered($0) == "identity" } && !isDenied(by: fields)
    }

    static func isDenied(by fields: HTTPFields) -> Bool {
        ListMembers.of(fields["Accept-Ranges"] ?? "").contains { AsciiCase.lowered($0) == "none" }
    }
}

/// `If-Range` (RFC 9110, section 13.1.5).
package enum IfRangeCondition {
    /// Whether the range applies: there is no `If-Range`, or it names the stored response by a strong validator.
    package static func holds(_ request: HTTPFields, _ stored: HTTPFields, _ facts: StoredFacts) -> Bool {
        guard let value = request["If-Range"] else { return true }
        if let tag = stored.firstValue("ETag"), EntityTag.matchesStrongly(value, tag) { return true }
        guard let date = withTrimmedFieldBytes(of: value, { HTTPDate.parse($0, now: facts.receivedAt) }) else {
            return false
        }
        return StrongValidator.lastModified(stored, now: facts.receivedAt) == date
    }
}
