import CSupport
import Synchronization

/// A tier's content for one key: key, metadata and body in a single allocation that never changes.
///
/// The tiers do not interpret the metadata. HTTPCache stores the response's header block there, and the integers from
/// which it computes freshness. A hit hands out a reference: nothing is copied, and the entry outlives its eviction
/// until its last holder lets go.
///
/// Invariants, on which the unsafe pointers rest: `keeper` keeps `storage` alive; an allocation has `byteCount` bytes
/// behind its header, all of them initialised.
///
/// `@unchecked Sendable`: only `init` writes the header and the bytes, before any other thread can see the reference.
/// The words that are set later are atomic: the attachment and the handout (`StoredEntry+Attachment.swift`), the node
/// and the stripe. The keeper is an `EntryStorage` or a Sendable object of the memory tier.
public struct StoredEntry: @unchecked Sendable {
    /// Alive for as long as `keeper` is.
    @usableFromInline let storage: Unmanaged<EntryStorage>
    /// The storage itself, or a lease of the memory tier that handed it out.
    @usableFromInline let keeper: AnyObject

    @usableFromInline
    init(storage: EntryStorage) {
        self.storage = .passUnretained(storage)
        keeper = storage
    }

    /// An entry that another object keeps alive.
    ///
    /// - Parameter keeper: Sendable; keeps `storage` alive for as long as it is referenced.
    @inline(__always)
    init(storage: Unmanaged<EntryStorage>, keeper: AnyObject) {
        self.storage = storage
        self.keeper = keeper
    }

    /// Copies the three parts into one new allocation, so that an entry never keeps a larger buffer alive.
    ///
    /// - Parameters:
    ///   - key: canonical key bytes.
    ///   - hash: the keyed hash of `key`, from the hasher of the cache that will hold the entry.
    ///   - metadata: bytes that only the caller interprets.
    ///   - body: the representation's bytes.
    ///   - storedAt: the time of storing, in the caller's unit and epoch (`removeAll(since:)` compares with it).
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
    /// - Parameters:
    ///   - hash: the hash of the key.
    ///   - keyCount: the length of the key, bytes.
    ///   - metadataCount: the length of the metadata, bytes.
    ///   - bodyCount: the length of the body, bytes.
    ///   - storedAt: the time of storing, in the caller's unit and epoch (`removeAll(since:)` compares with it).
    ///   - policy: the tiers that may hold the entry.
    ///   - attachedCount: bytes of what will be attached and cannot be made again; they count in `cost`, as whole KiB.
    ///   - fill: called once with the whole uninitialised region; has to write every byte of it.
    /// - Returns: `nil` when a count is negative or above `Int32.max`, or `attachedCount` above 65,535 KiB.
    public init?(
        hash: KeyHash, keyCount: Int, metadataCount: Int, bodyCount: Int, storedAt: Int64, policy: StoragePolicy,
        attachedCount: Int = 0, fill: (UnsafeMutableRawBufferPointer) -> Void
    ) {
        guard let keyCount = Int32(exactly: keyCount), let metadataCount = Int32(exactly: metadataCount),
            let bodyCount = Int32(exactly: bodyCount), keyCount >= 0, metadataCount >= 0, bodyCount >= 0,
            let attachedKiB = UInt16(exactly: attachedCount / 1024 + (attachedCount % 1024 == 0 ? 0 : 1))
        else { return nil }
        let header = EntryHeader(
            hash: hash, storedAt: storedAt, keyCount: keyCount, metadataCount: metadataCount, bodyCount: bodyCount,
            policy: policy, attachedKiB: attachedKiB)
        let storage = EntryStorage.create(minimumCapacity: EntryStorage.room(for: header.byteCount)) { _ in header }
        storage.withUnsafeMutablePointerToElements {
            fill(UnsafeMutableRawBufferPointer(start: $0, count: header.byteCount))
        }
        self.init(storage: unsafeDowncast(storage, to: EntryStorage.self))
    }

