/// Keys drawn beforehand and laid out in the order in which they are asked for: a program has the URL at hand that it
/// asks for. Walked round and round by one thread.
final class KeyWalk: Sendable {
    private let numbers: NumberWalk
    private let keys: KeyPool

    /// - Parameters:
    ///   - numbers: which keys, in what order.
    ///   - text: the text of a key by its number; cut or filled up to `length` bytes.
    init(_ numbers: NumberWalk, length: Int, text: (_ number: Int) -> String) {
        self.numbers = numbers
        keys = KeyPool(count: numbers.count, length: length) { text(numbers[$0]) }
    }

    /// Calls `body` with the next `steps` keys and their numbers.
    @inline(__always)
    func walk(_ steps: Int, _ body: (_ number: Int, _ key: UnsafeRawBufferPointer) -> Void) {
        numbers.walk(steps) { place, number in body(number, keys[place]) }
    }

    /// The keys as strings, each of its own storage, and the same numbers to walk them by place.
    var strings: [String] { keys.strings }
}
