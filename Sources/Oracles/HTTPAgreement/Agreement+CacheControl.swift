import HTTPReference
import HTTPSemantics

extension Agreement {
    /// Both readings of a `Cache-Control` field. Valid is a field in which everything known could be read.
    package static func cacheControl(_ bytes: [UInt8]) -> Agreement {
        let fast = Reference.CacheControl(CacheControl.parse(bytes.span.bytes))
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
        noStore = fast.directives.contains(.noStore)
        noCache = fast.directives.contains(.noCache)
        mustRevalidate = fast.directives.contains(.mustRevalidate)
        proxyRevalidate = fast.directives.contains(.proxyRevalidate)
        isPublic = fast.directives.contains(.public)
        isPrivate = fast.directives.contains(.private)
        immutable = fast.directives.contains(.immutable)
        mustUnderstand = fast.directives.contains(.mustUnderstand)
        noTransform = fast.directives.contains(.noTransform)
        onlyIfCached = fast.directives.contains(.onlyIfCached)
        anyStale = fast.directives.contains(.anyStale)
        malformed = fast.directives.contains(.malformed)
        maxAge = .init(fast.maxAge)
        sharedMaxAge = .init(fast.sharedMaxAge)
        staleWhileRevalidate = .init(fast.staleWhileRevalidate)
        staleIfError = .init(fast.staleIfError)
        minFresh = .init(fast.minFresh)
        maxStale = .init(fast.maxStale)
        noCacheFields = fast.noCacheFields.range
        privateFields = fast.privateFields.range
    }

    /// What is wrong with it, if anything is.
    fileprivate var flaw: String? {
        if self == Self() { return "nothing known" }
        if malformed { return "malformed" }
        let numbers = [maxAge, sharedMaxAge, staleWhileRevalidate, staleIfError, minFresh, maxStale]
        return numbers.contains(.invalid) ? "invalid number" : nil
    }
}

extension Reference.Seconds {
    /// The fast form in the slow one.
    init(_ fast: DeltaSeconds) {
        self = fast.seconds.map { .number($0) } ?? (fast.isPresent ? .invalid : .absent)
    }
}

extension CacheControl.FieldList {
    fileprivate var range: Range<Int>? { count == 0 ? nil : Int(offset)..<Int(offset + count) }
}
