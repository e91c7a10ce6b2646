import HTTPSemantics
import Testing

/// 21 November 2026, 04:00.
private let now: Int64 = 1_795_233_600

@Suite("HTTP-date") struct HTTPDateTests {
    @Test("the three formats mean the moment they name", arguments: DateRows.valid)
    func valid(text: String, seconds: Int64) {
        #expect(HTTPDate.parse(text, now: now) == seconds)
        #expect(HTTPDate.parse(ContiguousArray(text.utf8).span.bytes, now: now) == seconds)
        #expect(HTTPDate.parse(text.uppercased(), now: now) == seconds)
        #expect(HTTPDate.parse(text.lowercased(), now: now) == seconds)
    }

    @Test(
        "two digits of a year mean this century, or the last one if that lies more than 50 years ahead",
        arguments: DateRows.centuries)
    func century(text: String, now: Int64, seconds: Int64?) {
        #expect(HTTPDate.parse(text, now: now) == seconds)
    }

    @Test(
        "a leap second is the moment after 23:59:59 and exists at no other time",
        arguments: [
            ("Sat, 31 Dec 2016 23:59:60 GMT", 1_483_228_800), ("Sat Dec 31 23:59:60 2016", 1_483_228_800),
            ("Saturday, 31-Dec-16 23:59:60 GMT", 1_483_228_800), ("Tue, 28 Feb 2023 23:59:60 GMT", 1_677_628_800),
            ("Fri, 31 Dec 9999 23:59:60 GMT", 253_402_300_800), ("Sat, 31 Dec 2016 23:58:60 GMT", nil),
            ("Sat, 31 Dec 2016 22:59:60 GMT", nil), ("Sat, 31 Dec 2016 00:00:60 GMT", nil),
            ("Sat, 31 Dec 2016 23:59:61 GMT", nil), ("Sat, 31 Dec 2016 23:60:60 GMT", nil),
            ("Sat, 32 Dec 2016 23:59:60 GMT", nil), ("Sat, 31 Dez 2016 23:59:60 GMT", nil),
            ("Sat, 31 Dec 2016 23:59:60 UTC", nil),
        ] as [(String, Int64?)])
    func leapSecond(text: String, seconds: Int64?) {
        #expect(HTTPDate.parse(text, now: now) == seconds)
    }

    @Test(
        "a weekday may be wrong, and must be one",
        arguments: [
            ("Mon, 06 Nov 1994 08:49:37 GMT", true), ("Sat Nov  6 08:49:37 1994", true),
            ("Wednesday, 06-Nov-94 08:49:37 GMT", true), ("Mod, 06 Nov 1994 08:49:37 GMT", false),
            ("Su , 06 Nov 1994 08:49:37 GMT", false), ("123, 06 Nov 1994 08:49:37 GMT", false),
            ("Sunday, 06 Nov 1994 08:49:37 GMT", false), ("Sun, 06-Nov-94 08:49:37 GMT", false),
            ("Sundey, 06-Nov-94 08:49:37 GMT", false), ("Thursdayy, 06-Nov-94 08:49:37 GMT", false),
            ("Wednesda, 06-Nov-94 08:49:37 GMT", false), ("Wednesdaz, 06-Nov-94 08:49:37 GMT", false),
            ("Wednesdayy, 06-Nov-94 08:49:37 GMT", false), ("Mondayy, 06-Nov-94 08:49:37 GMT", false),
            ("Tuesda, 06-Nov-94 08:49:37 GMT", false), ("Satyrday, 06-Nov-94 08:49:37 GMT", false),
        ])
    func weekday(text: String, isValid: Bool) {
        #expect((HTTPDate.parse(text, now: now) != nil) == isValid)
    }

    @Test("what the three formats do not say is no date", arguments: DateRows.invalid)
    func invalid(text: String) {
        #expect(HTTPDate.parse(text, now: now) == nil)
    }

