/// The subject's keys of the objects that a trace asked for first, of which each is made once: writing a URL takes as long
/// as many a hit, and popular objects come early.
///
/// Bounded, since a key may weigh a kilobyte (a `URLRequest`) and a trace may ask for any number of objects.
@usableFromInline
final class ReplayedKeys<Subject: CacheSubject> {
    /// Of how many objects the keys are kept.
    @usableFromInline static var most: Int { 1 << 17 }

    @usableFromInline let checked: CheckedSubject<Subject>
    @usableFromInline var keys: [Subject.Key?] = []
    /// The key of the object that was chosen last; `nil` when the subject takes none from its URL.
    @usableFromInline var chosen: Subject.Key?

    @inlinable
    init(of checked: CheckedSubject<Subject>) { self.checked = checked }

    /// Finds the key of an object, or makes it.
    ///
    /// - Parameters:
    ///   - number: of the object, from 0; `nil` if its key is not to be kept.
    ///   - url: its URL, where the trace has one.
    /// - Returns: whether there is one.
    @inlinable
    func choose(_ number: Int?, id: UInt64, url: String?) -> Bool {
        checked.namedURL = url
        if let number, number < keys.count, let key = keys[number] {
            chosen = key
            return true
        }
        chosen = try? checked.key(id)
        if let number, number < Self.most {
            while keys.count <= number { keys.append(nil) }
            keys[number] = chosen
        }
        return chosen != nil
    }
}
