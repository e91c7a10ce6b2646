import GaugeTraces
import LoopbackOrigin
import Platform
import URLCaching

/// Bodies that are decoded, or wait in a file.
enum BodyCases {
    static let all: [Case] =
        [
            coded("gzip", "gzip", file, .status(200)),
            coded("gzip in two files", "gzip", file + file, .status(200)),
            coded("gzip, cut", "gzip", file.dropLast(9), .error(.networkConnectionLost)),
            coded("gzip, damaged", "gzip", damaged, .error(.cannotDecodeContentData)),
            coded("deflate", "deflate", [0x78, 1] + stored + [0, 6, 0, 4], .status(200)),
            coded("deflate without a header", "deflate", stored, .status(200)),
            coded("deflate, cut", "deflate", [0x78, 1] + stored.dropLast(2), .error(.networkConnectionLost)),
            coded(
                "too long when decoded", "gzip", gzip([UInt8](repeating: 7, count: 60_000)),
                .error(.dataLengthExceedsMaximum)),
            Case("body/an inflater") { _ in
                {
                    for format in [Inflater.Format.gzip, .zlib, .rawDeflate] {
                        guard let inflater = Inflater(format) else { throw Unexpected("no zlib") }
                        var room = [UInt8](repeating: 0, count: 100)
                        _ = file.withUnsafeBytes { file in
                            room.withUnsafeMutableBytes { try? inflater.inflate(file, into: $0) }
                        }
                    }
                }
            },
            trace("a compressed trace", gzip(Array(lines.utf8)), isWhole: true),
            trace("a trace in two files", gzip(Array(lines.utf8)) + gzip(Array("4\n".utf8)), isWhole: true),
            trace("a cut trace", gzip(Array(lines.utf8)).dropLast(9), isWhole: false),
            trace("a plain trace", Array(lines.utf8), isWhole: true),
            trace("a damaged trace", Array("key,size\n1,x\n".utf8), isWhole: false),
        ] + waiting

    private static let lines = "key\n1\n2\n3\n"
    private static let file = gzip(Array("hello, hello".utf8))
    /// A last block of deflate that is stored, of a zero and a one byte: RFC 1951, section 3.2.4.
    private static let stored: [UInt8] = [1, 2, 0, 0xFD, 0xFF, 1, 2]
    private static let damaged: [UInt8] = Array(file.prefix(10)) + [7, 7, 7, 7, 7]

    private static func coded(
        _ name: String, _ coding: String, _ bytes: some Sequence<UInt8>, _ expected: Bench.Expected
    ) -> Case {
        let bytes = Array(bytes)
        return Case("body/\(name)") { _ in
            let bench = try Bench({ $0.largestDecodedBody = 50_000 }) { _, _ in
                OriginReply([("Content-Encoding", coding)], body: bytes)
            }
            return { try await bench.expect(expected, bench.request()) }
        }
    }

    private static func trace(_ name: String, _ bytes: some Sequence<UInt8>, isWhole: Bool) -> Case {
        let bytes = Data(Array(bytes))
        return Case("body/\(name)") { directory in
            let path = directory + "/trace"
            try bytes.write(to: URL(filePath: path))
            return {
                var isReadWhole = true
                do {
                    var reader = try TraceReader(try TraceInput(path: path))
                    while try reader.next() != nil {}
                } catch {
                    isReadWhole = false
                }
                try require(isReadWhole == isWhole, "\(isReadWhole)")
                try require((try? TraceInput(path: directory + "/nothing")) == nil, "opened")
            }
        }
    }

    // MARK: Spilled

    /// URLSession's bodies, which wait in a file where they come faster than they are read.
    private static let waiting: [Case] = [
        spilled("spilled and read") { parts in while try await parts.next() != nil {} },
        spilled("spilled and dropped") { _ in },
    ]

    private static let length = 4 << 20

    private static func spilled(
        _ name: String, _ read: @escaping @Sendable (inout ResponseBody.Iterator) async throws -> Void
    ) -> Case {
        Case("body/\(name)") { _ in
            let sent = Shared<AsyncStream<Void>.Continuation?>(nil)
            let bench = try Bench({ $0.carrier = .urlSession }) { _, _ in
                var reply = OriginReply(body: [UInt8](repeating: 1, count: length))
                reply.onSent = { sent.value.withLock { $0 }?.finish() }
                return reply
            }
            return {
                let (end, finish) = AsyncStream<Void>.makeStream()
                sent.value.withLock { $0 = finish }
                do {
                    var parts = try await bench.session.bytes(for: bench.request()).0.makeAsyncIterator()
                    _ = try await parts.next()
                    for await _ in end {}
                    try await read(&parts)
                }
                await bench.quiet()
            }
        }
    }
}
