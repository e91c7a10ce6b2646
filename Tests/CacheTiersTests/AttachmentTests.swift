import CacheTiers
import Testing

@Suite("Attachments")
struct AttachmentTests {
    private final class Attached: Sendable {}

    /// Attaches a new object.
    ///
    /// - Returns: which object is attached then, and whether it is the new one; and whether it is still there when only
    ///   the entry can have it.
    private static func attachAnother(to entry: StoredEntry) -> (attached: ObjectIdentifier, isNew: Bool, isThere: Bool)
    {
        weak var remains: Attached?
        let attached: ObjectIdentifier
        let isNew: Bool
        do {
            let object = Attached()
            remains = object
            attached = ObjectIdentifier(entry.attach(object))
            isNew = attached == ObjectIdentifier(object)
        }
        return (attached, isNew, remains != nil)
    }

    @Test("the first object that is attached stays; a second is let go at once")
    func twice() {
        let entry = TestKey("https://example.com/").entry(body: [1])
        let first = Self.attachAnother(to: entry)
        #expect(first.isNew && first.isThere)
        let second = Self.attachAnother(to: entry)
        #expect(second.attached == first.attached && !second.isThere)
        #expect(entry.attachment.map { ObjectIdentifier($0) } == first.attached)
    }
}
