/// Puts the values of a response together, field line by field line.
struct ResponseFieldReader {
    let now: Int64
    private(set) var values = ResponseFieldValues()
    /// Bytes of the `Cache-Control` lines so far, joined with `, `.
    private var cacheControlCount = 0
    private var endsInQuotes = false
    /// A `Cache-Control` line ended inside quotes and another followed: only the joined value can be read right.
    private(set) var needsJoinedCacheControl = false
    private var hasAgeMember = false

    @inline(__always)
    init(now: Int64) { self.now = now }

    /// Takes the joined value of the `Cache-Control` lines.
    mutating func setCacheControl(_ joined: CacheControl) { values.cacheControl = joined }

    /// Reads one more line.
    ///
    /// - Parameters:
    ///   - bytes: what `value` is a range of.
    ///   - value: the field value without the whitespace around it.
    @inline(__always)
    mutating func read(_ field: KnownField, _ bytes: UnsafeRawBufferPointer, _ value: Range<Int>) {
        if field == .unknown { return }
        readKnown(field, UnsafeRawBufferPointer(rebasing: bytes[value]), at: value.lowerBound)
    }

    private mutating func readKnown(_ field: KnownField, _ value: UnsafeRawBufferPointer, at offset: Int) {
        switch field {
        case .unknown: break
        case .cacheControl: readCacheControl(value)
        case .date: readDate(value, into: \.date)
        case .expires: readDate(value, into: \.expires)
        case .lastModified:
            if values.lastModified == .absent {
                values.places.lastModified = FieldRange(offset..<offset + value.count)
            }
            readDate(value, into: \.lastModified)
        case .age: readAge(value)
        case .entityTag: readEntityTag(value, at: offset)
        case .vary:
            if values.places.vary.count == 0 { values.places.vary = FieldRange(offset..<offset + value.count) }
            values.vary = values.vary.joined(with: Vary.parse(value))
        case .contentLength:
            values.contentLength = values.contentLength.joined(with: ContentLength.parse(value))
        case .contentRange:
            if !values.hasContentRange { values.contentRange = ContentRange.parse(value) }
            values.hasContentRange = true
        case .location:
            if values.places.location.count == 0 { values.places.location = FieldRange(offset..<offset + value.count) }
        case .contentLocation:
            if values.places.contentLocation.count == 0 {
                values.places.contentLocation = FieldRange(offset..<offset + value.count)
            }
        case .acceptRanges: readAcceptRanges(value)
        case .pragma: if CacheControl.parse(value).directives.contains(.noCache) { values.isPragmaNoCache = true }
        }
    }

    private mutating func readCacheControl(_ value: UnsafeRawBufferPointer) {
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

    private mutating func readDate(
        _ value: UnsafeRawBufferPointer, into field: WritableKeyPath<ResponseFieldValues, FieldDate>
    ) {
        if values[keyPath: field] == .absent { values[keyPath: field] = FieldDate.parse(value, now: now) }
    }

    private mutating func readAge(_ value: UnsafeRawBufferPointer) {
        if hasAgeMember { return }
        var place = 0
        hasAgeMember = nextListMember(value, from: &place) != nil
        values.age = Age.parse(value)
    }

    private mutating func readEntityTag(_ value: UnsafeRawBufferPointer, at offset: Int) {
        if values.hasEntityTag { return }
        values.hasEntityTag = true
        values.places.entityTag = FieldRange(offset..<offset + value.count)
        guard var tag = EntityTag.parse(value, 0..<value.count) else { return }
        tag.opaqueTag = tag.opaqueTag.shifted(by: offset)
        values.entityTag = tag
    }

    private mutating func readAcceptRanges(_ value: UnsafeRawBufferPointer) {
        var place = 0
        while let member = nextListMember(value, from: &place) {
            if isBytesUnit(value, member) { values.acceptsByteRanges = true }
        }
    }
}
