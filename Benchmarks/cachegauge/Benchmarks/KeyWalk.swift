/// Keys drawn in advance and stored in the order of their use, as a program has the URL at hand that it requests. One
/// thread walks them cyclically.
final class KeyWalk: Sendable {
    private let numbers: NumberWalk
    private let keys: KeyPool

    /// - Parameters:
    ///   - numbers: the numbers of the keys, in order.
    ///   - text: the text of a key by its number; cut or padded to `length` bytes.
    init(_ numbers: NumberWalk, length: Int, text: (_ number: Int) -> String) {
        self.numbers = numbers
        keys = KeyPool(count: numbers.count, length: length) { text(numbers[$0]) }
    }

    /// Calls `body` with the next `steps` keys and their numbers.
    @inline(__always)
    func walk(_ steps: Int, _ body: (_ number: Int, _ key: UnsafeRawBufferPointer) -> Void) {
        numbers.walk(steps) { place, number in body(number, keys[place]) }
    }

    /// The keys as strings, each with its own storage, in the order of their positions.
    var strings: [String] { keys.strings }
}
