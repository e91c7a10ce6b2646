import CacheTiers

/// The secret under which a recorder hashes URLs. An application that keeps it gives the same name to the same URL in every
/// launch, so that its recordings join into one trace.
///
/// Keep it where the application keeps secrets, and apart from the recordings: whoever has both can try out which URLs were
/// requested. It is not a key for signatures.
public struct RecordingKey: Hashable, Sendable {
    /// Bytes of a key.
    public static let count = 16

    let seed: KeySeed

    /// A new key from the system's random source.
    public init() { seed = .random() }

    /// A kept key.
    ///
    /// - Returns: `nil` unless there are 16 bytes.
    public init?(_ bytes: some Collection<UInt8>) {
        guard bytes.count == Self.count else { return nil }
        func word(_ bytes: some Sequence<UInt8>) -> UInt64 { bytes.reduce(0) { $0 << 8 | UInt64($1) } }
        seed = KeySeed(word(bytes.prefix(8)), word(bytes.dropFirst(8)))
    }

    /// The 16 bytes to keep.
    public var bytes: [UInt8] {
        [seed.first, seed.second].flatMap { word in (0..<8).map { UInt8(truncatingIfNeeded: word >> (56 - 8 * $0)) } }
    }
}
