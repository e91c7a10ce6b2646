import CSupport

/// One object that a layer above made from an entry's bytes, kept with them so that the next hit needn't make it again:
/// URLCaching keeps the decoded `HTTPURLResponse`. It is released with the entry. It counts in the entry's
/// cost only as `StoredEntry.attachedCount`, for what cannot be made again; see `MemoryTier.takeHandouts(from:)`.
///
/// Invariant, on which the unmanaged reference rests: the word changes once, from null to a retained object, so that a
/// reader that has seen the object and holds the entry may retain it.
extension StoredEntry {
    /// The attached object, `nil` when there is no such object.
    package var attachment: AnyObject? {
        withStorage {
            $0.withAttachment { word in
                cs_pointer_load(word).map { Unmanaged<AnyObject>.fromOpaque($0).takeUnretainedValue() }
            }
        }
    }

    /// Attaches an object, unless there is one already.
    ///
    /// - Parameter object: must not lead back to the entry: neither would ever be freed.
    /// - Returns: the object that is attached now. Two threads that attach at once both get the first one's object.
    @discardableResult
    package func attach(_ object: any AnyObject & Sendable) -> AnyObject {
        let retained = Unmanaged<AnyObject>.passRetained(object)
        let existing = withStorage { $0.withAttachment { cs_pointer_set_once($0, retained.toOpaque()) } }
        guard let existing else { return object }
        retained.release()
        return Unmanaged<AnyObject>.fromOpaque(existing).takeUnretainedValue()
    }
}

extension EntryStorage {
    @inline(__always)
    func withAttachment<Result>(_ use: (UnsafeMutablePointer<UnsafeMutableRawPointer?>) -> Result) -> Result {
        withUnsafeMutablePointerToHeader { use($0.attachment) }
    }

    /// Attaches this entry's object to another entry, which no other thread can see yet.
    func copyAttachment(to other: EntryStorage) {
        guard let attached = withAttachment({ cs_pointer_load($0) }) else { return }
        let retained = Unmanaged<AnyObject>.fromOpaque(attached).retain()
        _ = other.withAttachment { cs_pointer_set_once($0, retained.toOpaque()) }
    }

    /// Releases the attached object, at the end of the entry's life.
    @usableFromInline
    func releaseAttachment() {
        withAttachment { word in
            cs_pointer_load(word).map { Unmanaged<AnyObject>.fromOpaque($0).release() }
        }
    }
}

/// Keeps the bytes of an entry in place, but not the entry.
///
/// Swift ends an object when its last strong reference goes, and frees its memory when its last unowned reference has
/// gone, too. An entry's bytes are in the memory of its storage, and its deinit doesn't touch them. So whoever holds
/// this may read them, and may itself be attached to the entry: the two make no cycle.
///
/// `@unchecked Sendable`: the reference is counted, which any thread may do, and never loaded, which would trap once
/// the entry has gone.
package struct EntryMemory: @unchecked Sendable {
    private unowned let storage: EntryStorage

    fileprivate init(_ storage: EntryStorage) { self.storage = storage }
}

extension StoredEntry {
    /// Keeps the addresses that `withKey`, `withMetadata` and `withBody` lend valid after the entry has gone.
    package var memory: EntryMemory { withStorage { EntryMemory($0) } }
}

extension StoredEntry {
    /// Whether a lookup that found the entry on disk is the only one to have it: it never was in a memory tier, where
    /// others could have found it.
    package var isUnshared: Bool { withStorage { $0.node } == 0 }

    /// Does nothing, and holds the entry as long as it is held itself: the deallocator of bytes that the entry lends.
    /// Takes no allocation, since it captures a single reference.
    package var holder: @Sendable (UnsafeMutableRawPointer, Int) -> Void {
        // Sendable, as a constant of a Sendable entry that nobody changes.
        nonisolated(unsafe) let keeper = keeper
        return { _, _ in withExtendedLifetime(keeper) {} }
    }
}

/// One object that is handed out for every hit in place of the entry, while the entry is in a memory tier: URLCaching
/// keeps the `CachedURLResponse` there, which costs more to make than the lookup.
///
/// Unlike an attachment, a handout may hold its entry: the tier releases it when the entry leaves, and ends the cycle.
/// It is not counted in the entry's cost: whoever keeps handouts bounds them by `MemoryTier.takeHandouts(from:)`.
///
/// Invariants, on which the unmanaged reference rests. The word is null while no tier has the entry, `resident` when a
/// tier has it and there is no handout, else a retained object.
/// - An entry is in one place of one tier: `enter` fails for an entry that a tier has, or has taken out and not yet
///   released. The tier takes a copy instead.
/// - Only a reader that has found the entry in the tier's index reads the word (`currentHandout`), and the tier waits
///   for such readers before it releases what `leave` or `takeHandout` took. So no reader retains an object that was
///   released.
extension StoredEntry {
    /// Hands out `object` for every hit from now on, as long as the entry stays in its memory tier. Has no effect on an
    /// entry outside a memory tier, or with a handout already.
    package func keepHandout(_ object: any AnyObject & Sendable) {
        let retained = Unmanaged<AnyObject>.passRetained(object)
        let isKept = withStorage {
            $0.withHandout { cs_pointer_replace($0, EntryStorage.resident, retained.toOpaque()) }
        }
        if !isKept { retained.release() }
    }

    /// Another allocation of the same bytes, and the same attachment.
    func copied() -> StoredEntry {
        let header = header
        let copy = StoredEntry(
            hash: header.hash, keyCount: keyCount, metadataCount: metadataCount, bodyCount: bodyCount,
            storedAt: header.storedAt, policy: header.policy, attachedCount: attachedCount
        ) { destination in
            withBytes(from: 0, count: header.byteCount) { destination.copyMemory(from: $0) }
        }
        // Never nil: the counts are those of an entry.
        guard let copy else { return self }
        withStorage { storage in copy.withStorage { storage.copyAttachment(to: $0) } }
        return copy
    }
}

extension EntryStorage {
    /// No object is at this address.
    fileprivate static var resident: UnsafeMutableRawPointer? { UnsafeMutableRawPointer(bitPattern: 1) }

    /// Notes that a tier has the entry now; false when a tier has it already.
    func enter() -> Bool {
        withHandout { cs_pointer_replace($0, nil, Self.resident) }
    }

    /// Releases the handout; for the tier, when no reader is left that found the entry there.
    func leave() {
        guard let handout = withHandout({ cs_pointer_exchange($0, nil) }), handout != Self.resident else { return }
        Unmanaged<AnyObject>.fromOpaque(handout).release()
    }

    /// Takes the handout back, for the tier, which keeps the entry and releases the object when no reader is left that
    /// may have read the word.
    func takeHandout() -> Unmanaged<AnyObject>? {
        guard let handout = withHandout({ cs_pointer_load($0) }), handout != Self.resident,
            withHandout({ cs_pointer_replace($0, handout, Self.resident) })
        else { return nil }
        return .fromOpaque(handout)
    }

    /// The handout, for a reader that has found the entry in its tier.
    @inline(__always)
    var currentHandout: AnyObject? {
        let handout = withHandout { cs_pointer_load($0) }
        guard let handout, handout != Self.resident else { return nil }
        return Unmanaged<AnyObject>.fromOpaque(handout).takeUnretainedValue()
    }

    @inline(__always)
    fileprivate func withHandout<Result>(_ use: (UnsafeMutablePointer<UnsafeMutableRawPointer?>) -> Result) -> Result {
        withUnsafeMutablePointerToHeader { use($0.handout) }
    }
}
