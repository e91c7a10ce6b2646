import HTTPAgreement
import HTTPSemantics
import Testing

@Suite("Agreement on field blocks") struct FieldBlockAgreementTests {
    @Test("both readings of a field block agree on many inputs") func bothReadingsOfAFieldBlockAgreeOnManyInputs() {
        expectAgreement(on: "field block", seed: 0xB10C, make: Self.block) { maker, input in
            // One block in ten is near a limit.
            let limits =
                maker.chance(90)
                ? FieldBlockLimits()
                : FieldBlockLimits(bytes: 1 + maker.below(160), lineBytes: 1 + maker.below(50), lines: maker.below(5))
            return .fieldBlock(input, limits: limits, now: 1_795_219_200)
        }
    }

    private static func block(_ maker: inout InputMaker) -> [UInt8] {
        var block: [UInt8] = []
        for _ in 0..<(1 + maker.below(3)) {
            var line = maker.pick(lines)
            if maker.chance(10) { maker.recase(&line) }
            block += line + (maker.chance(99) ? lineEnd : maker.pick(oddEnds))
        }
        if maker.chance(60) { block += lineEnd }
        if maker.chance(5) { block += maker.pick(lines) }
        if maker.chance(15) { maker.mutate(&block) }
        return block
    }

    private static let lineEnd = [UInt8]("\r\n".utf8)
    private static let oddEnds = words("\n", "\r", "\r\n ", "\r\n\t", "", "\r\r\n", "\u{0}\r\n")
    private static let lines = words(
        "Cache-Control: max-age=3600", "Cache-Control:public,max-age=5 ", "cache-control: no-cache=\"Set-Cookie\"",
        "Cache-Control: x=\"a", "Cache-Control:", "Date: Sun, 06 Nov 1994 08:49:37 GMT", "Date: x",
        "Expires: Sun Nov  6 08:49:37 1994", "Expires: 0", "Last-Modified: Sunday, 06-Nov-94 08:49:37 GMT",
        "Last-Modified:",
        "Age: 12", "Age: ,", "ETag: \"a\"", "ETag: W/\"b\"", "ETag: c", "ETag:", "Vary: Accept", "Vary: *", "Vary: a b",
        "Vary:",
        "Pragma: no-cache", "Pragma: x", "Content-Length: 12", "Content-Length: 13", "Content-Length: a",
        "Content-Range: bytes 0-1/2", "Content-Range: x", "Accept-Ranges: bytes", "Accept-Ranges: none",
        "Accept-Ranges: a, Bytes",
        "X-Custom_Name!: \t value \t", "Content-Type: text/html", "Set-Cookie: a=b; c", "Location: /a",
        "Content-Location: b",
        "a:b", "Name : value", ": value", "no colon", "Na me: v", "Server:\u{e9}", "Connection: close",
        "Transfer-Encoding: gzip")
}
