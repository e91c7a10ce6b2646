import HTTPSemantics
import Platform
import Testing

/// A page of memory between two inaccessible ones: a parser that reads one byte beyond either end crashes the process.
private final class GuardedPage {
    private let start: UnsafeMutableRawPointer
    private let pageSize: Int

    init() throws {
        pageSize = Int(sysconf(Int32(_SC_PAGESIZE)))
        let pages = mmap(nil, 3 * pageSize, PROT_NONE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0)
        start = try #require(pages != MAP_FAILED ? pages : nil)
        try #require(mprotect(start + pageSize, pageSize, PROT_READ | PROT_WRITE) == 0)
    }

    deinit { munmap(start, 3 * pageSize) }

    /// Calls `body` with `bytes` at the end of the page, then at its start.
    func withBytes(_ bytes: ArraySlice<UInt8>, _ body: (RawSpan) -> Void) {
        for place in [start + 2 * pageSize - bytes.count, start + pageSize] {
            bytes.withUnsafeBytes {
                place.copyMemory(from: $0.baseAddress ?? UnsafeRawPointer(place), byteCount: $0.count)
            }
            body(RawSpan(_unsafeBytes: UnsafeRawBufferPointer(start: place, count: bytes.count)))
        }
    }
}

/// Calls every parser with the same bytes.
private func parseEverything(_ bytes: RawSpan) {
    let now: Int64 = 1_795_233_600
    _ = HTTPDate.parse(bytes, now: now)
    _ = CacheControl.parse(bytes)
    _ = EntityTag.parse(bytes)
    _ = EntityTagList.isAny(bytes)
    var tags = EntityTagList()
    while tags.next(in: bytes) != nil {}
    _ = Vary.parse(bytes)
    _ = Age.parse(bytes)
    _ = FieldDate.parse(bytes, now: now)
    _ = Pragma.isNoCache(bytes)
    _ = ContentLength.parse(bytes)
    _ = ByteRange.parse(bytes)
    var ranges = ByteRangeList()
    while ranges.next(in: bytes) != nil {}
    _ = ContentRange.parse(bytes)
    _ = IfRange.parse(bytes, now: now)
    _ = try? FieldBlock(parsing: bytes, now: now)
    _ = try? ResponseFieldValues.parse(bytes, now: now, limits: FieldBlockLimits(bytes: bytes.byteCount / 2))
}

@Suite("Parsers at page boundaries") struct BoundsTests {
    @Test("no prefix and no suffix of a value makes a parser read outside of it", arguments: BoundsRows.texts)
    func truncated(text: String) throws {
        let page = try GuardedPage()
        let bytes = Array(text.utf8)
        for end in 0...bytes.count {
            page.withBytes(bytes[..<end], parseEverything)
            page.withBytes(bytes[end...], parseEverything)
        }
    }

    @Test("no change of bytes makes a parser read outside of its value, or trap")
    func changed() throws {
        let page = try GuardedPage()
        var state: UInt64 = 0x9E37_79B9_7F4A_7C15
        func next(below bound: Int) -> Int {
            state ^= state << 13
            state ^= state >> 7
            state ^= state << 17
            return Int(state % UInt64(bound))
        }
        let delimiters = Array(",=\"\\ \t\r\n\0:;/-*0123456789Ww".utf8)
        for _ in 0..<5_000 {
            var bytes = Array(BoundsRows.texts[next(below: BoundsRows.texts.count)].utf8)
            for _ in 0...next(below: 4) {
                let byte = next(below: 4) == 0 ? UInt8(next(below: 256)) : delimiters[next(below: delimiters.count)]
                bytes[next(below: bytes.count)] = byte
            }
            page.withBytes(bytes[next(below: bytes.count)...], parseEverything)
        }
    }

    @Test(
        "256 KiB of the same few bytes is read in linear time",
        arguments: [
            "a", ",", "\"", "\\", "=", " ", "0", "-", "\"a\",", "a=\"b\",", "max-age=1,", "A: b\r\n", "x=\"",
            "bytes=1-2,",
        ])
    func long(text: String) {
        // A quadratic parser would take hours.
        let bytes = Array(String(repeating: text, count: 262_144 / text.utf8.count).utf8)
        parseEverything(ContiguousArray(bytes).span.bytes)
        let limits = FieldBlockLimits(bytes: .max, lineBytes: .max, lines: .max)
        _ = try? ResponseFieldValues.parse(ContiguousArray(bytes).span.bytes, now: 0, limits: limits)
        parseEverything(ContiguousArray(Array("Cache-Control: ".utf8) + bytes + Array("\r\n\r\n".utf8)).span.bytes)
    }
}

private enum BoundsRows {
    static let texts = [
        "Sun, 06 Nov 1994 08:49:37 GMT", "Wednesday, 06-Nov-94 08:49:37 GMT", "Sun Nov  6 08:49:37 1994",
        "public, max-age=31536000, immutable", "private, no-cache=\"Set-Cookie, X-\\\"Y\", s-maxage=\"12345678901\"",
        "stale-while-revalidate=86400, stale-if-error=1234567, proxy-revalidate, must-understand ,max-age=00000000000",
        "max-age=12345678, max-age=123456789, x=\"unclosed \\", "W/\"weak\", \"strong\", W/\"\"",
        "Accept-Encoding, *, a",
        "bytes=0-499, -500, 9500-", "bytes 0-499/1234", "7200, 0", "*",
        "Date: Sun, 06 Nov 1994 08:49:37 GMT\r\nCache-Control:max-age=1\r\nETag: \"x\"\r\nContent-Location: /\r\nA: \r\n\r\n",
        "Cache-Control: x=\"open\r\nCache-Control: no-store\"\r\nX-A-Name-Of-More-Than-16-Bytes: y\r\n",
    ]
}
