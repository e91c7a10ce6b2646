import CSupport

/// One object that a layer above made from an entry's bytes, kept with them so that the next hit need not make it again:
/// URLCaching keeps the decoded `HTTPURLResponse`. It is released with the entry, and not counted in the entry's cost (see `MemoryTier.takeHandouts(from:)`).
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
