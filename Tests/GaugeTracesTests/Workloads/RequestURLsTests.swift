import Foundation
import Testing

@testable import GaugeSupport
@testable import GaugeTraces

@Suite("Request URLs") struct RequestURLsTests {
    @Test("no two keys share host and path") func noTwoKeysShareHostAndPath() throws {
        let urls = RequestURLs(seed: 1)
        var seen: Set<Substring> = []
        for key in 0..<20_000 { seen.insert(urls.url(for: UInt64(key)).split(separator: "?")[0]) }
        #expect(seen.count == 20_000)
        #expect(urls.url(for: .max).contains("ffffffffffffffff"))
    }

    @Test("URLs have the stated length and are reproducible") func urlsAreOfTheStatedLengthAndReproducible() throws {
        for key in 0..<2000 {
            let url = RequestURLs(seed: 5).url(for: UInt64(key))
            #expect(url == RequestURLs(seed: 5).url(for: UInt64(key)))
            #expect((50...94).contains(url.utf8.count), "\(url)")
            #expect(URL(string: url)?.absoluteString == url)
        }
    }

    @Test("URLs are made of their parts, and their length is known before") func parts() {
        func hex(_ value: UInt64) -> String {
            let text = String(value, radix: 16)
            return String(repeating: "0", count: max(0, 8 - text.count)) + text
        }
        let urls = RequestURLs(seed: 7)
        let hosts = ["www.shop.example", "cdn.shop.example", "img-1.static.example", "img-2.static.example"]
        for key in (0..<3_000).map({ UInt64($0) }) + (0..<300).map({ UInt64.max >> UInt64($0 % 64) &- UInt64($0) }) {
            let bits = SplitMix64.mix(urls.seed ^ key)
            let (id, salt) = (hex(key), hex(bits >> 32))
            let path =
                switch (bits >> 2) % 8 {
                case 0, 1, 2: "images/products/\(salt.prefix(2))/\(id)-\(salt).jpg"
                case 3, 4: "images/thumbnails/\(salt.prefix(2))/\(id)-\(salt).webp?w=320&dpr=2"
                case 5: "static/js/chunk-\(id).\(salt).js"
                case 6: "static/css/\(id).css?my_current_version=v1.\(bits >> 60).\((bits >> 56) & 15)"
                default: "api/v2/items/\(id)/detail.json?lang=en&fields=name,price,stock"
                }
            let url = urls.url(for: key)
            #expect(url == "https://\(hosts[Int(bits & 3)])/\(path)")
            #expect(urls.count(of: key) == url.utf8.count)
        }
    }
}
