import GaugeSupport

/// URLs like those that pages request, one for each key id: a few hosts, a directory by kind, a name that contains the
/// id, and for some a query with a version or a width. From 50 to 94 bytes, already canonical.
///
/// No two ids share a URL, or even host and path: a cache that omits the query from its key returns wrong versions, not
/// wrong objects.
public struct RequestURLs: Sendable {
    package let seed: UInt64

    /// The URLs of one seed, which selects the kind and the host of each id.
    @usableFromInline package init(seed: UInt64 = 0) { self.seed = SplitMix64.derive(seed, "urls") }

    /// The URL of a key.
    @usableFromInline package func url(for key: UInt64) -> String {
        let bits = SplitMix64.mix(seed ^ key)
        let host = "https://\(Self.hosts[Int(bits & 3)])"
        let id = Self.hex(key, digits: 8)
        let salt = Self.hex(bits >> 32, digits: 8)
        switch (bits >> 2) % 8 {
        case 0, 1, 2: return "\(host)/images/products/\(salt.prefix(2))/\(id)-\(salt).jpg"
        case 3, 4: return "\(host)/images/thumbnails/\(salt.prefix(2))/\(id)-\(salt).webp?w=320&dpr=2"
        case 5: return "\(host)/static/js/chunk-\(id).\(salt).js"
        case 6: return "\(host)/static/css/\(id).css?my_current_version=v1.\(bits >> 60).\((bits >> 56) & 15)"
        default: return "\(host)/api/v2/items/\(id)/detail.json?lang=en&fields=name,price,stock"
        }
    }

    /// Bytes of the URL of a key, found without making it.
    package func count(of key: UInt64) -> Int {
        let bits = SplitMix64.mix(seed ^ key)
        let digits = max(8, (67 - (key | 1).leadingZeroBitCount) / 4)
        let known = "https://".utf8.count + Self.hosts[Int(bits & 3)].utf8.count + digits
        switch (bits >> 2) % 8 {
        case 0, 1, 2: return known + "/images/products/ss/-ssssssss.jpg".utf8.count
        case 3, 4: return known + "/images/thumbnails/ss/-ssssssss.webp?w=320&dpr=2".utf8.count
        case 5: return known + "/static/js/chunk-.ssssssss.js".utf8.count
        case 6:
            let numbers = (bits >> 60 >= 10 ? 2 : 1) + ((bits >> 56) & 15 >= 10 ? 2 : 1)
            return known + "/static/css/.css?my_current_version=v1..".utf8.count + numbers
        default: return known + "/api/v2/items//detail.json?lang=en&fields=name,price,stock".utf8.count
        }
    }

    private static let hosts = [
        "www.shop.example", "cdn.shop.example", "img-1.static.example", "img-2.static.example",
    ]

    /// At least `digits` hexadecimal digits, more where the value needs them.
    private static func hex(_ value: UInt64, digits: Int) -> String {
        let text = String(value, radix: 16)
        return text.utf8.count >= digits ? text : String(repeating: "0", count: digits - text.utf8.count) + text
    }
}
