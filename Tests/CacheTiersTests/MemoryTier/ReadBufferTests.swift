import Platform
import Testing

@testable import CacheTiers

@Suite("Hits that wait") struct ReadBufferTests {
    /// A buffer, and a table of 40 entries, the nodes 1 to 40 from the oldest.
    private static func with(_ body: (ReadBuffer, borrowing EntryTable) -> Void) {
        let memory = UnsafeMutableRawPointer.allocate(byteCount: ReadBuffer.byteCount, alignment: cacheLinePair)
        defer { memory.deallocate() }
        let buffer = ReadBuffer(memory: memory)
        buffer.initialize()
        var table = EntryTable(policy: .leastRecentlyUsed, stripeCount: 1)
        for number in 1...40 {
            if table.isFull { table.grow() }
            table.insert(TestKey("\(number)").entry(bodyCount: 1), size: 1, stripe: 0)
        }
        body(buffer, table)
    }

    private static func order(_ table: borrowing EntryTable) -> [Int] {
        table.nodes().map { table.entry($0)?.withKey { Int(String(decoding: $0, as: UTF8.self)) ?? 0 } ?? 0 }
    }

    @Test(
        "other threads apply full lines of 16 hits, the own thread of the buffer all of them",
        arguments: [1, 15, 16, 17, 33])
    func lines(count: Int) {
        Self.with { buffer, table in
            for node in 1...count { _ = buffer.record(UInt32(node)) }
            buffer.drainPublished(into: table)
            let full = count / 16 * 16
            #expect(Self.order(table) == Array(full + 1...40) + (full > 0 ? Array(1...full) : []))
            buffer.drainAll(into: table)
            let complete = Array(count + 1...40) + Array(1...count)
            #expect(Self.order(table) == complete)
            // The own thread was ahead of the published hits.
            buffer.drainPublished(into: table)
            #expect(Self.order(table) == complete)
        }
    }

    @Test("a full ring says so, loses hits until it is drained, and keeps those it has in their order") func full() {
        Self.with { buffer, table in
            var said = 0
            for hit in 0..<ReadBuffer.capacity + 20 {
                let node = hit < ReadBuffer.capacity ? hit % 40 + 1 : 5
                if buffer.record(UInt32(node)) { said += 1 }
            }
            #expect(said == 21)
            buffer.drainPublished(into: table)
            // 256 hits are six rounds of 40 and 16 more.
            #expect(Self.order(table) == Array(17...40) + Array(1...16))
            #expect(!buffer.record(20))
        }
    }

    @Test(
        "a ring that was drained within a line says that it is full at its last place, and loses nothing",
        arguments: 0...17)
    func fullWithinALine(before: Int) {
        Self.with { buffer, table in
            for _ in 0..<before { _ = buffer.record(1) }
            buffer.drainAll(into: table)
            for hit in 1...600 {
                let isFull = buffer.record(UInt32((hit - 1) % 40 + 1))
                #expect(isFull == (hit % ReadBuffer.capacity == 0), "hit \(hit)")
                if isFull { buffer.drainAll(into: table) }
            }
        }
    }
}
