import HTTPReference
import HTTPSemantics

extension Agreement {
    /// Both readings of a `Vary` field.
    package static func vary(_ bytes: [UInt8]) -> Agreement {
        let reference = Reference.Vary.parse(bytes)
        let fast = Vary.parse(ContiguousArray(bytes).span.bytes)
        var names = VaryNames()
        var fastNames: [String] = []
        while let name = names.next(in: ContiguousArray(bytes).span.bytes) {
            fastNames.append(name.text(in: ContiguousArray(bytes).span.bytes).lowercased())
        }
        switch reference {
        case .any, .invalid:
            let valid = reference == .any ? "any" : nil
            return comparing(
                fast: Names(kind: fast, isAnything: names.isAnything, names: []),
                reference: Names(kind: .anything, isAnything: true, names: []), valid: valid)
        case .names(let list):
            return comparing(
                fast: Names(kind: fast, isAnything: names.isAnything, names: fastNames),
                reference: Names(kind: list.isEmpty ? .nothing : .names, isAnything: false, names: list),
                valid: list.isEmpty ? "no name" : "names")
        }
    }

    private struct Names: Equatable {
        var kind: Vary
        var isAnything: Bool
        var names: [String]
    }

    /// Whether two values of `Accept-Language` select one variant, by both readings. Where neither value follows the
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

    /// Both readings of an `Age` field.
    package static func age(_ bytes: [UInt8]) -> Agreement {
        let reference = Reference.age(bytes)
        return comparing(
            fast: Age.parse(ContiguousArray(bytes).span.bytes), reference: reference.map { .seconds($0) } ?? .invalid,
            valid: reference == nil ? nil : "number")
    }

    /// Both readings of an `Expires` field.
    package static func expires(_ bytes: [UInt8], now: Int64) -> Agreement {
        let reference = Reference.expires(bytes, now: now)
        return comparing(
            fast: FieldDate.parse(ContiguousArray(bytes).span.bytes, now: now),
            reference: reference.map { .at($0) } ?? .invalid, valid: reference == nil ? nil : "date")
    }

    /// Both readings of a `Pragma` field. Every value is valid.
    package static func pragma(_ bytes: [UInt8]) -> Agreement {
        let reference = Reference.pragmaSaysNoCache(bytes)
        return comparing(
            fast: Pragma.isNoCache(ContiguousArray(bytes).span.bytes), reference: reference,
            valid: reference ? "no-cache" : "something else")
    }

    /// Both readings of a `Content-Length` field.
    package static func contentLength(_ bytes: [UInt8]) -> Agreement {
        let reference = Reference.contentLength(bytes)
        return comparing(
            fast: ContentLength.parse(ContiguousArray(bytes).span.bytes).bytes, reference: reference,
            valid: reference == nil ? nil : "number")
    }
}