    @Test("no byte of a date can be any other but a letter of the other case") func everyByteCounts() {
        for text in ["Wed, 23 Nov 1994 18:49:37 GMT", "Wed Nov 23 18:49:37 1994", "Wednesday, 23-Nov-94 18:49:37 GMT"] {
            let bytes = Array(text.utf8)
            let isDigitOrLetter = { (byte: UInt8) in
                (0x30...0x39).contains(byte) || (0x41...0x5A).contains(byte & 0xDF)
            }
            for place in bytes.indices {
                for byte in UInt8.min...UInt8.max where byte != bytes[place] {
                    var changed = bytes
                    changed[place] = byte
                    let isOtherCase = isDigitOrLetter(byte) && byte ^ bytes[place] == 0x20
                    let isDigit = (0x30...0x39).contains(byte) && (0x30...0x39).contains(bytes[place])
                    let isPadding = place == 8 && text.utf8.count == 24 && byte == 0x20
                    let isRead = HTTPDate.parse(ContiguousArray(changed).span.bytes, now: now) != nil
                    if isOtherCase { #expect(isRead, "byte \(place) of \(text) as \(byte)") }
                    if !isOtherCase && !isDigit && !isPadding {
                        #expect(!isRead, "byte \(place) of \(text) as \(byte)")
                    }
                }
            }
        }
    }
}

@Suite("Writing of HTTP-dates") struct HTTPDateFormattingTests {
    @Test(
        "what is written is IMF-fixdate",
        arguments: [
            (784_111_777, "Sun, 06 Nov 1994 08:49:37 GMT"), (0, "Thu, 01 Jan 1970 00:00:00 GMT"),
            (-1, "Wed, 31 Dec 1969 23:59:59 GMT"), (951_782_400, "Tue, 29 Feb 2000 00:00:00 GMT"),
            (253_402_300_799, "Fri, 31 Dec 9999 23:59:59 GMT"), (-62_167_219_200, "Sat, 01 Jan 0000 00:00:00 GMT"),
            (.max, "Fri, 31 Dec 9999 23:59:59 GMT"), (.min, "Sat, 01 Jan 0000 00:00:00 GMT"),
        ] as [(Int64, String)])
    func format(seconds: Int64, text: String) {
        #expect(HTTPDate.format(seconds) == text)
    }

    @Test("what was written is read as the same moment") func roundTrip() {
        var seconds: Int64 = -62_167_219_200
        while seconds <= 253_402_300_799 {
            let text = HTTPDate.format(seconds)
            #expect(HTTPDate.parse(text, now: 0) == seconds, "\(text)")
            seconds += 86_400 * 97 + 12_345
        }
    }

