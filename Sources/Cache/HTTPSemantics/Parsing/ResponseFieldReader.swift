/// Puts the values of a response together, field line by field line.
struct ResponseFieldReader {
    let now: Int64
    /// Bytes of the `Cache-Control` lines so far, joined with `, `.
    private var cacheControlCount = 0
    private var endsInQuotes = false
    /// A `Cache-Control` line ended inside quotes and another followed: only the joined value can be read right.
    private(set) var needsJoinedCacheControl = false
    private var hasAgeMember = false

    @inline(__always)
    init(now: Int64) { self.now = now }

    /// Reads one more line into `values`.
    ///
    /// - Parameters:
    ///   - bytes: the bytes that `place` is a range of.
    ///   - place: where the field value stands, without the whitespace around it.
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
            values.vary = values.vary.joined(with: Vary.parse(value))
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
