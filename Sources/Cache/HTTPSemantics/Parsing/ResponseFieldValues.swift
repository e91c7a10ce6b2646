/// The values of the header fields on which a cache's decisions depend, read once, when the response arrives.
///
/// A plain value without references. Of repeated fields with one value the first counts; lists are read as one.
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
    /// `Date`.
    package var date = FieldDate.absent
    /// `Expires`: invalid means already expired.
    package var expires = FieldDate.absent
    /// `Last-Modified`.
    package var lastModified = FieldDate.absent
    /// `Age`, the first member.
    package var age = DeltaSeconds.absent
    /// `Content-Length`.
    package var contentLength = ContentLength.absent
    /// `ETag`; `nil` if it is missing or not an entity tag.
    package var entityTag: EntityTag?
    /// `Content-Range`; `nil` if it is missing or cannot be understood.
    package var contentRange: ContentRange?
    /// There is a `Content-Range` field, valid or not.
    package var hasContentRange = false

    /// The places of values that are read as text later. From a block: in the block; from `HTTPFields`: in the value of the first
    /// line of that name.
    package var places = Places()

    /// Places of values, empty where there is no such field.
    package struct Places: Hashable, Sendable {
        /// The whole value of the first `ETag`.
        package var entityTag = FieldRange()
        /// The whole value of the first `Last-Modified`.
        package var lastModified = FieldRange()
        /// The whole value of the first `Vary`; further lines are found with `FieldBlock`.
        package var vary = FieldRange()
        /// The first `Location`.
        package var location = FieldRange()
        /// The first `Content-Location`.
        package var contentLocation = FieldRange()

        /// No such fields.
        package init() {}
    }

    /// The values of a response without any of these fields.
    package init() {}
}
