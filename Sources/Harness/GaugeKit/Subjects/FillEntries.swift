/// What a subject is filled with before it is measured: URLs with their bodies, made as they are asked for.
public struct FillEntries {
    /// The ids, in the order of storing: the last one is the one that an LRU cache keeps longest.
    public let keys: [UInt64]
    /// Bytes of all bodies together.
    public let bodyBytes: Int
    let urls: RequestURLs
    let size: (UInt64) -> Int
    let longest: Int

    /// The first version of each of `keys`.
    ///
    /// - Parameters:
    ///   - keys: the ids, in the order of storing.
    ///   - urls: gives each its URL.
    ///   - size: gives each the length of its body.
    public init(_ keys: [UInt64], urls: RequestURLs, size: @escaping (UInt64) -> Int) {
        self.keys = keys
        self.urls = urls
        self.size = size
        bodyBytes = keys.reduce(0) { $0 + size($1) }
        longest = keys.reduce(0) { max($0, size($1)) }
    }

    /// How many entries there are.
    public var count: Int { keys.count }

    /// Calls `store` with each entry in turn.
    ///
    /// - Parameter store: the body's bytes are valid for the length of the call.
    public func forEach(_ store: (_ url: String, _ body: UnsafeRawBufferPointer) throws -> Void) rethrows {
        let buffer = PayloadBuffer(capacity: longest)
        for key in keys { try store(urls.url(for: key), buffer.body(key: key, version: 1, count: size(key))) }
    }

    /// Those stored last, as many as fit into a number of bytes.
    ///
    /// - Parameter overhead: bytes that each needs beside its body.
    public func newest(within capacity: Int, overhead: Int) -> FillEntries {
        var left = capacity
        let newest = keys.reversed().prefix { key in
            left -= size(key) + overhead
            return left >= 0
        }
        return FillEntries(newest.reversed(), urls: urls, size: size)
    }
}
