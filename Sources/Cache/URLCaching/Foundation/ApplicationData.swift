/// An entry's `userInfo` as the bytes that persist; see `UserInfoFormat`.
struct ApplicationData {
    /// The bytes; empty if there is no `userInfo`, or the format cannot hold it.
    let encoded: [UInt8]
    /// Whether the bytes say everything. If not, the entry has to stay in memory.
    let isPersistent: Bool
    /// The `userInfo` of the entry that is handed out.
    let userInfo: [AnyHashable: Any]?

    /// Encodes a `userInfo`.
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
        var freezer = ValueFreezer()
        self.userInfo = bytes == nil ? userInfo.mapValues { freezer.frozen($0) } : userInfo
    }

    /// What has to be kept with the entry in memory: a `userInfo` that bytes cannot hold.
    ///
    /// - Parameter memory: that of the cache; `nil` counts nothing.
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

/// Makes values that their owner cannot change any more, where they can be copied: Foundation's collections and what is
/// `NSCopying`. Other objects, and what lies beyond the limits, are handed out as they are.
private struct ValueFreezer {
    /// Values that may still be looked at: a collection may hold itself, or one many times over.
    private var left = 1_000

    mutating func frozen(_ value: Any, level: Int = 0) -> Any {
        left -= 1
        guard left > 0, level < UserInfoFormat.mostLevels, FoundationCollection.isBounded(value, from: level) else {
            return value
        }
        if let values = value as? [Any] {
            return values.map { frozen($0, level: level + 1) }
        }
        if let values = value as? [AnyHashable: Any] {
            return values.mapValues { frozen($0, level: level + 1) }
        }
        return (value as? any NSCopying)?.copy(with: nil) ?? value
    }
}

/// Collections of Foundation's classes, which may contain themselves.
enum FoundationCollection {
    /// Whether a value, if it is one, has an end within the levels and the number of values that `UserInfoFormat` takes.
    ///
    /// To be asked before the value is cast: outside Apple systems a cast converts all that the object holds, and does not
    /// return for one that contains itself.
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
        // A mirror shows the objects themselves; every other way to them converts them.
        for child in Mirror(reflecting: object).children {
            left -= 1
            let inner = (child.value as? (key: NSObject, value: AnyObject)).map { $0.value as Any } ?? child.value
            guard left >= 0, isBounded(inner, level + 1, &left) else { return false }
        }
        return true
    }
    #endif
}
