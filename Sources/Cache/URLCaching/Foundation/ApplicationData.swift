/// An entry's `userInfo` as the bytes that persist; see `UserInfoFormat`.
struct ApplicationData {
    /// The bytes; empty without a `userInfo`, or if the format cannot hold it.
    let encoded: [UInt8]
    /// Whether the bytes say everything. If not, the entry must stay in memory.
    let isPersistent: Bool
    /// The `userInfo` of the entry that is handed out.
    let userInfo: [AnyHashable: Any]?
    /// Bytes of a `userInfo` that bytes cannot hold, as far as they can be counted; otherwise 0.
    private(set) var attachedCount = 0

    init(_ userInfo: [AnyHashable: Any]?) {
        guard let userInfo, !userInfo.isEmpty else {
            encoded = []
            isPersistent = true
            self.userInfo = userInfo
            return
        }
        let bytes = UserInfoEncoder.encode(userInfo)
        encoded = bytes ?? []
        isPersistent = bytes != nil
        guard bytes == nil else {
            self.userInfo = userInfo
            return
        }
        var freezer = ValueFreezer()
        self.userInfo = freezer.frozen(userInfo, level: 0)
        attachedCount = KeptBytes.count(userInfo)
    }

    /// What must be kept with the entry in memory: a `userInfo` that bytes cannot hold.
    ///
    /// - Parameter memory: the cache's; `nil` counts nothing.
    func attachment(in memory: DecodedMemory?) -> DecodedEntry? {
        isPersistent ? nil : DecodedEntry(userInfo: userInfo, in: memory)
    }

    /// Decodes bytes that came back from a tier; damaged ones give no `userInfo`.
    init(decoding encoded: [UInt8]) {
        self.encoded = encoded
        isPersistent = true
        userInfo = encoded.isEmpty ? nil : UserInfoDecoder.decode(encoded)
    }
}

/// Makes values their owner can no longer change, by copying Foundation's collections and `NSCopying` objects. Other
/// objects, and anything beyond the limits, are handed out as they are.
private struct ValueFreezer {
    /// How many more values may be visited: a collection may contain itself, or one value many times.
    private var left = 1_000

    mutating func frozen(_ values: [AnyHashable: Any], level: Int) -> [AnyHashable: Any] {
        values.mapValues { frozen($0, level: level) }
    }

    private mutating func frozen(_ value: Any, level: Int) -> Any {
        left -= 1
        guard left > 0, level < UserInfoFormat.mostLevels, !KeptBytes.isPlain(value),
            FoundationCollection.isBounded(value, from: level)
        else { return value }
        if let values = value as? [Any] {
            return values.map { frozen($0, level: level + 1) }
        }
        if let values = value as? [AnyHashable: Any] {
            return frozen(values, level: level + 1)
        }
        return (value as? any NSCopying)?.copy(with: nil) ?? value
    }
}

/// Collections of Foundation's classes, which may contain themselves.
enum FoundationCollection {
    /// Whether a collection ends within the levels and the number of values that `UserInfoFormat` accepts. `true` for
    /// other values.
    ///
    /// Ask before casting the value: outside Apple systems a cast converts everything in the object, and never returns
    /// if the object contains itself.
    static func isBounded(_ value: Any, from level: Int) -> Bool {
        #if canImport(Darwin)
        return true
        #else
        var left = UserInfoFormat.mostValues
        return isBounded(value, level, &left)
        #endif
    }

    #if !canImport(Darwin)
    private static func isBounded(_ value: Any, _ level: Int, _ left: inout Int) -> Bool {
        guard type(of: value) is AnyClass else { return true }
        let object = value as AnyObject
        guard !(object is NSSet) else { return false }
        guard object is NSArray || object is NSDictionary else { return true }
        guard level <= UserInfoFormat.mostLevels else { return false }
        // A mirror shows the objects themselves; any other access converts them.
        for child in Mirror(reflecting: object).children {
            left -= 1
            let inner = (child.value as? (key: NSObject, value: AnyObject)).map { $0.value as Any } ?? child.value
            guard left >= 0, isBounded(inner, level + 1, &left) else { return false }
        }
        return true
    }
    #endif
}
