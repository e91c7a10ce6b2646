import HTTPCache

extension ResponseBody {
    /// The body as text, line by line, as `URLSession.AsyncBytes.lines`: a line ends at LF, CR or CR LF, and empty
    /// lines are left out. Bytes that are not UTF-8 become U+FFFD.
    public var lines: ResponseLines { ResponseLines(body: self) }
}

/// The lines of a body.
public struct ResponseLines: AsyncSequence, Sendable {
    /// Bytes that a line may have; a longer one ends the iteration with `dataLengthExceedsMaximum`. 16 MiB.
    public static let longestLine = 16 << 20

    let body: ResponseBody

    /// Begins where the last reader of the body stopped.
    public func makeAsyncIterator() -> Iterator { Iterator(parts: body.makeAsyncIterator()) }

    /// Reads the lines.
    public struct Iterator: AsyncIteratorProtocol {
        private var parts: ResponseBody.Iterator
        private var rest: [UInt8] = []
        private var place = 0
        private var isAtEnd = false

        init(parts: ResponseBody.Iterator) { self.parts = parts }

        /// The next line, without its end; `nil` after the last.
        public mutating func next() async throws -> String? {
            var searched = place
            while true {
                if let end = rest[searched...].firstIndex(where: { $0 == 10 || $0 == 13 }) {
                    defer { place = end + 1 }
                    if end > place { return String(decoding: rest[place..<end], as: UTF8.self) }
                    searched = end + 1
                    place = end + 1
                    continue
                }
                guard !isAtEnd else {
                    defer { (rest, place) = ([], 0) }
                    return place < rest.count ? String(decoding: rest[place...], as: UTF8.self) : nil
                }
                rest.removeFirst(place)
                (searched, place) = (rest.count, 0)
                guard rest.count <= ResponseLines.longestLine else {
                    throw URLError(
                        .dataLengthExceedsMaximum, url: "",
                        "a line is longer than \(ResponseLines.longestLine) bytes; read the parts of the body instead")
                }
                if let part = try await parts.next() { rest.append(contentsOf: part) } else { isAtEnd = true }
            }
        }
    }
}
