import Platform

/// Decodes the members of a gzip file (RFC 1952), one after the other.
///
/// Invariant of the pointers: the regions of `decode` are passed on to one call of the inflater, and not used after it.
final class GzipDecoder: StreamDecoder {
    private var inflater: Inflater?

    /// `nil` where zlib cannot be loaded.
    init?() {
        inflater = Inflater(.gzip)
        if inflater == nil { return nil }
    }

    private(set) var isAtBoundary = true

    func goesOn(with bytes: ArraySlice<UInt8>) -> Bool { !isAtBoundary || bytes.first == 0x1F }

    func decode(
        _ input: UnsafeRawBufferPointer, into output: UnsafeMutableRawBufferPointer
    ) -> (read: Int, written: Int)? {
        if isAtBoundary, hasEnded { inflater = Inflater(.gzip) }
        hasEnded = false
        isAtBoundary = false
        guard let inflater, !isCorrupt else { return nil }
        do throws(Inflater.Corrupt) {
            let step = try inflater.inflate(input, into: output)
            if step.isAtEnd { (isAtBoundary, hasEnded) = (true, true) }
            return (step.read, step.written)
        } catch {
            isCorrupt = true
            return error.written > 0 ? (0, error.written) : nil
        }
    }

    /// Whether the next bytes are damaged; all before them have been decoded.
    private var isCorrupt = false

    /// Whether a member has been decoded, so that the next one needs a new inflater.
    private var hasEnded = false
}
