import Testing

@testable import GaugeSupport

@Suite("Dates of HTTP") struct HTTPDateTextTests {
    @Test(
        "a moment is written as RFC 9110, 5.6.7 says",
        arguments: [
            (784_111_777, "Sun, 06 Nov 1994 08:49:37 GMT"), (0, "Thu, 01 Jan 1970 00:00:00 GMT"),
            (1_709_208_005, "Thu, 29 Feb 2024 12:00:05 GMT"), (-1, "Wed, 31 Dec 1969 23:59:59 GMT"),
            (946_684_800, "Sat, 01 Jan 2000 00:00:00 GMT"), (1_785_546_123, "Sat, 01 Aug 2026 01:02:03 GMT"),
            (-30_610_224_001, "Tue, 31 Dec 0999 23:59:59 GMT"),
        ])
    func texts(moment: Int64, text: String) { #expect(HTTPDateText.at(moment) == text) }
}
