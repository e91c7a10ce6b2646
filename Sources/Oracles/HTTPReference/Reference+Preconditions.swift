extension Reference {
    /// What a fresh stored response answers to a request's own conditions and range.
    package enum Selection: Equatable, Sendable {
        case whole
        /// 304.
        case notModified
        /// 206 with the bytes from the first position through the last.
        case part(ClosedRange<Int64>)
        /// 416.
        case notSatisfiable
        /// The request goes to the origin: several ranges, or a body with other bytes than a range counts.
        case forward

        /// Evaluates the steps of RFC 9110, section 13.2.2, that a cache takes (RFC 9111, section 4.3.2).
        ///
        /// - Parameters:
        ///   - isGet: the method is GET; HEAD ignores the range (section 14.2).
        ///   - receivedAt: when the stored response came, seconds since 1970.
        ///   - length: bytes of the stored body.
        package static func decide(
            _ request: FieldBlock, isGet: Bool, status: Int, _ stored: FieldBlock, receivedAt: Int64, length: Int64
        ) -> Selection {
            // "…would have been a status code other than a 2xx": of those, ranges exist only for 200.
            guard status == 200 else { return .whole }
            // Step 3, else step 4.
            if let list = request.value(of: "if-none-match") {
                if names(list, stored) { return .notModified }
            } else if let value = request.value(of: "if-modified-since"),
                let since = HTTPDate.parse(trimmed(value), now: receivedAt),
                lastModification(stored, receivedAt) <= since
            {
                return .notModified
            }
            // Step 5.
            guard isGet, let value = request.value(of: "range"),
                case .bytes(let ranges) = RangeField.parse(trimmed(value)),
                ifRangeHolds(request, stored, receivedAt)
            else { return .whole }
            guard ranges.count == 1, countsBytes(stored) else { return .forward }
            return select(ranges[0], length)
        }

        private static func select(_ range: ByteRange, _ length: Int64) -> Selection {
            switch range {
            case .from(let first, let last):
                if first >= length { return .notSatisfiable }
                return .part(first...min(last ?? .max, length - 1))
            case .last(0): return .notSatisfiable
            case .last(let count):
                // Content-Range cannot name a byte of an empty body.
                if length == 0 { return .whole }
                return .part(max(0, length - count)...length - 1)
            }
        }

        /// Section 13.1.2.
        private static func names(_ list: [UInt8], _ stored: FieldBlock) -> Bool {
            let tags = EntityTagList.parse(list)
            guard let tag = stored.first("etag").flatMap({ EntityTag.parse(trimming: $0) }) else { return tags.isAny }
            return tags.weaklyMatches(tag)
        }

        /// Section 13.1.3; without `Last-Modified` RFC 9111, section 4.3.2, takes `Date`, else the time of receipt.
        private static func lastModification(_ stored: FieldBlock, _ receivedAt: Int64) -> Int64 {
            date("last-modified", stored, receivedAt) ?? date("date", stored, receivedAt) ?? receivedAt
        }

        /// Section 13.1.5: the same strong entity tag, or the date of a strong `Last-Modified`.
        private static func ifRangeHolds(_ request: FieldBlock, _ stored: FieldBlock, _ receivedAt: Int64) -> Bool {
            guard let value = request.value(of: "if-range").map(trimmed) else { return true }
            if let tag = EntityTag.parse(value) {
                return stored.first("etag").flatMap { EntityTag.parse(trimming: $0) }?.stronglyMatches(tag) ?? false
            }
            guard let asked = HTTPDate.parse(value, now: receivedAt),
                let modified = date("last-modified", stored, receivedAt), let sent = date("date", stored, receivedAt)
            else { return false }
            // Section 8.8.2.2: a minute apart.
            return asked == modified && Int128(sent) - Int128(modified) >= 60
        }

        /// The body is neither coded nor decoded.
        private static func countsBytes(_ stored: FieldBlock) -> Bool {
            let codings = members(stored, "content-encoding")
            return !members(stored, "accept-ranges").contains("none") && codings.allSatisfy { $0 == "identity" }
        }

        private static func members(_ fields: FieldBlock, _ name: String) -> [String] {
            let bytes = fields.value(of: name) ?? []
            return bytes.split(separator: 0x2C).map { member in
                let member = Array(member)
                return lowercasedString(member, trimWhitespace(0..<member.count, of: member))
            }.filter { !$0.isEmpty }
        }

        private static func date(_ name: String, _ fields: FieldBlock, _ receivedAt: Int64) -> Int64? {
            fields.first(name).flatMap { HTTPDate.parse(trimmed($0), now: receivedAt) }
        }

        private static func trimmed(_ value: [UInt8]) -> [UInt8] {
            Array(value[trimWhitespace(0..<value.count, of: value)])
        }
    }
}
