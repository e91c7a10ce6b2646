/// What a cache has to know of a response's header fields, as numbers: read once, when the response arrives.
///
/// A plain value without references. Of repeated fields with one value the first counts; lists are read as one.
public struct ResponseFieldValues: Hashable, Sendable {
    /// `Cache-Control`, all lines as one value; its field lists are ranges of that value.
    public var cacheControl = CacheControl()
    /// There is a `Cache-Control` field, be it empty.
    public var hasCacheControl = false
    /// `Pragma: no-cache`, which in a response means nothing certain.
    public var isPragmaNoCache = false
    /// There is an `ETag` field, valid or not; `entityTagValue` is what goes back to the origin.
    public var hasEntityTag = false
    /// `Accept-Ranges: bytes`: a download may be resumed.
    public var acceptsByteRanges = false
    /// `Vary`, all lines together.
    public var vary = Vary.nothing
    /// `Date`.
    public var date = FieldDate.absent
    /// `Expires`: invalid means already expired.
    public var expires = FieldDate.absent
    /// `Last-Modified`.
    public var lastModified = FieldDate.absent
    /// `Age`, the first member.
    public var age = DeltaSeconds.absent
    /// `Content-Length`.
    public var contentLength = ContentLength.absent
    /// `ETag`, `nil` when there is none or its value is none.
    public var entityTag: EntityTag?
    /// `Content-Range`, `nil` when there is none or it cannot be understood.
    public var contentRange: ContentRange?
    /// There is a `Content-Range` field, valid or not.
    public var hasContentRange = false

    /// Where values stand that go on as text. From a block: in the block; from `HTTPFields`: in the value of the first
    /// line of that name.
    public var places = Places()

    /// Places of values, empty where there is no such field.
    public struct Places: Hashable, Sendable {
        /// The whole value of the first `ETag`.
        public var entityTag = FieldRange()
        /// The whole value of the first `Last-Modified`.
        public var lastModified = FieldRange()
        /// The whole value of the first `Vary`; further lines are found with `FieldBlock`.
        public var vary = FieldRange()
        /// The first `Location`.
        public var location = FieldRange()
        /// The first `Content-Location`.
        public var contentLocation = FieldRange()

        /// No such fields.
        public init() {}
    }

    /// The values of a response without any of these fields.
    public init() {}
}
