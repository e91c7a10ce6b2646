import Testing

@testable import URLCaching

/// A `userInfo` that bytes cannot hold stays in memory with its entry, and is counted there.
@Suite struct UserInfoCostTests {
    private static let capacity = 4 << 20

    private static func request(_ number: Int) -> URLRequest {
        URLRequest(url: URL(string: "https://example.com/\(number)")!)
    }

    @Test("data and texts beside a value that bytes cannot hold count, wherever they are", arguments: 0..<5)
    func counted(place: Int) throws {
        let cache = ResponseCache(memoryCapacity: Self.capacity, diskCapacity: 0, diskPath: nil)
        let (size, count) = (100 << 10, 100)
        for number in 0..<count {
            let source = URL(string: "https://example.com/\(number).png")!
            let thumb = Data(repeating: UInt8(number), count: size)
            let userInfo: [AnyHashable: Any] =
                switch place {
                case 0: ["thumb": thumb, "source": source]
                case 1: ["more": [1, ["thumb": thumb]] as [Any], "source": source]
                case 2: ["text": String(repeating: "a", count: size), "source": source]
                case 3: [String(repeating: "k", count: size): source]
                default: ["many": (0..<10).map { Data(repeating: UInt8($0), count: size / 10) }, "source": source]
                }
            cache.storeCachedResponse(cached("hello", userInfo: userInfo), for: Self.request(number))
        }
        let kept = (0..<count).filter { cache.cachedResponse(for: Self.request($0)) != nil }
        #expect(kept == Array((count - kept.count)..<count))
        #expect(30...40 ~= kept.count, "4 MiB hold that many of 100 KiB, not \(kept.count)")
        #expect(cache.currentMemoryUsage > kept.count * size && cache.currentMemoryUsage <= Self.capacity)
        let last = try #require(cache.cachedResponse(for: Self.request(count - 1))?.userInfo)
        #expect(last.values.contains { $0 is URL })
        cache.removeAllCachedResponses()
        #expect(cache.currentMemoryUsage == 0)
    }

    private static let mebibyte = Data(repeating: 1, count: 1 << 20)
    private static let parts = (0..<8).map { Data(repeating: $0, count: 128 << 10) }

    @Test(
        "contents count in sets, URLs and Foundation's types, behind many values, and in deep collections",
        arguments: 0..<13)
    func everywhere(place: Int) {
        let text = String(repeating: "a", count: 1 << 20)
        let userInfo: [AnyHashable: Any] =
            switch place {
            case 0: ["set": Set(Self.parts)]
            case 1: ["set": NSSet(array: Self.parts)]
            case 2: ["set": NSOrderedSet(array: Self.parts)]
            case 3: ["data": NSMutableData(data: Self.mebibyte)]
            case 4: ["text": NSMutableString(string: text)]
            case 5: ["url": URL(string: "https://example.com/" + text)!]
            case 6: [Self.mebibyte: UUID()]
            case 7: ["a": (0..<1_500).map { $0 as Any }, "rest": ["thumb": Self.mebibyte]]
            case 8: ["rest": NSDictionary(dictionary: ["thumb": NSArray(object: Self.mebibyte)])]
            case 9: ["deep": (0..<200).reduce(Self.mebibyte as Any) { inner, _ in [inner] }]
            case 10: ["optional": Optional(Self.mebibyte) as Any]
            case 11: ["pair": (1, Self.mebibyte)]
            default: ["numbers": [Double](repeating: 1, count: 128 << 10)]
            }
        let count = KeptBytes.count(userInfo.merging(["id": UUID()]) { $1 })
        #expect(1 << 20...(1 << 20) * 22 / 10 ~= count, "\(count) bytes")
    }

    @Test("an array of numbers counts what it takes, is kept with its response, and comes back as it was")
    func numbers() throws {
        let cache = ResponseCache(memoryCapacity: Self.capacity, diskCapacity: 0, diskPath: nil)
        let hash = [UInt8](repeating: 7, count: 4_096)
        let embedding = [Float](repeating: 0.5, count: 1_024)
        cache.storeCachedResponse(
            cached("hello", userInfo: ["hash": hash, "embedding": embedding, "id": UUID()]), for: Self.request(1))
        #expect(8_192...12_000 ~= cache.currentMemoryUsage, "\(cache.currentMemoryUsage) bytes")
        let found = try #require(cache.cachedResponse(for: Self.request(1))?.userInfo)
        #expect(found["hash"] is [UInt8] && found["hash"] as? [UInt8] == hash)
        #expect(found["embedding"] as? [Float] == embedding)
    }

    @Test("one collection of Foundation's in many places counts once, and one that contains itself ends") func shared()
    {
        let numbers = NSArray(array: (0..<1_000).map { NSNumber(value: $0) })
        let count = KeptBytes.count(["many": [NSArray](repeating: numbers, count: 300), "id": UUID()])
        #expect(64_000...100_000 ~= count, "\(count) bytes")
        let array = NSMutableArray(object: Self.mebibyte)
        array.add(array)
        #expect(1 << 20...(1 << 20) + 1_000 ~= KeptBytes.count(["self": array]))
        // More than any entry may have is not looked at.
        #expect(KeptBytes.count(["many": [Any](repeating: numbers, count: 1 << 20)]) > 65_535 << 10)
    }

    @Test("what takes more than 5 % of the capacity with its userInfo is not kept, and the one before goes")
    func tooLarge() {
        let cache = ResponseCache(memoryCapacity: Self.capacity, diskCapacity: 0, diskPath: nil)
        let source = URL(string: "https://example.com/1.png")!
        cache.storeCachedResponse(cached("small", userInfo: ["source": source]), for: Self.request(1))
        #expect(cache.cachedResponse(for: Self.request(1)) != nil && cache.currentMemoryUsage < 4 << 10)
        for size in [1 << 20, 80 << 20] {
            let userInfo: [AnyHashable: Any] = ["thumb": Data(count: size), "source": source]
            cache.storeCachedResponse(cached("large", userInfo: userInfo), for: Self.request(1))
            #expect(cache.cachedResponse(for: Self.request(1)) == nil && cache.currentMemoryUsage == 0)
        }
    }
}
