import Testing

@testable import GaugeSupport

@Suite("Numbers in ASCII") struct DecimalTextTests {
    @Test(
        "a whole number has digits alone, no leading zero, and fits into 64 bits",
        arguments: [
            ("0", 0), ("7", 7), ("10", 10), ("18446744073709551615", .max), ("18446744073709551616", nil),
            ("99999999999999999999", nil), ("184467440737095516150", nil), ("", nil), ("00", nil), ("01", nil),
            ("+1", nil), ("-1", nil), ("1 ", nil), ("1/", nil), ("1:", nil),
        ] as [(String, UInt64?)])
    func integers(text: String, number: UInt64?) { #expect(DecimalText.integer(ArraySlice(text.utf8)) == number) }

    @Test(
        "a number with a point begins with a digit and has at most 40 characters",
        arguments: [
            ("1.5", 1.5), ("007", 7), ("1700000000.123456", 1_700_000_000.123456), (".5", nil), ("", nil), ("-1", nil),
            ("1e3", nil), ("1.2.3", nil), ("nan", nil), (String(repeating: "0", count: 39) + "1", 1),
            (String(repeating: "0", count: 40) + "1", nil),
        ] as [(String, Double?)])
    func numbers(text: String, number: Double?) { #expect(DecimalText.number(ArraySlice(text.utf8)) == number) }
}
