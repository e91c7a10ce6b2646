import HTTPReference
import HTTPSemantics

extension Agreement {
    /// Both readings of a `Range` field, as a list and as a single range.
    package static func range(_ bytes: [UInt8]) -> Agreement {
        let reference = Reference.RangeField.parse(bytes)
        var list = ByteRangeList()
        var fast: [Reference.ByteRange] = []
        while let range = list.next(in: ContiguousArray(bytes).span.bytes) { fast.append(Reference.ByteRange(range)) }
        var ranges: [Reference.ByteRange]?
        if case .bytes(let some) = reference { ranges = some }
        let readings = comparing(
            fast: list.isMalformed ? nil : fast, reference: ranges,
            valid: ranges.map { $0.count == 1 ? "one range" : "several ranges" },
            invalid: reference == .otherUnit ? "other unit" : "invalid")
        guard case .agreed = readings else { return readings }
        let one = ByteRange.parse(ContiguousArray(bytes).span.bytes).map { Reference.ByteRange($0) }
        guard one == (ranges?.count == 1 ? ranges?.first : nil) else {
            return .broken("as one range: fast \(one as Any), reference \(reference)")
        }
        return readings
    }

    package static func contentRange(_ bytes: [UInt8]) -> Agreement {
        let fast = ContentRange.parse(ContiguousArray(bytes).span.bytes).map { Reference.ContentRange($0) }
        let reference = Reference.ContentRange.parse(bytes)
        return comparing(
            fast: fast, reference: reference, valid: reference.map { $0.range == nil ? "unsatisfied" : "range" })
    }

    package static func ifRange(_ bytes: [UInt8], now: Int64) -> Agreement {
        let reference = Reference.IfRange.parse(bytes, now: now)
        let fast: Reference.IfRange? =
            switch IfRange.parse(ContiguousArray(bytes).span.bytes, now: now) {
            case .entityTag(let tag): .entityTag(Reference.EntityTag(tag, in: bytes))
            case .date(let moment): .date(moment)
            case nil: nil
            }
        let valid =
            switch reference {
            case .entityTag: "entity tag"
            case .date: "date"
            case nil: String?.none
            }
        return comparing(fast: fast, reference: reference, valid: valid)
    }
}

extension Reference.ByteRange {
    fileprivate init(_ fast: ByteRange) {
        self =
            switch fast {
            case .from(let first): .from(first, through: nil)
            case .closed(let first, let last): .from(first, through: last)
            case .suffix(let length): .last(length)
            }
    }
}

extension Reference.ContentRange {
    init(_ fast: ContentRange) { self.init(range: fast.positions, completeLength: fast.completeLength) }
}

extension Agreement {
    /// Both evaluations of a request's own conditions and range against a fresh stored response. Valid if a condition
    /// or a range counts.
    package static func preconditions(
        _ request: HTTPFields, method: String, _ stored: HTTPResponse, receivedAt: Int64, length: Int64
    ) -> Agreement {
        let facts = StoredFacts(stored, requestTime: receivedAt, responseTime: receivedAt)
        let fast = Preconditions.evaluate(request, method: MethodClass(method), stored: stored, facts, length: length)
        let reference = Reference.Selection.decide(
            request, isGet: method == "GET", stored, receivedAt: receivedAt, length: length)
        let name: String? =
            switch reference {
            case .whole: nil
            case .notModified: "304"
            case .part: "206"
            case .notSatisfiable: "416"
            case .forward: "forward"
            }
        return comparing(fast: Reference.Selection(fast), reference: reference, valid: name, invalid: "whole")
    }
}

extension Reference.Selection {
    /// The answer of a stored response with a body of `length` bytes to these request fields.
    package static func decide(
        _ request: HTTPFields, isGet: Bool, _ stored: HTTPResponse, receivedAt: Int64, length: Int64
    ) -> Self {
        decide(
            Reference.FieldBlock(request), isGet: isGet, status: stored.status,
            Reference.FieldBlock(stored.headerFields), receivedAt: receivedAt, length: length)
    }

    fileprivate init(_ fast: Preconditions.Answer) {
        self =
            switch fast {
            case .whole: .whole
            case .notModified: .notModified
            case .part(let range): .part(range.lowerBound...range.upperBound - 1)
            case .notSatisfiable: .notSatisfiable
            case .forward: .forward
            }
    }
}
