import CacheTiers
import HTTPCache
import Platform
import TestSupport
import Testing

@testable import URLCaching

/// `userInfo` on its way through bytes, and bytes that nothing encoded.
@Suite struct UserInfoTests {
    @Test("Every value that a property list can hold comes back as it was") func roundTrip() throws {
        let date = Date(timeIntervalSinceReferenceDate: 812_345_678.123_456_7)
        let userInfo: [AnyHashable: Any] = [
            "yes": true, "no": NSNumber(value: false), "one": 1, "least": Int.min, "most": UInt64.max, "byte": UInt8(1),
            "real": 1.1, "half": Float(0.5), "text": "häß", "part": "abc".dropFirst(), "empty": "",
            "data": Data([0, 255]), "date": date, "old": Date(timeIntervalSince1970: -1e9 + 0.25),
            "list": [1, "two", [3.5]] as [Any], "dictionary": ["a": ["b": Date(timeIntervalSinceReferenceDate: 0.125)]],
        ]
        let data = ApplicationData(userInfo)
        #expect(data.isPersistent)
        let found = try #require(ApplicationData(decoding: data.encoded).userInfo)
        #expect(found.count == userInfo.count)
        #expect(found["yes"] as? Bool == true && found["no"] as? Bool == false)
        #expect(found["one"] as? Int == 1 && found["one"] as? Int64 == 1 && found["one"] as? Double == 1)
        #expect(found["least"] as? Int == Int.min && found["most"] as? UInt64 == UInt64.max)
        #expect(found["byte"] as? Int == 1 && found["byte"] as? UInt8 == 1)
        #expect(found["real"] as? Double == 1.1 && found["half"] as? Float == 0.5)
        #expect(
            found["text"] as? String == "häß" && found["part"] as? String == "bc" && found["empty"] as? String == "")
        #expect(found["data"] as? Data == Data([0, 255]))
        #expect(found["date"] as? Date == date && found["old"] as? Date == Date(timeIntervalSince1970: -1e9 + 0.25))
        let list = try #require(found["list"] as? [Any])
        #expect(list[0] as? Int == 1 && list[1] as? String == "two" && list[2] as? [Double] == [3.5])
        let dictionary = found["dictionary"] as? [String: [String: Date]]
        #expect(dictionary?["a"]?["b"]?.timeIntervalSinceReferenceDate == 0.125)
        // Equal values give equal bytes, whatever the order of the dictionary.
        #expect(ApplicationData(found).encoded == data.encoded)
    }

    @Test("A dictionary is written in the order of its keys, and one with two equal keys is not read") func keys() {
        func text(_ name: String) -> [UInt8] { [UInt8(name.utf8.count), 0, 0, 0] + Array(name.utf8) }
        let encoded: [UInt8] = [1, 9, 2, 0, 0, 0] + text("a") + [1] + text("b") + [0]
        for _ in 0..<5 { #expect(ApplicationData(["b": false, "a": true]).encoded == encoded) }
        #expect(ApplicationData(decoding: encoded).userInfo?.count == 2)
        let twice: [UInt8] = [1, 9, 2, 0, 0, 0] + text("a") + [1] + text("a") + [0]
        #expect(ApplicationData(decoding: twice).userInfo == nil)
    }

    @Test("Two keys of one text, a String and an NSString, are both kept, in memory") func twoKeysOfOneText() {
        var userInfo: [AnyHashable: Any] = ["a": 1]
        userInfo[NSString("a")] = 2
        for userInfo in [userInfo, ["nested": userInfo]] {
            let data = ApplicationData(userInfo)
            // Apple systems take them for one key.
            #expect(data.isPersistent == (AnyHashable("a") == AnyHashable(NSString("a"))))
            #expect(data.userInfo?.count == userInfo.count)
        }
    }

    @Test("Containers of the shortest values at the end of the bytes come back, and none that lacks its last byte")
    func shortest() throws {
        for userInfo in [
            ["": false], ["a": ["": true]], ["a": [true, false, true]], ["a": ""], ["a": Data()], ["a": [] as [Any]],
            ["a": [:] as [String: Any]],
        ] as [[AnyHashable: Any]] {
            let encoded = ApplicationData(userInfo).encoded
            let found = try #require(ApplicationData(decoding: encoded).userInfo, "\(userInfo)")
            #expect(ApplicationData(found).encoded == encoded && found.count == 1)
            #expect(ApplicationData(decoding: encoded.dropLast()).userInfo == nil, "\(userInfo)")
        }
    }

    @Test("What the format cannot hold is told apart, and takes no time without end") func notPersistent() {
        // Each array is twice in the next.
        let many = (0..<40).reduce([1] as [Any]) { inner, _ in [inner, inner] }
        let deep = (0..<100).reduce([1] as [Any]) { inner, _ in [inner] }
        let others: [[AnyHashable: Any]] = [
            ["lock": NSLock()], ["none": Int?.none as Any], [1: "key"], ["set": Set([1])], ["null": NSNull()],
            ["never": Date(timeIntervalSinceReferenceDate: .nan)], ["many": many], ["deep": deep], ["keys": [1: 2]],
        ]
        for userInfo in others {
            let data = ApplicationData(userInfo)
            #expect(!data.isPersistent && data.encoded.isEmpty)
        }
        #expect(ApplicationData(nil).isPersistent && ApplicationData([:]).isPersistent)
    }

    @Test("Numbers, dates and texts come back to the bit") func toTheBit() throws {
        let reals: [Double] = [
            -0.0, 0.1 + 0.2, .leastNonzeroMagnitude, .greatestFiniteMagnitude, -.infinity, Double(1 << 53) + 2,
            .nan, 0x1.fffffep+127,
        ]
        for real in reals {
            let found = ApplicationData(decoding: ApplicationData(["n": real]).encoded).userInfo?["n"]
            #expect((found as? NSNumber)?.doubleValue.bitPattern == real.bitPattern, "\(real)")
        }
        for whole in [Int64.min, -1, (1 << 53) + 1, .max] {
            let found = ApplicationData(decoding: ApplicationData(["n": whole]).encoded).userInfo?["n"]
            #expect((found as? NSNumber)?.int64Value == whole)
        }
        for seconds in [-0.0, 0.1 + 0.2, 812_345_678.000_000_1, -1e17] {
            let date = Date(timeIntervalSinceReferenceDate: seconds)
            let found = ApplicationData(decoding: ApplicationData(["d": date]).encoded).userInfo?["d"]
            let back = (found as? Date)?.timeIntervalSinceReferenceDate.bitPattern
            #expect(back == seconds.bitPattern, "\(seconds)")
        }
        // Equal as text, of other bytes.
        for text in ["\u{E9}", "e\u{301}", "\0", "\u{FEFF}a", "\r\n"] {
            let found = ApplicationData(decoding: ApplicationData(["t": text]).encoded).userInfo?["t"]
            #expect((found as? String).map { Array($0.utf8) } == Array(text.utf8))
        }
    }

    @Test("A collection of Foundation's that contains itself is refused, and one that does not is encoded")
    func cycles() {
        let array = NSMutableArray()
        array.add(array)
        let dictionary = NSMutableDictionary()
        dictionary["self"] = NSArray(object: dictionary)
        let hidden: [Any] = [1, ["deep": NSArray(object: array)] as [String: Any]]
        let set = NSMutableArray()
        set.add(NSSet(object: set))
        for userInfo: [AnyHashable: Any] in [["a": array], ["d": dictionary], ["h": hidden], ["s": set]] {
            let data = ApplicationData(userInfo)
            #expect(!data.isPersistent && data.encoded.isEmpty)
        }
        let cache = ResponseCache(memoryCapacity: 1 << 20, diskCapacity: 0)
        let request = URLRequest(url: URL(string: "https://example.com/a")!)
        cache.storeCachedResponse(cached("hello", userInfo: ["a": array]), for: request)
        #expect(cache.cachedResponse(for: request)?.userInfo?["a"] as? NSMutableArray === array)

        let plain = NSArray(array: [1, NSDictionary(dictionary: ["two": NSArray(array: [2, "x"])])])
        let found = ApplicationData(decoding: ApplicationData(["p": plain]).encoded).userInfo?["p"] as? [Any]
        let inner = (found?.last as? [String: [Any]])?["two"]
        #expect(found?.first as? Int == 1 && inner?.first as? Int == 2 && inner?.last as? String == "x")
    }

    @Test("Damaged bytes give no userInfo, or one that the bytes say") func damage() {
        let encoded = ApplicationData(["a": [1, "b"] as [Any], "c": Data(count: 9), "d": ["e": Date()]]).encoded
        for count in encoded.indices { #expect(ApplicationData(decoding: Array(encoded[..<count])).userInfo == nil) }
        #expect(ApplicationData(decoding: encoded + [0]).userInfo == nil)
        for bytes: [UInt8] in [
            [0], [1], [2, 9, 0, 0, 0, 0], [1, 8, 0, 0, 0, 0], [1, 9, 255, 255, 255, 255], Array("bplist00".utf8),
            [1, 9, 1, 0, 0, 0, 1, 0, 0, 0, 0xFF, 0],
        ] { #expect(ApplicationData(decoding: bytes).userInfo == nil) }
        // Arrays in arrays, one level a five bytes: neither deep recursion nor much memory.
        let deep = [[1, 9, 1, 0, 0, 0, 0, 0, 0, 0]] + [[UInt8]](repeating: [8, 1, 0, 0, 0], count: 200_000)
        #expect(ApplicationData(decoding: Array(deep.joined())).userInfo == nil)
    }

    @Test("4,000 entries, each night 20,000, with altered metadata and right checksums are looked up without a trap")
    func alteredMetadata() async {
        await #expect(processExitsWith: .success) {
            let cache = ResponseCache(memoryCapacity: 1 << 20, diskCapacity: 0)
            let request = URLRequest(url: URL(string: "https://example.com/a?version=1")!)
            let date = Date(timeIntervalSinceReferenceDate: 1.5)
            cache.storeCachedResponse(
                cached(
                    "hello", fields: ["ETag": "\"a\"", "X-Long": "1, 2", "Date": "Sun, 06 Nov 1994 08:49:37 GMT"],
                    userInfo: ["n": 1, "list": [1.5, Data([1, 2]), date] as [Any], "in": ["yes": true]]), for: request)
            let key = Array(request.url!.absoluteString.utf8)
            let tiers = cache.store.tiers
            let hash = key.withUnsafeBytes { tiers.hasher.hash($0) }
            let whole = try #require(key.withUnsafeBytes { tiers.lookup($0, hash: hash) }).entry
            let metadata = whole.withMetadata { Array($0) }
            var generator = SplitMix(state: 16)
            var found = 0
            let rounds = nightly(20_000, else: 4_000)
            for round in 0..<rounds {
                var altered = metadata
                for _ in 0...round % 4 { generator.alter(&altered) }
                let made = StoredEntry(
                    key: ContiguousArray(key).span.bytes, hash: hash, metadata: ContiguousArray(altered).span.bytes,
                    body: ContiguousArray(key).span.bytes,
                    storedAt: 0,
                    policy: .allowed)
                let entry = try #require(made)
                tiers.store(entry)
                guard let response = cache.cachedResponse(for: request) else { continue }
                let head = response.response as? HTTPURLResponse
                found += (head?.allHeaderFields.count ?? 0) > 0 ? 1 : 0
                found += response.userInfo?.description.utf8.count ?? 0 > 0 ? 1 : 0
                #expect(response.data == Data(key))
            }
            #expect(found > rounds / 2)
        }
    }

    /// SplitMix64 (Steele, Lea and Flood 2014).
    private struct SplitMix {
        var state: UInt64

        mutating func next(below limit: Int) -> Int {
            state &+= splitMixStep
            return Int(splitMixed(state) % UInt64(limit))
        }

        /// Changes a bit, a byte or a number, takes bytes away, or doubles some.
        mutating func alter(_ bytes: inout [UInt8]) {
            guard bytes.count > 8 else { return }
            let at = next(below: bytes.count)
            switch next(below: 8) {
            case 0: bytes[at] ^= 1 << UInt8(next(below: 8))
            case 1: bytes[at] = UInt8(next(below: 16))
            case 2, 3: bytes[at] = UInt8(next(below: 256))
            case 4: bytes[at] = [0, 0x7F, 0x80, 0xFF][next(below: 4)]
            case 5:
                bytes.replaceSubrange(
                    at..<min(at + 8, bytes.count), with: repeatElement(0xFF, count: min(8, bytes.count - at)))
            case 6: bytes.remove(at: at)
            default: bytes.insert(contentsOf: bytes[at..<min(at + 4, bytes.count)], at: at)
            }
        }
    }
}
