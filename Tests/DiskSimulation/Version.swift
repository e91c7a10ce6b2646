import CacheTiers
import Platform

/// One of the entries ever stored under a key; its bytes follow from its number.
struct Version: Hashable, CustomStringConvertible {
    var number: Int
    var bodyCount: Int

    var description: String { "version \(number) of \(bodyCount) bytes" }

    static let keyCount = 16
    private static let keys = (0..<keyCount).map { Array("https://simulated.example/key/\($0)".utf8) }
    private static let hashes = (0..<UInt64(keyCount)).map { KeyHash(low: scramble($0), high: scramble(~$0)) }

    static func key(_ number: Int) -> [UInt8] { keys[number] }

    static func hash(_ number: Int) -> KeyHash { hashes[number] }

    private static let metadataCount = 24

    func payloadCount(ofKey key: Int) -> Int { Self.key(key).count + Self.metadataCount + bodyCount }

    // Metadata and body are cut from one pattern: a place in it that follows from key and number, which the metadata
    // begin with. Copying and comparing that is a call of the C library, which costs a fuzzer little.

    private static let mostBodyBytes = 255 * 64
    private static let places = 1 << 14
    private static let pattern: [UInt8] = {
        var state: UInt64 = 1
        return (0..<places + metadataCount + mostBodyBytes).map { _ in
            state = scramble(state)
            return UInt8(truncatingIfNeeded: state)
        }
    }()

    private func stamp(ofKey key: Int) -> UInt64 { Self.scramble(UInt64(key) << 32 | UInt64(number)) }

    func entry(ofKey key: Int, policy: StoragePolicy = .allowed) -> StoredEntry? {
        let keyBytes = Self.key(key)
        return StoredEntry(
            hash: Self.hash(key), keyCount: keyBytes.count, metadataCount: Self.metadataCount, bodyCount: bodyCount,
            storedAt: Int64(number), policy: policy
        ) { bytes in
            bytes.copyBytes(from: keyBytes)
            let stamp = stamp(ofKey: key)
            Self.pattern.withUnsafeBytes { pattern in
                let place = Int(stamp % UInt64(Self.places))
                UnsafeMutableRawBufferPointer(rebasing: bytes[keyBytes.count...]).copyMemory(
                    from: UnsafeRawBufferPointer(rebasing: pattern[place..<place + Self.metadataCount + bodyCount]))
            }
            bytes.storeBytes(of: stamp, toByteOffset: keyBytes.count, as: UInt64.self)
        }
    }

    /// Whether `entry` is this version, to the last byte.
    func matches(_ entry: StoredEntry, ofKey key: Int) -> Bool {
        let stamp = stamp(ofKey: key)
        let place = Int(stamp % UInt64(Self.places))
        guard entry.storedAt == Int64(number), entry.bodyCount == bodyCount, entry.metadataCount == Self.metadataCount
        else { return false }
        return Self.key(key).withUnsafeBytes { own in entry.withKey { isSame($0, own) } }
            && Self.pattern.withUnsafeBytes { pattern in
                entry.withMetadata {
                    $0.loadUnaligned(as: UInt64.self) == stamp
                        && isSame(
                            UnsafeRawBufferPointer(rebasing: $0[8...]),
                            UnsafeRawBufferPointer(rebasing: pattern[place + 8..<place + Self.metadataCount]))
                }
                    && entry.withBody {
                        isSame(
                            $0,
                            UnsafeRawBufferPointer(rebasing: pattern[(place + Self.metadataCount)...].prefix(bodyCount))
                        )
                    }
            }
    }

    static func scramble(_ value: UInt64) -> UInt64 { splitMixed(value &+ splitMixStep) }
}

private func isSame(_ left: UnsafeRawBufferPointer, _ right: UnsafeRawBufferPointer) -> Bool {
    guard left.count == right.count else { return false }
    guard let leftStart = left.baseAddress, let rightStart = right.baseAddress else { return true }
    return memcmp(leftStart, rightStart, left.count) == 0
}
