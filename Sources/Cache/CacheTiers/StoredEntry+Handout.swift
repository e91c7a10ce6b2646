import CSupport

/// One object that is handed out for every hit while the entry is in a memory tier, in place of the entry: URLCaching
/// keeps the `CachedURLResponse` there, whose making costs more than the lookup.
///
/// Other than an attachment, a handout may hold on to its entry: the tier lets go of it when the entry leaves, and ends
/// the cycle. Not counted in the entry's cost.
///
/// Invariants, which the unmanaged reference rests on. The word is null while no tier has the entry, `resident` when one
/// has and there is no handout, else a retained object.
/// - An entry is in one place of one tier: `enter` fails for one that is in a tier already, or was taken out and is not
///   yet released by the tier, and the tier takes a copy instead.
/// - The word is read (`current`) by readers alone who have found the entry in the tier's index and whom the tier waits
///   for before it calls `leave`: none of them can be about to retain what `leave` releases.
extension StoredEntry {
    /// Has `object` handed out for every hit from now on, for as long as the entry stays in the memory tier that it is
    /// in; has no effect when it is in none, or has a handout already.
    public func keepHandout(_ object: any AnyObject & Sendable) {
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
            storedAt: header.storedAt, policy: header.policy
        ) { destination in
            withBytes(from: 0, count: header.byteCount) { destination.copyMemory(from: $0) }
        }
        // The counts are those of an entry, so that there is one of them.
        guard let copy else { return self }
        withStorage { storage in copy.withStorage { storage.copyAttachment(to: $0) } }
        return copy
    }
}

extension EntryStorage {
    /// No object is at this address.
    fileprivate static var resident: UnsafeMutableRawPointer? { UnsafeMutableRawPointer(bitPattern: 1) }

    /// Notes that a tier has the entry now; false when one has it already.
    func enter() -> Bool {
        withHandout { cs_pointer_replace($0, nil, Self.resident) }
    }

    /// Lets go of the handout; for the tier, when no reader is left who found the entry there.
    func leave() {
        guard let handout = withHandout({ cs_pointer_exchange($0, nil) }), handout != Self.resident else { return }
        Unmanaged<AnyObject>.fromOpaque(handout).release()
    }

    /// The handout, for a reader who has found the entry in the tier that it is in.
    @inline(__always)
    var currentHandout: AnyObject? {
        let handout = withHandout { cs_pointer_load($0) }
        guard let handout, handout != Self.resident else { return nil }
        return Unmanaged<AnyObject>.fromOpaque(handout).takeUnretainedValue()
    }

    @inline(__always)
    fileprivate func withHandout<Result>(_ use: (UnsafeMutablePointer<UnsafeMutableRawPointer?>) -> Result) -> Result {
        withUnsafeMutablePointerToHeader { header in
            // Swift lays out the fields of a struct in the order of their declaration, and the word is the second.
            use(UnsafeMutableRawPointer(header).assumingMemoryBound(to: UnsafeMutableRawPointer?.self) + 1)
        }
    }
}
