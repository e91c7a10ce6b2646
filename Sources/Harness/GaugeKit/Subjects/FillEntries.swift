import GaugeTraces

/// The entries that fill a subject before it is measured: URLs with their bodies, made on demand.
public struct FillEntries {
    /// The ids in the order of storing; an LRU cache keeps the last one longest.
    @usableFromInline package let keys: [UInt64]
    /// Total bytes of all bodies.
    @usableFromInline package let bodyBytes: Int
    package let urls: RequestURLs
    package let size: (UInt64) -> Int
    package let longest: Int
    /// When filling is given up, seconds.
    package let seconds: Double

    /// The first version of each of `keys`.
    ///
    /// - Parameters:
    ///   - keys: the ids, in the order of storing.
    ///   - urls: the ids' URLs.
    ///   - seconds: when filling is given up.
    ///   - size: the length of an id's body.
    @usableFromInline package init(
        _ keys: [UInt64], urls: RequestURLs, seconds: Double = .infinity, size: @escaping (UInt64) -> Int
    ) {
        (self.seconds, self.keys, self.urls, self.size) = (seconds, keys, urls, size)
        bodyBytes = keys.reduce(0) { $0 + size($1) }
        longest = keys.reduce(0) { max($0, size($1)) }
    }

    @usableFromInline package var count: Int { keys.count }

    /// Calls `store` with each entry in turn.
    ///
    /// - Parameter store: receives an entry; the body's bytes are valid only during the call.
    public func forEach(_ store: (_ url: String, _ body: UnsafeRawBufferPointer) throws -> Void) rethrows {
        let buffer = PayloadBuffer(capacity: longest)
        for key in keys { try store(urls.url(for: key), buffer.body(key: key, version: 1, count: size(key))) }
    }

    /// The last entries that fit into so many bytes.
    ///
    /// - Parameter overhead: bytes that each entry needs beside its body.
    @usableFromInline package func newest(within capacity: Int, overhead: Int) -> FillEntries {
        var left = capacity
        let newest = keys.reversed().prefix { key in
            left -= size(key) + overhead
            return left >= 0
        }
        return FillEntries(newest.reversed(), urls: urls, seconds: seconds, size: size)
    }
}
