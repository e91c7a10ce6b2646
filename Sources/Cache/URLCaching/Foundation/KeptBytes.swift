/// The bytes that values keep in memory: 64 for each, which is what a dictionary takes for it, and the content of
/// texts, data, URLs and arrays of numbers. Looks into collections, Swift's and Foundation's, but into no other object.
enum KeptBytes {
    /// More than an entry may have (`StoredEntry.attachedCount`), so there is no need to count on.
    private static let limit = 65_535 << 10
    private static let valueCount = 64

    static func count(_ userInfo: [AnyHashable: Any]) -> Int {
        // Foundation's collections may be in several places, and in themselves.
        var seen: Set<ObjectIdentifier> = []
        var total = valueCount * userInfo.count
        // Not by recursion: collections may be nested deeply.
        var open = [Mirror(reflecting: userInfo).children.makeIterator()]
        while total <= limit, let last = open.indices.last {
            guard let child = open[last].next() else {
                open.removeLast()
                continue
            }
            let (content, members) = look(at: child.value, &seen)
            total += content
            if let members { open.append(members.makeIterator()) }
        }
        return total
    }

    /// Whether it is a value of Swift's, or of Foundation's on top, that refers to no object.
    static func isPlain(_ value: Any) -> Bool { (value as? any PlainValue)?.contentCount != nil }

    /// The bytes of a value beside the 64 of its own, and its members, whose 64 are among them.
    private static func look(at value: Any, _ seen: inout Set<ObjectIdentifier>) -> (Int, Mirror.Children?) {
        if let count = (value as? any PlainValue)?.contentCount { return (count, nil) }
        if type(of: value) is AnyClass {
            let object = value as AnyObject
            switch object {
            case let text as NSString: return (2 * text.length, nil)
            case let data as NSData: return (data.length, nil)
            case let url as NSURL: return ((url as URL).absoluteString.utf8.count, nil)
            case is NSArray, is NSDictionary, is NSSet, is NSOrderedSet:
                guard seen.insert(ObjectIdentifier(object)).inserted else { return (0, nil) }
            default: return (0, nil)
            }
        }
        // A mirror shows the members themselves, where a cast of Foundation's collections converts all of them.
        let mirror = Mirror(reflecting: value)
        switch mirror.displayStyle {
        case .collection, .set, .dictionary: return (valueCount * mirror.children.count, mirror.children)
        // A key and its value count as one.
        case .tuple, .optional: return (0, mirror.children)
        default: return (0, nil)
        }
    }
}

/// A value whose bytes can be counted without a look at its members.
private protocol PlainValue {
    /// `nil` if its members may refer to more.
    var contentCount: Int? { get }
}

extension String: PlainValue {
    fileprivate var contentCount: Int? { utf8.count }
}

extension Substring: PlainValue {
    fileprivate var contentCount: Int? { base.utf8.count }
}

extension Data: PlainValue {
    fileprivate var contentCount: Int? { count }
}

extension URL: PlainValue {
    fileprivate var contentCount: Int? { absoluteString.utf8.count }
}

extension Array: PlainValue {
    fileprivate var contentCount: Int? { _isPOD(Element.self) ? count * MemoryLayout<Element>.stride : nil }
}

extension ArraySlice: PlainValue {
    fileprivate var contentCount: Int? { _isPOD(Element.self) ? count * MemoryLayout<Element>.stride : nil }
}

extension ContiguousArray: PlainValue {
    fileprivate var contentCount: Int? { _isPOD(Element.self) ? count * MemoryLayout<Element>.stride : nil }
}
