/// Calls `body` with the UTF-8 bytes of `text`, without a copy where the string keeps them in one piece.
@inline(__always)
func withFieldBytes<Result>(of text: String, _ body: (UnsafeRawBufferPointer) -> Result) -> Result {
    if let result = text.utf8.withContiguousStorageIfAvailable({ body(UnsafeRawBufferPointer($0)) }) { return result }
    return Array(text.utf8).withUnsafeBytes(body)
}
