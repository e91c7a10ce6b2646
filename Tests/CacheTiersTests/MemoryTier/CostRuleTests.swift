import CSupport
import CacheTiers
import Testing

#if canImport(Glibc)
/// In a process of its own, since the allocator's figures are of the whole process.
@Suite("Cost rule")
struct CostRuleTests {
    @Test("what the tier counts is what the allocator has in use, within 10 %, at 256 B, 4 KiB and 64 KiB")
    func trueToTheAllocator() async {
        await #expect(processExitsWith: .success) {
            for bodyCount in [256, 4_096, 65_536] {
                for fill in [0.6, 1.0] {
                    let before = bytesInUse()
                    let tier = try MemoryTier(capacity: 24 << 20)
                    let goal = Int(Double(tier.capacity) * fill)
                    var number = 0
                    while tier.usage + bodyCount + 1_000 < goal {
                        let key = TestKey("https://img.example.com/photos/2026/\(1_000_000 + number)/thumbnail.jpg").key
                        let metadata = [UInt8](repeating: 3, count: 150)
                        let body = [UInt8](repeating: 5, count: bodyCount)
                        let entry = StoredEntry(
                            key: key.bytes.span.bytes, hash: key.hash, metadata: metadata.span.bytes,
                            body: body.span.bytes, storedAt: 0)
                        if let entry { _ = tier.store(entry) }
                        number += 1
                    }
                    let inUse = bytesInUse() - before
                    let ratio = Double(inUse) / Double(tier.usage)
                    print("\(bodyCount) B × \(tier.count): counted \(tier.usage), in use \(inUse), ratio \(ratio)")
                    precondition(abs(ratio - 1) < 0.1, "\(bodyCount): counted \(tier.usage), in use \(inUse)")

                    // After truncation it has to be true again.
                    try tier.setCapacity(tier.capacity / 3)
                    let left = bytesInUse() - before
                    print("  truncated to \(tier.count): counted \(tier.usage), in use \(left)")
                    precondition(abs(Double(left) / Double(tier.usage) - 1) < 0.1, "truncated: \(left)")
                }
            }
        }
    }
}

private func bytesInUse() -> Int { Int(cs_heap_bytes_in_use()) }
#endif
