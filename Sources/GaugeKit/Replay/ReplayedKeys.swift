/// The subject's keys of the objects that a trace asked for first, of which each is made once: writing a URL takes as long
/// as many a hit, and popular objects come early.
///
/// Bounded, since a key may weigh a kilobyte (a `URLRequest`) and a trace may ask for any number of objects.
struct ReplayedKeys<Key> {
    /// Of how many objects the keys are kept.
    private static var most: Int { 1 << 16 }

    private var keys: [Key?] = []

    /// The key of an object; `nil` when it is not kept.
    subscript(number: Int) -> Key? { number < keys.count ? keys[number] : nil }

    /// Keeps a key, unless it is one of too many.
    mutating func keep(_ key: Key, of number: Int) {
        guard number < Self.most else { return }
        while keys.count <= number { keys.append(nil) }
        keys[number] = key
    }
}
