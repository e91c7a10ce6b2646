import CSupport

/// One object that a layer above made of an entry's bytes, kept with them so that the next hit need not make it again:
/// URLCaching keeps the decoded `HTTPURLResponse`. It goes when the entry goes.
///
/// Not counted in the entry's cost: it can be dropped and made anew, and whoever attaches says what it weighs.
/// Invariant, which the unmanaged reference rests on: the word goes once from null to a retained object and never
/// changes again, so that a reader who has seen the object and holds the entry may retain it.
extension StoredEntry {
    /// What was attached, if anything.
    public var attachment: AnyObject? {
        withStorage {
            $0.withAttachment { word in
                cs_pointer_load(word).map { Unmanaged<AnyObject>.fromOpaque($0).takeUnretainedValue() }
            }
        }
    }

    /// Attaches an object, unless there is one already.
    ///
    /// - Parameter object: must not lead back to the entry, or neither is ever freed.
    /// - Returns: the object that is attached now: of two threads that attach at once, both get the first one's.
    @discardableResult
    public func attach(_ object: any AnyObject & Sendable) -> AnyObject {
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
        withUnsafeMutablePointerToHeader { header in
            // Swift lays out the fields of a struct in the order of their declaration, and the word is the first.
            use(UnsafeMutableRawPointer(header).assumingMemoryBound(to: UnsafeMutableRawPointer?.self))
        }
    }

    /// Attaches what is attached here to another entry, which nobody else has yet.
    func copyAttachment(to other: EntryStorage) {
        guard let attached = withAttachment({ cs_pointer_load($0) }) else { return }
        let retained = Unmanaged<AnyObject>.fromOpaque(attached).retain()
        _ = other.withAttachment { cs_pointer_set_once($0, retained.toOpaque()) }
    }

    /// Lets go of what is attached; for the end of the entry's life.
    @usableFromInline
    func releaseAttachment() {
        withAttachment { word in
            cs_pointer_load(word).map { Unmanaged<AnyObject>.fromOpaque($0).release() }
        }
    }
}