    /// Lends the storage without counting a reference to it: counting would make hits of several threads wait for each
    /// other.
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
    /// The time of storing, in the caller's unit and epoch.
    @inlinable public var storedAt: Int64 { header.storedAt }
    /// Which tiers may hold the entry.
    @inlinable public var policy: StoragePolicy { header.policy }
    /// Bytes of the key.
    @inlinable public var keyCount: Int { Int(header.keyCount) }
    /// Bytes of the metadata.
    @inlinable public var metadataCount: Int { Int(header.metadataCount) }
    /// Bytes of the body.
    @inlinable public var bodyCount: Int { Int(header.bodyCount) }

    /// Bytes of key, metadata and body.
    var payloadCount: Int { header.byteCount }

    /// Bytes that the memory tier counts for an entry besides its key, metadata and body: the entry's header, the
    /// allocator's header, and the entry's share of the tier's index.
    public static let overhead = 128

    /// The entry's cost in the memory tier, bytes: key + metadata + body + `overhead`, and what is attached for good.
    /// Above 8 KiB the allocation is up to a sixteenth larger, which is not counted.
    @inlinable public var cost: Int { keyCount + metadataCount + bodyCount + Self.overhead + attachedCount }

    /// Bytes of what is attached and cannot be made again.
    @inlinable public var attachedCount: Int { Int(header.attachedKiB) << 10 }

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
    /// The bytes keep their address as long as the entry is held, so a caller that keeps the entry alive may keep the
    /// address too (`Data(bytesNoCopy:)` with the entry in its deallocator).
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

/// The facts at the head of an entry's allocation. As long as a record's header on disk: a record is read straight into
/// the allocation, header first, and this then replaces that header (`RecordReading.swift`).
@usableFromInline
struct EntryHeader {
    /// Atomic: read and set through its address alone (`StoredEntry+Attachment.swift`).
    fileprivate let attachment: UnsafeMutableRawPointer? = nil
    /// Atomic: read and set through its address alone (`StoredEntry+Attachment.swift`).
    fileprivate let handout: UnsafeMutableRawPointer? = nil
    @usableFromInline let hash: KeyHash
    @usableFromInline let storedAt: Int64
    @usableFromInline let policy: StoragePolicy
    /// See `StoredEntry.attachedCount`.
    @usableFromInline let attachedKiB: UInt16
    @usableFromInline let metadataCount: Int32
    @usableFromInline let bodyCount: Int32
    /// Atomic: read and set through its address alone.
    fileprivate let stripe: UInt32 = 0
    /// Atomic: read and set through its address alone.
    fileprivate let node: UInt32 = 0
    /// Beside the key, with which it is compared.
    @usableFromInline let keyCount: Int32

    init(
        hash: KeyHash, storedAt: Int64, keyCount: Int32, metadataCount: Int32, bodyCount: Int32,
        policy: StoragePolicy, attachedKiB: UInt16 = 0
    ) {
        self.hash = hash
        self.storedAt = storedAt
        self.policy = policy
        self.attachedKiB = attachedKiB
        self.metadataCount = metadataCount
        self.bodyCount = bodyCount
        self.keyCount = keyCount
    }

    var byteCount: Int { Int(keyCount) + Int(metadataCount) + Int(bodyCount) }
}

extension UnsafeMutablePointer<EntryHeader> {
    // The offsets of stored properties: never nil, and constants in an optimised build.

    @inline(__always)
    var attachment: UnsafeMutablePointer<UnsafeMutableRawPointer?> {
        field(at: MemoryLayout<EntryHeader>.offset(of: \.attachment).unsafelyUnwrapped)
    }

    @inline(__always)
    var handout: UnsafeMutablePointer<UnsafeMutableRawPointer?> {
        field(at: MemoryLayout<EntryHeader>.offset(of: \.handout).unsafelyUnwrapped)
    }

    @inline(__always)
    var node: UnsafeMutablePointer<Atomic<UInt32>> {
        field(at: MemoryLayout<EntryHeader>.offset(of: \.node).unsafelyUnwrapped)
    }

