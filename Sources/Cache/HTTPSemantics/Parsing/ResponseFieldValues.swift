/// The values of the header fields that a cache's decisions depend on, read once, when the response arrives.
///
/// A plain value without references. Of repeated single-value fields the first counts; lists are read as one.
package struct ResponseFieldValues: Hashable, Sendable {
    /// `Cache-Control`, all lines as one value; its field lists are ranges of that value.
    package var cacheControl = CacheControl()
    /// There is a `Cache-Control` field, even an empty one.
    package var hasCacheControl = false
    /// `Pragma: no-cache`, whose meaning in a response is not specified (RFC 9111, section 5.4).
    package var isPragmaNoCache = false
    /// There is an `ETag` field, valid or not; its value, `places.entityTag`, goes back to the origin.
    package var hasEntityTag = false
    /// `Accept-Ranges: bytes`: a download may be resumed.
    package var acceptsByteRanges = false
    /// `Vary`, all lines together.
    package var vary = Vary.nothing
    package var date = FieldDate.absent
    /// `Expires`: invalid means already expired.
    package var expires = FieldDate.absent
    package var lastModified = FieldDate.absent
    /// `Age`, the first member.
    package var age = DeltaSeconds.absent
    package var contentLength = ContentLength.absent
    /// `ETag`; `nil` if missing or not an entity tag.
    package var entityTag: EntityTag?
    /// `Content-Range`; `nil` if missing or not understood.
    package var contentRange: ContentRange?
    /// There is a `Content-Range` field, valid or not.
    package var hasContentRange = false

    /// Where the values are that are read as text later. From a block: in the block; from `HTTPFields`: in the value of
    /// the first line of that name.
    package var places = Places()

    /// Empty where there is no such field.
    package struct Places: Hashable, Sendable {
        /// The whole value of the first `ETag`.
        package var entityTag = FieldRange()
        /// The whole value of the first `Last-Modified`.
        package var lastModified = FieldRange()
        /// The whole value of the first `Vary`; use `FieldBlock` to find further lines.
        package var vary = FieldRange()
        package var location = FieldRange()
        package var contentLocation = FieldRange()

        package init() {}
    }

    package init() {}
}

extension ResponseFieldValues {
    /// Reads a response's fields from a field block in one pass. Allocates only for a `Cache-Control` whose quotes span
    /// lines. About 300 ns for 450 bytes.
    ///
    /// - Parameters:
    ///   - bytes: the block from behind the status line, `Name: value` and CR LF a line; bytes behind an empty line are
    ///     not read.
    ///   - now: when the response arrived, seconds since 1970; see `HTTPDate.parse(_:now:)`.
    package static func parse(
        _ bytes: RawSpan, now: Int64, limits: FieldBlockLimits = FieldBlockLimits()
    ) throws(FieldBlockError) -> ResponseFieldValues {
        try bytes.withUnsafeBytes { (bytes) throws(FieldBlockError) in
            var values = ResponseFieldValues()
            _ = try values.read(bytes, now: now, limits: limits) { _ in }
            return values
        }
    }

    /// Reads the fields of a response that arrived at `now`; see `HTTPDate.parse(_:now:)`.
    package init(_ fields: HTTPFields, now: Int64) {
        self.init()
        var reader = ResponseFieldReader(now: now)
        for field in fields.fields {
            let known = withFieldBytes(of: field.name.rawName) { KnownField($0) }
            if known == .unknown { continue }
            withFieldBytes(of: field.value) { reader.read(known, $0, trimmed($0, 0..<$0.count), into: &self) }
        }
        if reader.needsJoinedCacheControl { cacheControl = CacheControl(fields) }
    }

    /// Reads a block into values that are still at their start, and passes on each of its lines.
    ///
    /// - Returns: the bytes of the block.
    @inline(__always)
    mutating func read(
        _ bytes: UnsafeRawBufferPointer, now: Int64, limits: FieldBlockLimits, _ body: (FieldBlockScanner.Line) -> Void
    ) throws(FieldBlockError) -> Int {
        var reader = ResponseFieldReader(now: now)
        let count = try FieldBlockScanner.scan(bytes, limits: limits) { line in
            reader.read(line.field, bytes, line.value, into: &self)
            body(line)
        }
        if reader.needsJoinedCacheControl {
            var joined: [UInt8] = []
            var isFirst = true
            _ = try FieldBlockScanner.scan(bytes, limits: limits) { line in
                guard line.field == .cacheControl else { return }
                // An empty first line counts, too: field lists are relative to the start of the joined value.
                if !isFirst { joined += [UInt8(ascii: ","), UInt8(ascii: " ")] }
                isFirst = false
                joined += bytes[line.value]
            }
            cacheControl = joined.withUnsafeBytes { CacheControl.parse($0) }
        }
        return count
    }
}