    @Test("a buffer that is too short is left alone") func shortBuffer() {
        var bytes = [UInt8](repeating: 7, count: 28)
        #expect(bytes.withUnsafeMutableBytes { HTTPDate.write(0, into: $0) } == 0)
        #expect(bytes == [UInt8](repeating: 7, count: 28))
    }
}

private enum DateRows {
    static let valid: [(String, Int64)] = [
        ("Thu, 01 Jan 1970 00:00:00 GMT", 0),
        ("Wed, 31 Dec 1969 23:59:59 GMT", -1),
        ("Sat, 01 Jan 0000 00:00:00 GMT", -62_167_219_200),
        ("Tue, 29 Feb 0000 12:00:00 GMT", -62_162_078_400),
        ("Sun, 29 Feb 0004 00:00:01 GMT", -62_035_891_199),
        ("Thu, 31 Dec 0099 01:02:03 GMT", -59_011_541_877),
        ("Sun, 10 Oct 1582 00:00:00 GMT", -12_219_724_800),
        ("Tue, 29 Feb 1600 00:00:00 GMT", -11_670_998_400),
        ("Wed, 28 Feb 1900 23:59:59 GMT", -2_203_891_201),
        ("Fri, 31 Dec 1999 23:59:59 GMT", 946_684_799),
        ("Tue, 29 Feb 2000 00:00:00 GMT", 951_782_400),
        ("Wed, 01 Mar 2000 00:00:00 GMT", 951_868_800),
        ("Thu, 29 Feb 2024 10:20:30 GMT", 1_709_202_030),
        ("Sat, 21 Nov 2026 04:47:00 GMT", 1_795_236_420),
        ("Tue, 19 Jan 2038 03:14:08 GMT", 2_147_483_648),
        ("Sun, 28 Feb 2100 23:59:59 GMT", 4_107_542_399),
        ("Mon, 01 Mar 2100 00:00:00 GMT", 4_107_542_400),
        ("Tue, 29 Feb 2400 00:00:00 GMT", 13_574_563_200),
        ("Fri, 31 Dec 9999 23:59:59 GMT", 253_402_300_799),
        ("Tue, 31 Jan 2023 04:04:02 GMT", 1_675_137_842),
        ("Tue, 28 Feb 2023 05:08:04 GMT", 1_677_560_884),
        ("Fri, 31 Mar 2023 06:12:06 GMT", 1_680_243_126),
        ("Sun, 30 Apr 2023 07:16:08 GMT", 1_682_838_968),
        ("Wed, 31 May 2023 08:20:10 GMT", 1_685_521_210),
        ("Fri, 30 Jun 2023 09:24:12 GMT", 1_688_117_052),
        ("Mon, 31 Jul 2023 10:28:14 GMT", 1_690_799_294),
        ("Thu, 31 Aug 2023 11:32:16 GMT", 1_693_481_536),
        ("Sat, 30 Sep 2023 12:36:18 GMT", 1_696_077_378),
        ("Tue, 31 Oct 2023 13:40:20 GMT", 1_698_759_620),
        ("Thu, 30 Nov 2023 14:44:22 GMT", 1_701_355_462),
        ("Sun, 31 Dec 2023 15:48:24 GMT", 1_704_037_704),
        ("Thu Jan  1 00:00:00 1970", 0),
        ("Sun Nov  6 08:49:37 1994", 784_111_777),
        ("Tue Feb 29 01:01:01 2000", 951_786_061),
        ("Thu Feb 29 23:00:59 2024", 1_709_247_659),
        ("Fri Dec 31 23:59:59 9999", 253_402_300_799),
        ("Wed Mar  1 00:00:00 0000", -62_162_035_200),
        ("Sat Jan  1 01:01:01 2022", 1_640_998_861),
        ("Wed Feb  2 02:02:02 2022", 1_643_767_322),
        ("Thu Mar  3 03:03:03 2022", 1_646_276_583),
        ("Mon Apr  4 04:04:04 2022", 1_649_045_044),
        ("Thu May  5 05:05:05 2022", 1_651_727_105),
        ("Mon Jun  6 06:06:06 2022", 1_654_495_566),
        ("Thu Jul  7 07:07:07 2022", 1_657_177_627),
        ("Mon Aug  8 08:08:08 2022", 1_659_946_088),
        ("Fri Sep  9 09:09:09 2022", 1_662_714_549),
        ("Mon Oct 10 10:10:10 2022", 1_665_396_610),
        ("Fri Nov 11 11:11:11 2022", 1_668_165_071),
        ("Mon Dec 12 12:12:12 2022", 1_670_847_132),
        ("Sun Nov 06 08:49:37 1994", 784_111_777),
        ("Monday, 03-Mar-25 00:00:00 GMT", 1_740_960_000),
        ("Tuesday, 04-Mar-25 01:02:03 GMT", 1_741_050_123),
        ("Wednesday, 05-Mar-25 02:04:06 GMT", 1_741_140_246),
        ("Thursday, 06-Mar-25 03:06:09 GMT", 1_741_230_369),
        ("Friday, 07-Mar-25 04:08:12 GMT", 1_741_320_492),
        ("Saturday, 08-Mar-25 05:10:15 GMT", 1_741_410_615),
        ("Sunday, 09-Mar-25 06:12:18 GMT", 1_741_500_738),
        ("Sunday, 02-Jan-94 01:02:03 GMT", 757_472_523),
        ("Friday, 04-Feb-94 01:02:03 GMT", 760_323_723),
        ("Sunday, 06-Mar-94 01:02:03 GMT", 762_915_723),
        ("Friday, 08-Apr-94 01:02:03 GMT", 765_766_923),
        ("Tuesday, 10-May-94 01:02:03 GMT", 768_531_723),
        ("Sunday, 12-Jun-94 01:02:03 GMT", 771_382_923),
        ("Thursday, 14-Jul-94 01:02:03 GMT", 774_147_723),
        ("Tuesday, 16-Aug-94 01:02:03 GMT", 776_998_923),
        ("Sunday, 18-Sep-94 01:02:03 GMT", 779_850_123),
        ("Thursday, 20-Oct-94 01:02:03 GMT", 782_614_923),
        ("Tuesday, 22-Nov-94 01:02:03 GMT", 785_466_123),
        ("Saturday, 24-Dec-94 01:02:03 GMT", 788_230_923),
    ]

