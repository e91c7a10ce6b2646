/// What a tier holds for one key: key, metadata and body in a single allocation that never changes.
///
/// The tiers do not know what the metadata means; whoever stores it (HTTPCache: the response's header block and the
/// integers its freshness is computed from) reads it back. A hit hands out a reference: nothing is copied, and the
/// entry outlives its eviction for as long as somebody holds it.
///
/// `@unchecked Sendable`: header and bytes of the allocation are written inside `init` alone, before any other thread
/// can see the reference, and only read afterwards; the three words that are set later are atomic, the attachment
/// (`StoredEntry+Attachment.swift`), the handout (`StoredEntry+Handout.swift`) and the node (`StoredEntry+Node.swift`).
/// What keeps it is an `EntryStorage` or an `EntryLease`, which is Sendable. (`ManagedBuffer` is not, since others write to
/// theirs.)
public struct StoredEntry: @unchecked Sendable {
    /// Alive for as long as `keeper` is.
    @usableFromInline let storage: Unmanaged<EntryStorage>
    /// What keeps the storage: itself, or a lease of the memory tier that handed it out.
    @usableFromInline let keeper: AnyObject

    @usableFromInline
    init(storage: EntryStorage) {
        self.storage = .passUnretained(storage)
        keeper = storage
    }

    /// An entry as the tier hands it out, which has found it just now.
    @inline(__always)
    init(found storage: Unmanaged<EntryStorage>, lease: EntryLease) {
        self.storage = storage
        keeper = lease
    }

    /// Copies the three parts into one new allocation, so that an entry never keeps a larger buffer alive.
    ///
    /// - Parameters:
    ///   - key: canonical key bytes.
    ///   - hash: the keyed hash of `key`, from the hasher of the cache that will hold the entry.
    ///   - metadata: bytes whose meaning belongs to the caller.
    ///   - body: the representation's bytes.
    ///   - storedAt: when it is stored, in a unit and epoch of the caller's (`removeAll(since:)` compares with it).
    ///   - policy: which tiers may hold it.
    /// - Returns: `nil` when a part is longer than `Int32.max` bytes.
    /// - Complexity: one allocation and one copy of each part.
    public init?(
        key: RawSpan, hash: KeyHash, metadata: RawSpan, body: RawSpan, storedAt: Int64,
        policy: StoragePolicy = .allowed
    ) {
        self.init(
            hash: hash, keyCount: key.byteCount, metadataCount: metadata.byteCount, bodyCount: body.byteCount,
            storedAt: storedAt, policy: policy
        ) { destination in
            key.withUnsafeBytes { destination.copyMemory(from: $0) }
            let afterKey = UnsafeMutableRawBufferPointer(rebasing: destination[key.byteCount...])
            metadata.withUnsafeBytes { afterKey.copyMemory(from: $0) }
            let afterMetadata = UnsafeMutableRawBufferPointer(rebasing: afterKey[metadata.byteCount...])
            body.withUnsafeBytes { afterMetadata.copyMemory(from: $0) }
        }
    }

    /// Makes an entry whose bytes `fill` writes: key, metadata and body one after the other, with no gaps.
    ///
    /// - Parameter fill: called once with the whole uninitialised region; has to write every byte of it.
    /// - Returns: `nil` when a count is negative or above `Int32.max`.
    public init?(
        hash: KeyHash, keyCount: Int, metadataCount: Int, bodyCount: Int, storedAt: Int64, policy: StoragePolicy,
        fill: (UnsafeMutableRawBufferPointer) -> Void
    ) {
        guard let keyCount = Int32(exactly: keyCount), let metadataCount = Int32(exactly: metadataCount),
            let bodyCount = Int32(exactly: bodyCount), keyCount >= 0, metadataCount >= 0, bodyCount >= 0
        else { return nil }
        let header = EntryHeader(
            hash: hash, storedAt: storedAt, keyCount: keyCount, metadataCount: metadataCount, bodyCount: bodyCount,
            policy: policy)
        let storage = EntryStorage.create(minimumCapacity: EntryStorage.room(for: header.byteCount)) { _ in header }
        storage.withUnsafeMutablePointerToElements {
            fill(UnsafeMutableRawBufferPointer(start: $0, count: header.byteCount))
        }
        self.init(storage: unsafeDowncast(storage, to: EntryStorage.self))
    }

