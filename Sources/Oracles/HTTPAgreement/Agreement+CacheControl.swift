import HTTPReference
import HTTPSemantics

extension Agreement {
    /// Both readings of a `Cache-Control` field. A field is valid if every known directive in it could be read.
    ///
    /// - Parameter parse: the reading to be judged.
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
    /// The result of the fast parser in the form of the slow one.
    init(_ fast: CacheControl) {
        self.init()
        flags = Set(fast.flagsByName.filter(\.isSet).map(\.name))
        for (name, seconds) in fast.numbersByName where seconds.isPresent { numbers[name] = .init(seconds) }
        fieldLists["no-cache"] = fast.noCacheFields.nonEmptyRange
        fieldLists["private"] = fast.privateFields.nonEmptyRange
        malformed = fast.directives.contains(.malformed)
    }

    /// The defect of the field, if it has one.
    fileprivate var flaw: String? {
        if self == Self() { return "nothing known" }
        if malformed { return "malformed" }
        return numbers.values.contains(.invalid) ? "invalid number" : nil
    }
}

extension Reference.Seconds {
    /// The fast form in the slow one.
    init(_ fast: DeltaSeconds) {
        self = fast.seconds.map { .number($0) } ?? (fast.isPresent ? .invalid : .absent)
    }
}

extension CacheControl.FieldList {
    fileprivate var nonEmptyRange: Range<Int>? { count == 0 ? nil : range }
}
