import HTTPReference
import HTTPSemantics

/// Compares the fast reading of the RFC (HTTPSemantics) with the slow one (HTTPReference) for one input, a field value
/// or a whole exchange.
///
/// Only this module knows both: tests compare them on seeded inputs, fuzzers on theirs.
package enum Agreement: Equatable, Sendable {
    /// The results are equal: a word for the result, and whether the input counts as valid.
    case agreed(String, isValid: Bool)
    /// The results differ: a description of both.
    case broken(String)

    /// Compares two results.
    ///
    /// - Parameters:
    ///   - valid: the word for a valid input; `nil` for an invalid one.
    ///   - invalid: the word for an invalid input.
    static func comparing<Result: Equatable>(
        fast: Result, reference: Result, valid: String?, invalid: String = "invalid"
    ) -> Agreement {
        guard fast == reference else { return .broken("fast \(fast), reference \(reference)") }
        return .agreed(valid ?? invalid, isValid: valid != nil)
    }
}

extension Agreement {
    /// Both readings of a `Cache-Control` field, `parse` being the one to judge. A field is valid if every known
    /// directive in it could be read.
    package static func cacheControl(
        _ bytes: [UInt8],
        by parse: (UnsafeRawBufferPointer) -> CacheControl = { CacheControl.parse(RawSpan(_unsafeBytes: $0)) }
    ) -> Agreement {
        let fast = Reference.CacheControl(bytes.withUnsafeBytes(parse))
        let reference = Reference.CacheControl(parsing: bytes)
        return comparing(
            fast: fast, reference: reference, valid: reference.flaw == nil ? "valid" : nil,
            invalid: reference.flaw ?? "")
    }
}

extension Reference.CacheControl {
    /// The fast parser's result in the form of the slow one.
    init(_ fast: CacheControl) {
        self.init()
        flags = Set(fast.flagsByName.filter(\.isSet).map(\.name))
        for (name, seconds) in fast.numbersByName where seconds.isPresent { numbers[name] = .init(seconds) }
        fieldLists["no-cache"] = fast.noCacheFields.nonEmptyRange
        fieldLists["private"] = fast.privateFields.nonEmptyRange
        malformed = fast.directives.contains(.malformed)
    }

    /// What is wrong with the field, if anything.
    fileprivate var flaw: String? {
        if self == Self() { return "nothing known" }
        if malformed { return "malformed" }
        return numbers.values.contains(.invalid) ? "invalid number" : nil
    }
}

extension Reference.Seconds {
    init(_ fast: DeltaSeconds) {
        self = fast.seconds.map { .number($0) } ?? (fast.isPresent ? .invalid : .absent)
    }
}

extension CacheControl.FieldList {
    fileprivate var nonEmptyRange: Range<Int>? { count == 0 ? nil : range }
}

extension Agreement {
    package static func entityTag(_ bytes: [UInt8]) -> Agreement {
        let fast = EntityTag.parse(ContiguousArray(bytes).span.bytes).map { Reference.EntityTag($0, in: bytes) }
        let reference = Reference.EntityTag.parse(bytes)
        return comparing(fast: fast, reference: reference, valid: reference.map { $0.isWeak ? "weak" : "strong" })
    }

    package static func entityTagList(_ bytes: [UInt8]) -> Agreement {
        let reference = Reference.EntityTagList.parse(bytes)
        let valid = reference.isAny ? "any" : reference.tags.isEmpty ? "no tag" : "tags"
        return comparing(
            fast: Reference.EntityTagList(fast: bytes), reference: reference, valid: reference.isMalformed ? nil : valid
        )
    }

    /// Both answers to whether an `If-None-Match` field names an entity tag, and both comparisons of the two as tags.
    package static func entityTags(_ list: [UInt8], name tag: [UInt8]) -> Agreement {
        // A String would change bytes that are not UTF-8.
        guard let listText = String(validating: list, as: UTF8.self),
            let tagText = String(validating: tag, as: UTF8.self)
        else { return .agreed("no text", isValid: false) }
        // Whitespace around a field value does not belong to it.
        let (left, right) = (Reference.EntityTag.parse(trimming: list), Reference.EntityTag.parse(trimming: tag))
        let names = Reference.EntityTagList.parse(list)
        let reference = [
            right.map { names.weaklyMatches($0) } ?? names.isAny,
            left.flatMap { left in right.map { left.weaklyMatches($0) } } ?? false,
            left.flatMap { left in right.map { left.stronglyMatches($0) } } ?? false,
        ]
        let fast = [
            EntityTagList.matches(listText, entityTag: tagText), EntityTag.matchesWeakly(listText, tagText),
            EntityTag.matchesStrongly(listText, tagText),
        ]
        return comparing(fast: fast, reference: reference, valid: reference.contains(true) ? "match" : "no match")
    }
}

extension Reference.EntityTag {
    init(_ fast: EntityTag, in bytes: [UInt8]) {
        self.init(isWeak: fast.isWeak, opaque: Array(bytes[fast.opaqueTag.range].dropFirst().dropLast()))
    }
}

extension Reference.EntityTagList {
    fileprivate init(fast bytes: [UInt8]) {
        var list = EntityTagList()
        var tags: [Reference.EntityTag] = []
        let isAny = EntityTagList.isAny(ContiguousArray(bytes).span.bytes)
        while !isAny, let tag = list.next(in: ContiguousArray(bytes).span.bytes) {
            tags.append(Reference.EntityTag(tag, in: bytes))
        }
        self.init(isAny: isAny, tags: tags, isMalformed: list.isMalformed)
    }
}

extension Agreement {
    /// Both readings of an HTTP-date, `parse` being the one to judge.
    package static func httpDate(
        _ bytes: [UInt8], now: Int64,
        by parse: (UnsafeRawBufferPointer, _ now: Int64) -> Int64? = {
            HTTPDate.parse(RawSpan(_unsafeBytes: $0), now: $1)
        }
    ) -> Agreement {
        let fast = bytes.withUnsafeBytes { parse($0, now) }
        let reference = Reference.HTTPDate.parse(bytes, now: now)
        let format = bytes.count == 29 ? "IMF-fixdate" : bytes.count == 24 ? "asctime" : "RFC 850"
        return comparing(fast: fast, reference: reference, valid: reference == nil ? nil : format)
    }

    package static func httpDate(writing seconds: Int64) -> Agreement {
        guard let reference = Reference.HTTPDate.format(seconds) else {
            return .agreed("no such year", isValid: false)
        }
        return comparing(fast: Array(HTTPDate.format(seconds).utf8), reference: reference, valid: "written")
    }
}