    /// Lends the storage, without counting a reference to it: that would make hits of several threads wait for each other.
    @inlinable
    @inline(__always)
    func withStorage<Result>(_ use: (EntryStorage) throws -> Result) rethrows -> Result {
        defer { extendLifetime(self) }
        return try storage._withUnsafeGuaranteedRef(use)
    }

    /// Read through its address: the property `header` of a `ManagedBuffer` is checked for exclusive access every time.
    @inlinable var header: EntryHeader { withStorage { $0.withUnsafeMutablePointerToHeader { $0.pointee } } }

    /// The 128-bit keyed hash of the key.
    @inlinable public var hash: KeyHash { header.hash }
    /// When the entry was stored, in the caller's unit and epoch.
    @inlinable public var storedAt: Int64 { header.storedAt }
    /// Which tiers may hold the entry.
    @inlinable public var policy: StoragePolicy { header.policy }
    /// Bytes of the key.
    @inlinable public var keyCount: Int { Int(header.keyCount) }
    /// Bytes of the metadata.
    @inlinable public var metadataCount: Int { Int(header.metadataCount) }
    /// Bytes of the body.
    @inlinable public var bodyCount: Int { Int(header.bodyCount) }

    /// Bytes that the memory tier counts for an entry besides its key, metadata and body: the header of the entry, the
    /// allocator's own, and the entry's share of the tier's index.
    public static let overhead = 128

    /// What the entry costs in the memory tier, bytes: key + metadata + body + `overhead`. Of more than 8 KiB the allocator
    /// is asked for up to a sixteenth more, which is not counted.
    @inlinable public var cost: Int { keyCount + metadataCount + bodyCount + Self.overhead }

    /// Lends the key's bytes, uncopied, for the length of the call.
    @inlinable
    public func withKey<Result>(_ read: (UnsafeRawBufferPointer) throws -> Result) rethrows -> Result {
        try withBytes(from: 0, count: keyCount, read)
    }

    /// Lends the metadata's bytes, uncopied, for the length of the call.
    @inlinable
    public func withMetadata<Result>(_ read: (UnsafeRawBufferPointer) throws -> Result) rethrows -> Result {
        try withBytes(from: keyCount, count: metadataCount, read)
    }

    /// Lends the body's bytes, uncopied, for the length of the call.
    ///
    /// The bytes stay where they are for as long as the entry is held, so a caller who also keeps the entry alive may
    /// keep their address (`Data(bytesNoCopy:)` with the entry in its deallocator).
    @inlinable
    public func withBody<Result>(_ read: (UnsafeRawBufferPointer) throws -> Result) rethrows -> Result {
        try withBytes(from: keyCount + metadataCount, count: bodyCount, read)
    }

    @inlinable
    func withBytes<Result>(
        from offset: Int, count: Int, _ read: (UnsafeRawBufferPointer) throws -> Result
    ) rethrows -> Result {
        try withStorage { storage in
            try storage.withUnsafeMutablePointerToElements {
                try read(UnsafeRawBufferPointer(start: $0 + offset, count: count))
            }
        }
    }
}

