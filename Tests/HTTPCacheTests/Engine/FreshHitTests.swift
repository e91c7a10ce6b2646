import HTTPCache
import HTTPSemantics
import Testing
import VirtualOrigin

/// Hits that need no task.
@Suite struct FreshHitTests {
    @Test(
        "a time to live takes the place of the header's 60 s",
        arguments: [
            (nil, 59, true), (nil, 60, false), (10, 9, true), (10, 10, false), (100, 99, true), (100, 100, false),
        ] as [(Int64?, Int64, Bool)])
    func timeToLive(timeToLive: Int64?, age: Int64, isHit: Bool) throws {
        let bench = try Bench { $0.timeToLive = timeToLive }
        bench.reply(["Cache-Control": "max-age=60"])
        _ = try bench.get()
        var url = Bench.url
        let hit = url.withUTF8 { bytes in
            bench.engine.freshHit(
                url: UnsafeRawBufferPointer(bytes), facts: RequestFacts(), now: Bench.start + age,
                request: CacheRequest(HTTPRequest(url: Bench.url)))
        }
        #expect((hit != nil) == isHit)
        // Beyond the application's own time the response is gone; beyond the header's it may still be confirmed.
        #expect(bench.isStored() == (isHit || timeToLive == nil))
    }

    @Test("a method that no stored response answers has no hit, and takes nothing out", arguments: [nil, 10 as Int64?])
    func otherMethods(timeToLive: Int64?) throws {
        let bench = try Bench { $0.timeToLive = timeToLive }
        bench.reply(["Cache-Control": "max-age=60"])
        _ = try bench.get()
        var url = Bench.url
        for (method, isHit) in [("POST", false), ("OPTIONS", false), ("HEAD", true)] {
            let request = HTTPRequest(method: method, url: Bench.url)
            for age in [5, 30] as [Int64] {
                let hit = url.withUTF8 { bytes in
                    bench.engine.freshHit(
                        url: UnsafeRawBufferPointer(bytes), facts: RequestFacts(request), now: Bench.start + age,
                        request: CacheRequest(request))
                }
                #expect((hit != nil) == (isHit && age < timeToLive ?? 60))
                #expect(bench.isStored() == (!isHit || age < timeToLive ?? 60))
            }
        }
    }
}
