// Invariant of the pointers: a URL is written from the front of a buffer that the string lends, at most 102 bytes of
// its 128. Debug builds check each index.

import GaugeSupport

/// URLs like those of web pages, one for each key id: a few hosts, a directory by kind, a name with the id, and for
/// some a query with a version or a width. From 50 to 94 bytes, already canonical.
///
/// No two ids share a URL, or even host and path: a cache that leaves the query out of its key returns wrong versions,
/// not wrong objects.
public struct RequestURLs: Sendable {
    package let seed: UInt64

    /// The URLs of one seed, which selects kind and host of each id.
    @usableFromInline package init(seed: UInt64 = 0) { self.seed = SplitMix64.derive(seed, "urls") }

    /// The URL of a key. About 60 ns.
    @usableFromInline package func url(for key: UInt64) -> String {
        let bits = SplitMix64.mix(seed ^ key)
        return String(unsafeUninitializedCapacity: URLText.capacity) { bytes in
            var text = URLText(bytes)
            text.append("https://")
            text.append(Self.host(bits))
            let salt = bits >> 32
            switch (bits >> 2) % 8 {
            case 0, 1, 2:
                text.append("/images/products/")
                text.appendSalted(key, salt)
                text.append(".jpg")
            case 3, 4:
                text.append("/images/thumbnails/")
                text.appendSalted(key, salt)
                text.append(".webp?w=320&dpr=2")
            case 5:
                text.append("/static/js/chunk-")
                text.append(hex: key, digits: 8)
                text.append(".")
                text.append(hex: salt, digits: 8)
                text.append(".js")
            case 6:
                text.append("/static/css/")
                text.append(hex: key, digits: 8)
                text.append(".css?my_current_version=v1.")
                text.append(upTo15: bits >> 60)
                text.append(".")
                text.append(upTo15: bits >> 56 & 15)
            default:
                text.append("/api/v2/items/")
                text.append(hex: key, digits: 8)
                text.append("/detail.json?lang=en&fields=name,price,stock")
            }
            return text.count
        }
    }

    /// Bytes of a key's URL, without making it.
    package func count(of key: UInt64) -> Int {
        let bits = SplitMix64.mix(seed ^ key)
        let digits = max(8, (67 - (key | 1).leadingZeroBitCount) / 4)
        let known = "https://".utf8.count + Self.host(bits).utf8CodeUnitCount + digits
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

    private static func host(_ bits: UInt64) -> StaticString {
        switch bits & 3 {
        case 0: "www.shop.example"
        case 1: "cdn.shop.example"
        case 2: "img-1.static.example"
        default: "img-2.static.example"
        }
    }
}

private struct URLText {
    /// More than the longest URL has.
    static let capacity = 128

    private let bytes: UnsafeMutableBufferPointer<UInt8>
    private(set) var count = 0

    init(_ bytes: UnsafeMutableBufferPointer<UInt8>) { self.bytes = bytes }

    @inline(__always)
    mutating func append(_ text: StaticString) {
        let text = UnsafeBufferPointer(start: text.utf8Start, count: text.utf8CodeUnitCount)
        _ = UnsafeMutableBufferPointer(rebasing: bytes[count...]).update(fromContentsOf: text)
        count += text.count
    }

    /// A folder named by the salt, and in it a file named by key and salt.
    mutating func appendSalted(_ key: UInt64, _ salt: UInt64) {
        append(hex: salt >> 24, digits: 2)
        append("/")
        append(hex: key, digits: 8)
        append("-")
        append(hex: salt, digits: 8)
    }

    /// Hexadecimal digits: `digits` of them, or more if the value needs them.
    mutating func append(hex value: UInt64, digits: Int) {
        let digits = max(digits, (67 - (value | 1).leadingZeroBitCount) / 4)
        var left = value
        for place in (count..<count + digits).reversed() {
            let digit = UInt8(truncatingIfNeeded: left & 15)
            // From 10 on, 39 more: from the character after 9 to a.
            bytes[place] = UInt8(ascii: "0") + digit + (9 &- digit) >> 7 &* 39
            left >>= 4
        }
        count += digits
    }

    /// A number in decimal digits.
    mutating func append(upTo15 value: UInt64) {
        if value >= 10 { append("1") }
        bytes[count] = UInt8(ascii: "0") + UInt8(value % 10)
        count += 1
    }
}
