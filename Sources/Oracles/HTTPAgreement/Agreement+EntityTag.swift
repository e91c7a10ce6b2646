import HTTPReference
import HTTPSemantics

extension Agreement {
    /// Both readings of an `ETag` field.
    package static func entityTag(_ bytes: [UInt8]) -> Agreement {
        let fast = EntityTag.parse(ContiguousArray(bytes).span.bytes).map { Reference.EntityTag($0, in: bytes) }
        let reference = Reference.EntityTag.parse(bytes)
        return comparing(fast: fast, reference: reference, valid: reference.map { $0.isWeak ? "weak" : "strong" })
    }

    /// Both readings of an `If-None-Match` field.
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
