import CacheTiers
import Platform

/// One of the entries ever stored under a key; its bytes follow from its number.
struct Version: Hashable, CustomStringConvertible {
    var number: Int
    var bodyCount: Int

    var description: String { "version \(number) of \(bodyCount) bytes" }

    static func key(_ number: Int) -> [UInt8] { Array("https://simulated.example/key/\(number)".utf8) }

    static func hash(_ number: Int) -> KeyHash {
        KeyHash(low: scramble(UInt64(number)), high: scramble(~UInt64(number)))
    }

    private static let metadataCount = 24

    func payloadCount(ofKey key: Int) -> Int { Self.key(key).count + Self.metadataCount + bodyCount }

    func entry(ofKey key: Int, policy: StoragePolicy = .allowed) -> StoredEntry? {
        let keyBytes = Self.key(key)
        return StoredEntry(
            hash: Self.hash(key), keyCount: keyBytes.count, metadataCount: Self.metadataCount, bodyCount: bodyCount,
            storedAt: Int64(number), policy: policy
        ) { bytes in
            bytes.copyBytes(from: keyBytes)
            fill(UnsafeMutableRawBufferPointer(rebasing: bytes[keyBytes.count...]), key: key)
        }
    }

    /// Whether `entry` is this version, to the last byte.
    func matches(_ entry: StoredEntry, ofKey key: Int) -> Bool {
        guard entry.storedAt == Int64(number), entry.bodyCount == bodyCount,
            let own = self.entry(ofKey: key)
        else { return false }
        return entry.withKey { left in own.withKey { left.elementsEqual($0) } }
            && entry.withMetadata { left in own.withMetadata { isSame(left, $0) } }
            && entry.withBody { left in own.withBody { isSame(left, $0) } }
    }

    private func fill(_ bytes: UnsafeMutableRawBufferPointer, key: Int) {
        var state = Self.scramble(UInt64(key) << 32 | UInt64(number))
        var position = 0
        while position < bytes.count {
            state = Self.scramble(state)
            withUnsafeBytes(of: state) {
                let count = min(8, bytes.count - position)
                UnsafeMutableRawBufferPointer(rebasing: bytes[position...])
                    .copyMemory(from: UnsafeRawBufferPointer(rebasing: $0[..<count]))
            }
            position += 8
        }
    }

    static func scramble(_ value: UInt64) -> UInt64 {
        var mixed = value &+ 0x9E37_79B9_7F4A_7C15
        mixed = (mixed ^ (mixed >> 30)) &* 0xBF58_476D_1CE4_E5B9
        mixed = (mixed ^ (mixed >> 27)) &* 0x94D0_49BB_1331_11EB
        return mixed ^ (mixed >> 31)
    }
}

private func isSame(_ left: UnsafeRawBufferPointer, _ right: UnsafeRawBufferPointer) -> Bool {
    guard left.count == right.count else { return false }
    guard let leftStart = left.baseAddress, let rightStart = right.baseAddress else { return true }
    return memcmp(leftStart, rightStart, left.count) == 0
}
