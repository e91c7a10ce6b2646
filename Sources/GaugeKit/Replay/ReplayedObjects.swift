/// What a replay remembers of each object of its trace: about 80 bytes.
struct ReplayedObjects {
    /// One object.
    struct Object {
        /// Bytes of its body when it was asked for last; −1 before that.
        var size = -1
        /// When what the subject was given of it stops being fresh, on the clock of the trace.
        var expiry = Double.infinity
    }

    private var numbers: [UInt64: UInt32] = [:]
    private var objects: [Object] = []

    /// The number of an object, which is the next one if it is new.
    mutating func number(of id: UInt64) -> Int {
        if let number = numbers[id] { return Int(number) }
        numbers[id] = UInt32(truncatingIfNeeded: objects.count)
        objects.append(Object())
        return objects.count - 1
    }

    subscript(number: Int) -> Object {
        get { objects[number] }
        set { objects[number] = newValue }
    }
}