    static let centuries: [(String, Int64, Int64?)] = [
        ("Friday, 01-Jan-50 00:00:00 GMT", 1_795_233_600, 2_524_608_000),
        ("Friday, 01-Jan-70 00:00:00 GMT", 1_795_233_600, 3_155_760_000),
        ("Friday, 20-Nov-76 00:00:00 GMT", 1_795_233_600, 3_373_056_000),
        ("Monday, 06-Dec-76 00:00:00 GMT", 1_795_233_600, 218_678_400),
        ("Saturday, 21-Nov-76 04:00:00 GMT", 1_795_233_600, 3_373_156_800),
        ("Sunday, 21-Nov-76 04:00:01 GMT", 1_795_233_600, 217_396_801),
        ("Sunday, 21-Nov-76 03:59:59 GMT", 1_795_233_600, 3_373_156_799),
        ("Sunday, 21-Nov-77 03:59:59 GMT", 1_795_233_600, 248_932_799),
        ("Friday, 31-Dec-99 23:59:59 GMT", 1_795_233_600, 946_684_799),
        ("Friday, 31-Dec-99 23:59:60 GMT", 1_795_233_600, 946_684_800),
        ("Saturday, 01-Jan-00 00:00:00 GMT", 1_795_233_600, 946_684_800),
        ("Tuesday, 29-Feb-00 00:00:00 GMT", 1_795_233_600, 951_782_400),
        ("Tuesday, 29-Feb-76 00:00:00 GMT", 1_795_233_600, 3_350_160_000),
        ("Tuesday, 29-Feb-80 00:00:00 GMT", 1_795_233_600, 320_630_400),
        // Exactly fifty years ahead, on days in February and on a 29th that is not a leap day.
        ("Monday, 10-Feb-76 12:00:00 GMT", 1_770_724_800, 3_348_561_600),
        ("Monday, 10-Feb-76 12:00:01 GMT", 1_770_724_800, 192_801_601),
        ("Sunday, 29-Mar-76 12:00:00 GMT", 1_774_785_600, 3_352_708_800),
        ("Sunday, 29-Mar-76 12:00:01 GMT", 1_774_785_600, 196_948_801),
        ("Sunday, 06-Nov-94 08:49:37 GMT", 0, 784_111_777),
        ("Sunday, 06-Nov-30 08:49:37 GMT", 0, -1_235_574_623),
        ("Thursday, 01-Jan-20 00:00:00 GMT", 0, -1_577_923_200),
        ("Thursday, 31-Dec-99 00:00:00 GMT", 0, 946_598_400),
        ("Saturday, 01-Jan-00 00:00:00 GMT", 946_684_799, -2_208_988_800),
        ("Friday, 31-Dec-49 23:59:59 GMT", 946_684_799, -631_152_001),
        ("Tuesday, 01-Jan-00 00:00:00 GMT", 4_083_955_200, 946_684_800),
        ("Tuesday, 31-Dec-99 00:00:00 GMT", 4_083_955_200, 4_102_358_400),
        ("Monday, 29-Feb-00 00:00:00 GMT", 4_746_643_200, nil),
        ("Monday, 28-Feb-00 23:59:60 GMT", 4_746_643_200, 4_107_542_400),
        ("Monday, 01-Jun-70 00:00:00 GMT", 4_746_643_200, 6_324_480_000),
        ("Monday, 01-Jun-70 00:00:01 GMT", 4_746_643_200, 3_168_806_401),
        ("Monday, 29-Feb-96 00:00:00 GMT", 4_746_643_200, 3_981_312_000),
        ("Wednesday, 28-Feb-74 23:59:59 GMT", 1_709_208_000, 3_287_087_999),
        ("Thursday, 01-Mar-74 00:00:00 GMT", 1_709_208_000, 131_328_000),
        ("Sunday, 06-Nov-94 08:49:37 GMT", -9_223_372_036_854_775_808, 784_111_777),
        ("Sunday, 06-Nov-94 08:49:37 GMT", 9_223_372_036_854_775_807, 253_239_727_777),
        ("Sunday, 06-Nov-49 08:49:37 GMT", 9_223_372_036_854_775_807, 251_819_657_377),
    ]

