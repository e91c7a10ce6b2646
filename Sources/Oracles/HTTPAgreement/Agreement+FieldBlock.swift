import HTTPReference
import HTTPSemantics

extension Agreement {
    /// Both readings of a block of header fields: its lines, and the values a cache reads.
    package static func fieldBlock(_ bytes: [UInt8], limits: FieldBlockLimits, now: Int64) -> Agreement {
        let reference = Reference.FieldBlock.parse(
            bytes, limits: .init(bytes: limits.bytes, lineBytes: limits.lineBytes, lines: limits.lines))
        var block = FieldBlock()
        do {
            try block.parse(ContiguousArray(bytes).span.bytes, now: now, limits: limits)
        } catch {
            guard let reference else { return .agreed("refused", isValid: false) }
            return .broken("fast refuses (\(error)), reference \(reference)")
        }
        guard let reference else { return .broken("fast \(block.lines.count) lines, reference refuses") }
        let lines = block.lines.map { line in
            Reference.FieldBlock.Field(name: Array(bytes[line.name.range]), value: Array(bytes[line.value.range]))
        }
        guard lines == reference.fields else { return .broken("fast \(lines), reference \(reference.fields)") }
        return comparing(
            fast: Values(block.values, in: bytes), reference: Values(reference, now: now), valid: "\(lines.count) lines"
        )
    }
}

private struct Values: Equatable {
    var cacheControl: Reference.CacheControl
    var dates: [FieldDate]
    var age: DeltaSeconds
    var contentLength: ContentLength
    var entityTag: Reference.EntityTag?
    var contentRange: Reference.ContentRange?
    var vary: Vary
    /// Whether `Cache-Control`, `ETag` and `Content-Range` are present, `Pragma` says `no-cache`, and byte ranges are
    /// accepted.
    var flags: [Bool]

    init(_ fast: ResponseFieldValues, in bytes: [UInt8]) {
        cacheControl = Reference.CacheControl(fast.cacheControl)
        dates = [fast.date, fast.expires, fast.lastModified]
        age = fast.age
        contentLength = fast.contentLength
        entityTag = fast.entityTag.map { Reference.EntityTag($0, in: bytes) }
        contentRange = fast.contentRange.map { Reference.ContentRange($0) }
        vary = fast.vary
        flags = [
            fast.hasCacheControl, fast.hasEntityTag, fast.hasContentRange, fast.isPragmaNoCache, fast.acceptsByteRanges,
        ]
    }

    init(_ reference: Reference.FieldBlock, now: Int64) {
        cacheControl = reference.value(of: "cache-control").map { .init(parsing: $0) } ?? .init()
        dates = ["date", "expires", "last-modified"].map { name in
            guard let value = reference.first(name) else { return .absent }
            return Reference.HTTPDate.parse(value, now: now).map { .at($0) } ?? .invalid
        }
        age = .absent
        if let value = reference.value(of: "age") { age = Reference.age(value).map { .seconds($0) } ?? .invalid }
        contentLength = .absent
        if let value = reference.value(of: "content-length") {
            contentLength = Reference.contentLength(value).map { ContentLength(rawValue: $0) } ?? .invalid
        }
        entityTag = reference.first("etag").flatMap { .parse($0) }
        contentRange = reference.first("content-range").flatMap { .parse($0) }
        vary = reference.value(of: "vary").map { Reference.Vary.parse($0).kind } ?? .nothing
        flags = [
            reference.first("cache-control") != nil, reference.first("etag") != nil,
            reference.first("content-range") != nil,
            reference.values(of: "pragma").contains { Reference.pragmaSaysNoCache($0) },
            reference.values(of: "accept-ranges").contains { Reference.acceptsByteRanges($0) },
        ]
    }
}

extension Reference.Vary {
    /// What a cache makes of it that compares a limited number of fields.
    fileprivate var kind: Vary {
        guard case .names(let names) = self, names.count <= VaryNames.mostNames,
            names.reduce(0, { $0 + $1.utf8.count }) <= VaryNames.mostBytes
        else { return .anything }
        return names.isEmpty ? .nothing : .names
    }
}

extension Agreement {
    package static func vary(_ bytes: [UInt8]) -> Agreement {
        let reference = Reference.Vary.parse(bytes)
        let fast = Vary.parse(ContiguousArray(bytes).span.bytes)
        var names = VaryNames()
        var fastNames: [String] = []
        while let name = names.next(in: ContiguousArray(bytes).span.bytes) {
            fastNames.append(name.text(in: ContiguousArray(bytes).span.bytes).lowercased())
        }
        guard case .names(let list) = reference, reference.kind != .anything else {
            let valid: String? =
                switch reference {
                case .any: "any"
                case .invalid: nil
                case .names: "too many names"
                }
            return comparing(
                fast: Names(kind: fast, isAnything: names.isAnything, names: []),
                reference: Names(kind: .anything, isAnything: true, names: []), valid: valid)
        }
        return comparing(
            fast: Names(kind: fast, isAnything: names.isAnything, names: fastNames),
            reference: Names(kind: reference.kind, isAnything: false, names: list),
            valid: list.isEmpty ? "no name" : "names")
    }

    private struct Names: Equatable {
        var kind: Vary
        var isAnything: Bool
        var names: [String]
    }

    /// Whether two values of `Accept-Language` select the same variant, in both readings. If neither value follows the
    /// grammar, the reference has no opinion.
    package static func acceptLanguage(_ one: [UInt8], _ other: [UInt8]) -> Agreement {
        let selection = VarySelection("Accept-Language")
        let keys = [one, other].map { value in
            selection.variantKey(of: HTTPFields([HTTPFields.Field(name: "Accept-Language", valueBytes: value)]))
        }
        let fast = keys[0] == keys[1]
        let reference = Reference.AcceptLanguage.isSame(one, other)
        return comparing(
            fast: fast, reference: reference ?? (one == other || fast),
            valid: reference.map { $0 ? "one variant" : "two variants" }, invalid: "neither follows the grammar")
    }

    package static func age(_ bytes: [UInt8]) -> Agreement {
        let reference = Reference.age(bytes)
        return comparing(
            fast: Age.parse(ContiguousArray(bytes).span.bytes), reference: reference.map { .seconds($0) } ?? .invalid,
            valid: reference == nil ? nil : "number")
    }

    package static func expires(_ bytes: [UInt8], now: Int64) -> Agreement {
        let reference = Reference.expires(bytes, now: now)
        return comparing(
            fast: FieldDate.parse(ContiguousArray(bytes).span.bytes, now: now),
            reference: reference.map { .at($0) } ?? .invalid, valid: reference == nil ? nil : "date")
    }

    /// Every value is valid.
    package static func pragma(_ bytes: [UInt8]) -> Agreement {
        let reference = Reference.pragmaSaysNoCache(bytes)
        return comparing(
            fast: Pragma.isNoCache(ContiguousArray(bytes).span.bytes), reference: reference,
            valid: reference ? "no-cache" : "something else")
    }

    package static func contentLength(_ bytes: [UInt8]) -> Agreement {
        let reference = Reference.contentLength(bytes)
        return comparing(
            fast: ContentLength.parse(ContiguousArray(bytes).span.bytes).bytes, reference: reference,
            valid: reference == nil ? nil : "number")
    }
}