/// The facts at the head of an entry's allocation. As long as the header of a record on disk, which stands there while a
/// record is read into the entry (`RecordLog+Read.swift`).
@usableFromInline
struct EntryHeader {
    /// Stays the first: `StoredEntry+Attachment.swift` takes its address to be the header's.
    private let attachment: UnsafeMutableRawPointer? = nil
    /// Stays the second: `StoredEntry+Handout.swift` takes its address to be the next word's.
    private let handout: UnsafeMutableRawPointer? = nil
    @usableFromInline let hash: KeyHash
    @usableFromInline let storedAt: Int64
    @usableFromInline let policy: StoragePolicy
    @usableFromInline let metadataCount: Int32
    @usableFromInline let bodyCount: Int32
    /// Makes the length what it has to be.
    private let unused: UInt32 = 0
    /// Stays the last but one: `StoredEntry+Node.swift` takes its address to be 8 bytes before the end.
    private let node: UInt32 = 0
    /// Beside the key, with which it is compared.
    @usableFromInline let keyCount: Int32

    init(
        hash: KeyHash, storedAt: Int64, keyCount: Int32, metadataCount: Int32, bodyCount: Int32, policy: StoragePolicy
    ) {
        self.hash = hash
        self.storedAt = storedAt
        self.policy = policy
        self.metadataCount = metadataCount
        self.bodyCount = bodyCount
        self.keyCount = keyCount
    }

    var byteCount: Int { Int(keyCount) + Int(metadataCount) + Int(bodyCount) }
}

/// The allocation behind a `StoredEntry`: header, then key, metadata and body.
@usableFromInline
final class EntryStorage: ManagedBuffer<EntryHeader, UInt8> {
    deinit { releaseAttachment() }

    /// Bytes to ask the allocator for, for so many of key, metadata and body: of more than 8 KiB the next of
    /// sixteen sizes in each octave, 3 % more on average.
    ///
    /// glibc keeps large free blocks in lists by size, and walks them when it gives or takes one, a cache miss for each
    /// step. Where no two bodies are of one size that took a microsecond of every store; of few sizes the lists are short.
    static func room(for byteCount: Int) -> Int {
        guard byteCount > 8 << 10 else { return byteCount }
        let step = 1 << (Int.bitWidth - 5 - byteCount.leadingZeroBitCount)
        return (byteCount + blockOverhead + step - 1) & -step - blockOverhead
    }

    /// What else is in a block: the object's header, the entry's, and the allocator's own word.
    private static let blockOverhead = 16 + MemoryLayout<EntryHeader>.size + 8
}

extension EntryStorage {
    /// Bytes of key, metadata and body.
    @inline(__always)
    var byteCount: Int { withUnsafeMutablePointerToHeader { $0.pointee.byteCount } }

    /// Whether the entry's key is exactly `key`.
    @inline(__always)
    func hasKey(_ key: UnsafeRawBufferPointer) -> Bool {
        withUnsafeMutablePointers { header, bytes in
            guard Int(header.pointee.keyCount) == key.count else { return false }
            guard let start = key.baseAddress else { return true }
            return sameBytes(start, UnsafeRawPointer(bytes), count: key.count)
        }
    }
}

/// Whether two regions hold the same bytes; for the lengths of keys faster than a call of `memcmp`.
@inline(__always)
func sameBytes(_ left: UnsafeRawPointer, _ right: UnsafeRawPointer, count: Int) -> Bool {
    guard count >= 16 else { return sameFewBytes(left, right, count: count) }
    var difference = SIMD2<UInt64>.zero
    var offset = 0
    while offset < count &- 16 {
        difference |= block(left, offset) ^ block(right, offset)
        offset &+= 16
    }
    // The last block may overlap the one before.
    difference |= block(left, count &- 16) ^ block(right, count &- 16)
    return difference[0] | difference[1] == 0
}

@inline(__always)
private func block(_ bytes: UnsafeRawPointer, _ offset: Int) -> SIMD2<UInt64> {
    bytes.loadUnaligned(fromByteOffset: offset, as: SIMD2<UInt64>.self)
}

private func sameFewBytes(_ left: UnsafeRawPointer, _ right: UnsafeRawPointer, count: Int) -> Bool {
    for index in 0..<count
    where left.load(fromByteOffset: index, as: UInt8.self) != right.load(fromByteOffset: index, as: UInt8.self) {
        return false
    }
    return true
}
