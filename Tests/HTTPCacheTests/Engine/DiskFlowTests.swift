import CacheTiers
import HTTPCache
import HTTPSemantics
import TestSupport
import Testing
import VirtualOrigin

/// The engine over both tiers.
@Suite struct DiskFlowTests {
    let directory: ScratchDirectory

    init() throws { directory = try ScratchDirectory() }

    @Test("changes of a store that has a disk run where they may block, others do not", arguments: [false, true])
    func blocking(hasDisk: Bool) throws {
        let blocking = SteppedExecutor()
        let disk = hasDisk ? try DiskTier(directory: directory.path, capacity: 1 << 20) : nil
        let bench = try Bench(disk: disk) { $0.blockingExecutor = blocking }
        bench.reply(["Cache-Control": "max-age=60"])
        let started = bench.start()
        #expect((started.result == nil) == hasDisk)
        blocking.drain()
        bench.executor.drain()
        #expect(started.value?.body == "body" && bench.isStored())
    }

    @Test(
        "what was seen once is read again after a restart without a network, off the disk and then out of memory (E6)")
    func offlineAfterRestart() throws {
        var bench: Bench? = try open()
        bench?.reply(["Cache-Control": "max-age=60", "ETag": "\"a\""], body: "seen")
        _ = try bench?.get()
        bench = nil

        let again = try open()
        let first = try again.get()
        #expect(first.body == "seen" && first.source == .diskHit)
        #expect(try again.get().source == .memoryHit)
        again.at(1_000)
        let offline = try again.get(policy: .returnCacheDataDontLoad)
        #expect(offline.body == "seen" && offline.source == .offline && offline.fields["Age"] == "1000")
        #expect(again.requestCount == 0)
    }

    @Test("a confirmation off the disk is on the disk again") func confirmationPersists() throws {
        var bench: Bench? = try open()
        bench?.replyByEntityTag("\"a\"", ["Cache-Control": "max-age=60"])
        _ = try bench?.get()
        bench = nil

        bench = try open()
        bench?.replyByEntityTag("\"a\"", ["Cache-Control": "max-age=60"])
        bench?.at(61)
        #expect(try bench?.get().source == .revalidated)
        bench = nil

        let again = try open()
        again.at(120)
        #expect(try again.get().source == .diskHit)
    }

    private func open() throws -> Bench {
        try Bench(disk: DiskTier(directory: directory.path, capacity: 1 << 20))
    }
}