    static let invalid: [String] = [
        // No such time
        "Sun, 06 Nov 1994 24:00:00 GMT", "Sun, 06 Nov 1994 08:60:00 GMT", "Sun, 06 Nov 1994 08:49:99 GMT",
        "Thu, 31 Nov 1994 08:49:37 GMT", "Thu, 29 Feb 2001 08:49:37 GMT", "Thu, 30 Feb 2000 08:49:37 GMT",
        "Thu, 29 Feb 1900 00:00:00 GMT", "Thu, 29 Feb 2100 00:00:00 GMT", "Sun, 00 Nov 1994 08:49:37 GMT",
        "Sun, 32 Jan 1994 08:49:37 GMT", "Sun, 31 Apr 1994 08:49:37 GMT", "Sun, 31 Jun 1994 08:49:37 GMT",
        "Sun, 31 Sep 1994 08:49:37 GMT", "Sun Nov  0 08:49:37 1994", "Sun Nov 00 08:49:37 1994",
        "Sun Feb 30 08:49:37 2000", "Sunday, 29-Feb-01 08:49:37 GMT", "Sunday, 31-Nov-94 08:49:37 GMT",
        "Sunday, 00-Nov-94 08:49:37 GMT", "Sunday, 06-Nov-94 24:49:37 GMT",
        // Zones
        "Sun, 06 Nov 1994 08:49:37 UTC", "Sun, 06 Nov 1994 08:49:37 AEST", "Sun, 06 Nov 1994 08:49:37 +0000",
        "Sun, 06 Nov 1994 08:49:37 EST", "Sun, 06 Nov 1994 08:49:37", "Sun, 06 Nov 1994 08:49:37 ",
        "Sun, 06 Nov 1994 08:49:37 GM", "Sun, 06 Nov 1994 08:49:37 GMTT", "Sun, 06 Nov 1994 08:49:37 Z",
        "Sunday, 06-Nov-94 08:49:37 UTC", "Sunday, 06-Nov-94 08:49:37 +0000", "Sunday, 06-Nov-94 08:49:37",
        "Sun Nov  6 08:49:37 1994 GMT", "Sun Nov  6 08:49:37 GMT 1994",
        // Shape
        "Sun, 06 Nov 94 08:49:37 GMT", "Sun 06 Nov 1994 08:49:37 GMT", "Sun, 06-Nov-1994 08:49:37 GMT",
        "Sun, 06 Nov 1994 8:49:37 GMT", "Sun, 06 Nov 1994  8:49:37 GMT", "Sun,  06 Nov 1994 08:49:37 GMT",
        "Sun, 06  Nov 1994 08:49:37 GMT", "Sun, 6 Nov 1994 08:49:37 GMT", "Sun,  6 Nov 1994 08:49:37 GMT",
        "Sun, 06 Nov 1994 08.49.37 GMT", "Sun, 06 Nov 1994 08:49 GMT", "Sun, 06 Nov 1994 08:49:7 GMT",
        "Sun; 06 Nov 1994 08:49:37 GMT", "Sun, 06\tNov 1994 08:49:37 GMT", "Sun, 06 Nov 1994 08:49-37 GMT",
        "Sun, 06 November 1994 08:49:37 GMT", "Sun, 06 Nov 19945 08:49:37 GMT", "06 Nov 1994 08:49:37 GMT",
        "Sun, Nov 06 1994 08:49:37 GMT", "Sun Nov 6 08:49:37 1994", "Sun Nov  6 8:49:37 1994",
        "Sun Nov  6 08:49:37 94", "Sun, Nov  6 08:49:37 1994", "Sun Nov !6 08:49:37 1994",
        "Sunday, 06-Nov-1994 08:49:37 GMT", "Sunday, 06 Nov 94 08:49:37 GMT", "Sunday, 6-Nov-94 08:49:37 GMT",
        "Sunday 06-Nov-94 08:49:37 GMT", "Sunday, 06-Nov-94  08:49:37 GMT", "1994-11-06T08:49:37Z",
        // Months
        "Sun, 06 Nox 1994 08:49:37 GMT", "Sun, 06 11  1994 08:49:37 GMT", "Sun, 06 N\u{6F} 1994 08:49:37 GMT",
        "Sun, 06 \0\0\0 1994 08:49:37 GMT", "Sun Mai  6 08:49:37 1994", "Sunday, 06-Now-94 08:49:37 GMT",
        // Digits
        "Sun, 0a Nov 1994 08:49:37 GMT", "Sun, 06 Nov 1x94 08:49:37 GMT", "Sun, 06 Nov 1994 0:049:37 GMT",
        "Sun, 06 Nov -994 08:49:37 GMT", "Sun, 06 Nov 1994 +8:49:37 GMT", "Sun, 06 Nov 1994 08:49:3/ GMT",
        "Sun, 06 Nov 1994 08:4::37 GMT", "Sun, \u{B2} Nov 1994 08:49:37 GMT", "Sunday, 06-Nov-9: 08:49:37 GMT",
        // Junk
        " Sun, 06 Nov 1994 08:49:37 GMT", "Sun, 06 Nov 1994 08:49:37 GMT ", "Sun, 06 Nov 1994 08:49:37 GMT,",
        "Sun, 06 Nov 1994 08:49:37 GMT; x", "\"Sun, 06 Nov 1994 08:49:37 GMT\"", "Sun, 06 Nov 1994 08:49:37\0GMT",
        "", "0", "-1", "never", "0000000000000000000000000000", "00000000000000000000000000000",
        "                        ",
        "Sun, 06 Nov 1994 08:49:37 GMT, Mon, 07 Nov 1994 08:49:37 GMT",
    ]
}
