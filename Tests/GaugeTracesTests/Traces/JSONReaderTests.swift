import Testing

@testable import GaugeSupport
@testable import GaugeTraces

@Suite("JSON reader") struct JSONReaderTests {
    private func error(_ text: String) -> String? {
        do {
            _ = try JSONReader.read(Array(text.utf8))
            return nil
        } catch { return "\(error)" }
    }

    @Test(
        "what is JSON is read",
        arguments: [
            "{}", "[]", " \n{\"a\" : [1, -0.5e+3, true, false, null, \"x\"]}\r\t", "\"\\u00e9\\ud83d\\ude00\\n\\/\"",
            "0",
        ])
    func valid(text: String) { #expect(error(text) == nil) }

    @Test("the mark of UTF-8 at the beginning is passed over, and counts as no column") func byteOrderMark() {
        #expect(error("\u{FEFF}{}") == nil && error("\u{FEFF}[1 2]") == error("[1 2]"))
        #expect(error("\u{FEFF}\u{FEFF}{}") != nil && error("{}\u{FEFF}") != nil)
    }

    @Test(
        "what is no JSON is refused with line and column",
        arguments: [
            ("", "line 1, column 1: not JSON: the document ends where a value is expected"),
            ("{\"a\":1,}", "line 1, column 8: not JSON: a name in"),
            ("[1 2]", "line 1, column 4: not JSON: ',' or ']' is expected here"),
            ("{\"a\" 1}", "column 6: not JSON: ':' is expected here"),
            ("[1]\n x", "line 2, column 2: not JSON: something follows the document"),
            ("01", "column 2: not JSON: something follows"), ("-", "a digit is expected here"),
            ("1.", "a digit is expected here"),
            ("+1", "a value is expected here"), ("tru", "'true' is expected here"), ("NaN", "a value is expected here"),
            ("\"a", "this text has no closing"), ("\"a\nb\"", "a control character in a text"),
            ("\"\\x\"", "this escape is unknown"), ("\"\\ud800\"", "half a surrogate pair"),
            ("\"\\ud800\\u0041\"", "half a surrogate pair"), ("\"\\udc00\"", "half a surrogate pair"),
            ("\"\\udc00\\udc00\"", "half a surrogate pair"),
            ("\"\\u12g4\"", "four hexadecimal digits"), ("1e999", "is too large"),
            ("{\"a\":1,\n\"a\":2}", "line 2, column 1: 'a' appears a second time"),
        ])
    func invalid(text: String, message: String) throws {
        let told = try #require(error(text))
        #expect(told.contains(message), "\(told)")
    }

    @Test("length, depth, and the length of texts and numbers are bounded") func bounds() throws {
        #expect(error(String(repeating: " ", count: 65_536) + "1")?.contains("at most 65536 are taken") == true)
        let deep = { (depth: Int) in String(repeating: "[", count: depth) + String(repeating: "]", count: depth) }
        #expect(error(deep(16)) == nil)
        #expect(error(deep(17))?.contains("nested more than 16 deep") == true)
        #expect(error("\"" + String(repeating: "x", count: 5_000) + "\"")?.contains("longer than 4096 bytes") == true)
        #expect(error(String(repeating: "1", count: 65))?.contains("longer than 64 bytes") == true)
        #expect(throws: JSONError.self) { try JSONReader.read([0x22, 0xFF, 0x22]) }
    }
}
