/// The subject's keys of the first objects of a trace, each made once: making a URL takes as long as many hits, and
/// popular objects come early.
///
/// Bounded, since a key may take a kilobyte (a `URLRequest`) and a trace may have any number of objects.
///
/// Used from one thread. Accesses to the variables are not checked for exclusivity: none lasts longer than a statement, and
/// no statement that writes one calls the subject.
@usableFromInline
package final class ReplayedKeys<Subject: CacheSubject> {
    /// The largest number of objects whose keys are kept.
    @usableFromInline package static var most: Int { 1 << 17 }

    @usableFromInline package let checked: CheckedSubject<Subject>
    @exclusivity(unchecked) @usableFromInline package var keys: [Subject.Key?] = []
    @usableFromInline package let addresses = KeyAddresses()
    /// The key of the last chosen object; `nil` when the subject accepts no key from its URL.
    @exclusivity(unchecked) @usableFromInline package var chosen: Subject.Key?

    @inlinable
    package init(of checked: CheckedSubject<Subject>) { self.checked = checked }

    /// Finds the key of an object, or makes it.
    ///
    /// - Parameters:
    ///   - number: of the object, from 0; `nil` if its key must not be kept.
    ///   - url: its URL, if the trace has one.
    /// - Returns: whether the object has a key.
    @inlinable
    package func choose(_ number: Int?, id: UInt64, url: String?) -> Bool {
        if url != nil || checked.namedURL != nil { checked.namedURL = url }
        if let number, number < keys.count, let key = keys[number] {
            chosen = key
            return true
        }
        chosen = try? checked.key(id)
        if let number, number < Self.most {
            while keys.count <= number {
                keys.append(nil)
                addresses.append(0)
            }
            keys[number] = chosen
            if MemoryLayout<Subject.Key>.size == MemoryLayout<UInt>.size, let chosen {
                addresses.set(number, to: unsafeBitCast(chosen, to: UInt.self))
                addresses.references = keys.withUnsafeBytes { $0.baseAddress }
            }
        }
        return chosen != nil
    }
}
