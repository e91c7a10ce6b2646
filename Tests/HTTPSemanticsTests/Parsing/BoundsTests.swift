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

    /// Expects that `bytes` read the same at the end of the page and at its start, where older bytes follow, as they do
    /// elsewhere.
    func expectSame(_ bytes: ArraySlice<UInt8>) {
        let elsewhere = Readings(ContiguousArray(bytes).span.bytes)
        for place in [start + 2 * pageSize - bytes.count, start + pageSize] {
            bytes.withUnsafeBytes {
                place.copyMemory(from: $0.baseAddress ?? UnsafeRawPointer(place), byteCount: $0.count)
            }
            let here = Readings(RawSpan(_unsafeBytes: UnsafeRawBufferPointer(start: place, count: bytes.count)))
            #expect(here == elsewhere, "\(String(decoding: bytes, as: UTF8.self))")
        }
    }
}

/// What every parser reads from the same bytes.
private struct Readings: Equatable {
    let date: Int64?
    let cacheControl: CacheControl
    let entityTag: EntityTag?
    let isAnyTag: Bool
    var tags: [EntityTag] = []
    let vary: Vary
    let age: DeltaSeconds
    let fieldDate: FieldDate
    let isNoCache: Bool
    let contentLength: ContentLength
    let range: ByteRange?
    var ranges: [ByteRange] = []
    let contentRange: ContentRange?
    let ifRange: IfRange?
    let lines: [FieldBlock.Line]?
    let values: ResponseFieldValues?
    let limited: ResponseFieldValues?

    init(_ bytes: RawSpan) {
        let now: Int64 = 1_795_233_600
        date = HTTPDate.parse(bytes, now: now)
        cacheControl = CacheControl.parse(bytes)
        entityTag = EntityTag.parse(bytes)
        isAnyTag = EntityTagList.isAny(bytes)
        vary = Vary.parse(bytes)
        age = Age.parse(bytes)
        fieldDate = FieldDate.parse(bytes, now: now)
        isNoCache = Pragma.isNoCache(bytes)
        contentLength = ContentLength.parse(bytes)
        range = ByteRange.parse(bytes)
        contentRange = ContentRange.parse(bytes)
        ifRange = IfRange.parse(bytes, now: now)
        let block = try? FieldBlock(parsing: bytes, now: now)
        lines = block?.lines
        values = block?.values
        limited = try? ResponseFieldValues.parse(bytes, now: now, limits: FieldBlockLimits(bytes: bytes.byteCount / 2))
        var tagList = EntityTagList()
        while let tag = tagList.next(in: bytes) { tags.append(tag) }
        var rangeList = ByteRangeList()
        while let range = rangeList.next(in: bytes) { ranges.append(range) }
    }
}

@Suite("Parsers at page boundaries") struct BoundsTests {
    @Test("no prefix and no suffix of a value makes a parser read outside of it", arguments: BoundsRows.texts)
    func truncated(text: String) throws {
        let page = try GuardedPage()
        let bytes = Array(text.utf8)
        for end in 0...bytes.count {
            page.expectSame(bytes[..<end])
            page.expectSame(bytes[end...])
        }
    }

    @Test("no change of bytes makes a parser read outside of its value, or trap") func changed() throws {
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
            page.expectSame(bytes[next(below: bytes.count)...])
        }
    }

    @Test(
        "256 KiB of the same few bytes is read in linear time",
        arguments: [
            "a", ",", "\"", "\\", "=", " ", "0", "-", "\"a\",", "a=\"b\",", "max-age=1,", "A: b\r\n", "x=\"",
            "bytes=1-2,",
        ])
    func long(text: String) {
        func nanoseconds(_ count: Int) -> UInt64 {
            let bytes = ContiguousArray(String(repeating: text, count: count / text.utf8.count).utf8)
            let field = ContiguousArray("Cache-Control: ".utf8) + bytes + ContiguousArray("\r\n\r\n".utf8)
            let limits = FieldBlockLimits(bytes: .max, lineBytes: .max, lines: .max)
            let start = threadCPUNanoseconds()
            _ = Readings(bytes.span.bytes)
            _ = try? ResponseFieldValues.parse(bytes.span.bytes, now: 0, limits: limits)
            _ = Readings(field.span.bytes)
            return threadCPUNanoseconds() - start
        }
        let short = min(nanoseconds(16_384), nanoseconds(16_384), nanoseconds(16_384))
        // 16 times as many bytes take a quadratic parser 256 times as long.
        #expect(nanoseconds(262_144) < 64 * short)
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
