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
