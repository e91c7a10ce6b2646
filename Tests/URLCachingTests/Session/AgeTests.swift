import LoopbackOrigin
import Testing
import URLCaching

/// `Age` on an answer from storage is the age at that moment (RFC 9111, sections 4 and 5.1; C15).
@Suite(.timeLimit(.minutes(2))) struct AgeTests {
    @Test(
        "a hit has its current age, for GET and HEAD and when it is stale; a fetched or confirmed answer has the origin's"
    )
    func ages() async throws {
        let bench = try SessionBench()
        bench.serve(OriginResource("hello", [("Cache-Control", "max-age=60")], entityTag: "\"1\""))
        #expect(try await bench.get()["Age"] == nil)
        for seconds in [5, 5, 59] as [Int64] {
            bench.at(seconds)
            #expect(try await bench.get()["Age"] == "\(seconds)")
            #expect(try await bench.get(method: "HEAD")["Age"] == "\(seconds)")
        }
        bench.at(90)
        #expect(try await bench.get(policy: .returnCacheDataElseLoad)["Age"] == "90")
        #expect(try await bench.get()["Age"] == nil)
        bench.at(100)
        #expect(try await bench.get()["Age"] == "10")
    }

    @Test("an age that the response came with is part of it")
    func received() async throws {
        let bench = try SessionBench()
        bench.serve(OriginResource("hello", [("Cache-Control", "max-age=60"), ("age", "30")]))
        #expect(try await bench.get()["Age"] == "30")
        bench.at(7)
        #expect(try await bench.get()["Age"] == "37")
    }
}
