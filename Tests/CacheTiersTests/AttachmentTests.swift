import CacheTiers
import Testing

@Suite("Attachments") struct AttachmentTests {
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

    @Test("the first object that is attached stays; a second is let go at once") func twice() {
        let entry = TestKey("https://example.com/").entry(body: [1])
        let first = Self.attachAnother(to: entry)
        #expect(first.isNew && first.isThere)
        let second = Self.attachAnother(to: entry)
        #expect(second.attached == first.attached && !second.isThere)
        #expect(entry.attachment.map { ObjectIdentifier($0) } == first.attached)
    }

    @Test(
        "what is attached for good counts in the cost, as whole KiB up to 65,535, and in that of the tier",
        arguments: [(0, 0), (1, 1024), (1024, 1024), (1025, 2048), (67_107_840, 67_107_840), (67_107_841, nil)]
            as [(Int, Int?)])
    func cost(attachedCount: Int, added: Int?) throws {
        let key = TestKey("https://example.com/").key
        let entry = StoredEntry(
            hash: key.hash, keyCount: key.bytes.count, metadataCount: 0, bodyCount: 1, storedAt: 0, policy: .allowed,
            attachedCount: attachedCount
        ) { $0.copyBytes(from: key.bytes + [1]) }
        #expect((entry != nil) == (added != nil))
        guard let entry, let added else { return }
        #expect(entry.cost == key.bytes.count + 1 + StoredEntry.overhead + added)
        let tier = try MemoryTier(capacity: 2 << 30)
        for _ in 0..<2 {
            tier.store(entry)
            #expect(tier.usage == entry.cost)
        }
        let other = try MemoryTier(capacity: 2 << 30)
        // An entry of another tier enters as a copy.
        other.store(entry)
        #expect(other.usage == entry.cost)
        #expect(entry.withBody { Array($0) } == [1] && entry.attachedCount == added)
    }
}
