import Foundation
import Testing

@testable import GaugeTraces

@Suite("Request URLs") struct RequestURLsTests {
    @Test("no two keys share host and path")
    func noTwoKeysShareHostAndPath() throws {
        let urls = RequestURLs(seed: 1)
        var seen: Set<Substring> = []
        for key in 0..<20_000 { seen.insert(urls.url(for: UInt64(key)).split(separator: "?")[0]) }
        #expect(seen.count == 20_000)
        #expect(urls.url(for: .max).contains("ffffffffffffffff"))
    }

    @Test("URLs have the stated length and are reproducible")
    func urlsAreOfTheStatedLengthAndReproducible() throws {
        for key in 0..<2000 {
            let url = RequestURLs(seed: 5).url(for: UInt64(key))
            #expect(url == RequestURLs(seed: 5).url(for: UInt64(key)))
            #expect((50...94).contains(url.utf8.count), "\(url)")
            #expect(URL(string: url)?.absoluteString == url)
        }
    }
}