    @inline(__always)
    var stripe: UnsafeMutablePointer<Atomic<UInt32>> {
        field(at: MemoryLayout<EntryHeader>.offset(of: \.stripe).unsafelyUnwrapped)
    }

    @inline(__always)
    private func field<Field: ~Copyable>(at offset: Int) -> UnsafeMutablePointer<Field> {
        (UnsafeMutableRawPointer(self) + offset).assumingMemoryBound(to: Field.self)
    }
}

/// The allocation behind a `StoredEntry`: header, then key, metadata and body.
@usableFromInline
final class EntryStorage: ManagedBuffer<EntryHeader, UInt8> {
    deinit { releaseAttachment() }

    /// Bytes to allocate for `byteCount` bytes of key, metadata and body: above 8 KiB the next of sixteen sizes in each
    /// octave, 3 % more on average.
    ///
    /// glibc keeps large free blocks in lists by size and walks them, a cache miss for each step. With bodies of all
    /// sizes that took a microsecond of every store; with few sizes the lists are short.
    @inline(__always)
    static func room(for byteCount: Int) -> Int {
        guard byteCount > 8 << 10 else { return byteCount }
        let step = 1 << (Int.bitWidth - 5 - byteCount.leadingZeroBitCount)
        return (byteCount + blockOverhead + step - 1) & -step - blockOverhead
    }

    /// The rest of a block: the object's header, the entry's, and the allocator's word.
    private static let blockOverhead = 16 + MemoryLayout<EntryHeader>.size + 8
}

extension EntryStorage {
    /// Bytes of key, metadata and body.
    @inline(__always)
    var byteCount: Int { withUnsafeMutablePointerToHeader { $0.pointee.byteCount } }

    /// The same, and what is attached for good.
    @inline(__always)
    var heldCount: Int {
        withUnsafeMutablePointerToHeader { $0.pointee.byteCount + Int($0.pointee.attachedKiB) << 10 }
    }

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

/// Which tiers may hold an entry; the three cases of `URLCache.StoragePolicy`.
public enum StoragePolicy: UInt8, Sendable {
    /// Memory and disk.
    case allowed = 0
    /// Memory alone: the entry's bytes never reach the disk, not even when memory evicts it.
    case allowedInMemoryOnly = 1
    /// Neither: storing such an entry only removes what it supersedes.
    case notAllowed = 2
}

extension EntryStorage {
    /// The number of the entry in the memory tier that holds it, 0 before it enters one. Beside the key, so that a
    /// reader that has compared the key has the number in its cache.
    ///
    /// Invariant: only holders of the tier's lock set it. A reader that finds the entry meanwhile gets the number that
    /// the entry has, had, or is about to have.
    @inline(__always)
    var node: UInt32 {
        get { withUnsafeMutablePointerToHeader { $0.node.pointee.load(ordering: .relaxed) } }
        set { withUnsafeMutablePointerToHeader { $0.node.pointee.store(newValue, ordering: .relaxed) } }
    }

    /// Begins to load the end of the header: stripe, node and lengths.
    @inline(__always)
    func prefetchEnd() { withUnsafeMutablePointerToHeader { cs_prefetch($0.stripe) } }

    /// Begins to load what lies behind the allocation: the allocator reads it when the allocation is freed.
    @inline(__always)
    func prefetchBehind() {
        withUnsafeMutablePointers { header, bytes in cs_prefetch(bytes + Self.room(for: header.pointee.byteCount)) }
    }

    /// The stripe of the thread that stored the entry, in the memory tier that holds it: that thread frees its memory.
    /// Beside the lengths, which are read when the entry goes.
    ///
    /// Invariant: only holders of the tier's lock use it.
    @inline(__always)
    var stripe: Int {
        get { withUnsafeMutablePointerToHeader { Int($0.stripe.pointee.load(ordering: .relaxed)) } }
        set {
            withUnsafeMutablePointerToHeader {
                $0.stripe.pointee.store(UInt32(truncatingIfNeeded: newValue), ordering: .relaxed)
            }
        }
    }
}