/// Collects the values of a response, field line by field line.
struct ResponseFieldReader {
    let now: Int64
    /// Bytes of the `Cache-Control` lines so far, joined with `, `.
    private var cacheControlCount = 0
    private var endsInQuotes = false
    /// A `Cache-Control` line ended inside quotes and another followed: only the joined value can be read right.
    private(set) var needsJoinedCacheControl = false
    private var hasAgeMember = false
    private var varyNames = VaryNames()

    @inline(__always)
    init(now: Int64) { self.now = now }

    /// Reads one more line into `values`. `place` is the field value's range in `bytes`, without the whitespace around
    /// it.
    @inline(__always)
    mutating func read(
        _ field: KnownField, _ bytes: UnsafeRawBufferPointer, _ place: Range<Int>,
        into values: inout ResponseFieldValues
    ) {
        if field == .unknown { return }
        readKnown(field, UnsafeRawBufferPointer(rebasing: bytes[place]), FieldRange(place), into: &values)
    }

    private mutating func readKnown(
        _ field: KnownField, _ value: UnsafeRawBufferPointer, _ place: FieldRange,
        into values: inout ResponseFieldValues
    ) {
        switch field {
        case .unknown: break
        case .cacheControl: readCacheControl(value, into: &values)
        case .date: if values.date == .absent { values.date = FieldDate.parse(value, now: now) }
        case .expires: if values.expires == .absent { values.expires = FieldDate.parse(value, now: now) }
        case .lastModified:
            if values.lastModified == .absent {
                values.places.lastModified = place
                values.lastModified = FieldDate.parse(value, now: now)
            }
        case .age: readAge(value, into: &values)
        case .entityTag: readEntityTag(value, place, into: &values)
        case .vary:
            setFirst(&values.places.vary, place)
            varyNames.readLine(value)
            values.vary = varyNames.vary
        case .contentLength: values.contentLength = values.contentLength.joined(with: ContentLength.parse(value))
        case .contentRange:
            if !values.hasContentRange { values.contentRange = ContentRange.parse(value) }
            values.hasContentRange = true
        case .location: setFirst(&values.places.location, place)
        case .contentLocation: setFirst(&values.places.contentLocation, place)
        case .acceptRanges: if namesBytesUnit(value) { values.acceptsByteRanges = true }
        case .pragma: if CacheControl.parse(value).directives.contains(.noCache) { values.isPragmaNoCache = true }
        }
    }

    @inline(__always)
    private func setFirst(_ range: inout FieldRange, _ place: FieldRange) {
        if range.count == 0 { range = place }
    }

    private mutating func readCacheControl(_ value: UnsafeRawBufferPointer, into values: inout ResponseFieldValues) {
        if endsInQuotes { needsJoinedCacheControl = true }
        if values.hasCacheControl {
            endsInQuotes = values.cacheControl.append(value, at: cacheControlCount)
        } else {
            values.cacheControl = CacheControl.parse(value)
            values.hasCacheControl = true
            if values.cacheControl.directives.contains(.malformed) {
                values.cacheControl = CacheControl()
                endsInQuotes = values.cacheControl.append(value, at: 0)
            }
        }
        cacheControlCount += value.count + 2
    }

    private mutating func readAge(_ value: UnsafeRawBufferPointer, into values: inout ResponseFieldValues) {
        if hasAgeMember { return }
        var place = 0
        hasAgeMember = nextListMember(value, from: &place) != nil
        values.age = Age.parse(value)
    }

    private func readEntityTag(
        _ value: UnsafeRawBufferPointer, _ place: FieldRange, into values: inout ResponseFieldValues
    ) {
        if values.hasEntityTag { return }
        values.hasEntityTag = true
        values.places.entityTag = place
        guard var tag = EntityTag.parse(value, 0..<value.count) else { return }
        tag.opaqueTag = tag.opaqueTag.shifted(by: Int(place.offset))
        values.entityTag = tag
    }

    /// Whether `bytes` is a member of an `Accept-Ranges` value.
    private func namesBytesUnit(_ value: UnsafeRawBufferPointer) -> Bool {
        var place = 0
        while let member = nextListMember(value, from: &place) {
            if isBytesUnit(value, member) { return true }
        }
        return false
    }
}
