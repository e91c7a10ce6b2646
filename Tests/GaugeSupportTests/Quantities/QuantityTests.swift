import Testing

@testable import GaugeSupport

@Suite("Quantities as people read them") struct QuantityTests {
    @Test(
        "a ratio keeps two digits or more however small it is",
        arguments: [
            (0.0005, "<0.001×"), (0.0012, "0.0012×"), (0.00994, "0.0099×"), (0.00996, "0.010×"), (0.0994, "0.099×"),
            (0.0996, "0.10×"), (1, "1.00×"), (9.994, "9.99×"), (9.996, "10.0×"), (99.94, "99.9×"), (99.96, "100×"),
            (0, "0.00×"), (nil, "–"),
        ] as [(Double?, String)])
    func ratios(ratio: Double?, text: String) { #expect(Quantity.ratio(ratio) == text) }

    @Test(
        "parts have one decimal below ten times, and an error above the value is no figure",
        arguments: [(0.0123, "1.2 %"), (9.99, "999.0 %"), (9.996, "1000 %"), (0, "0.0 %"), (1, "100.0 %")])
    func parts(part: Double, text: String) {
        #expect(Quantity.percent(part) == text)
        #expect(Quantity.spread(part) == (part > 1 ? "±>100 %" : "±\(text)"))
        #expect(Quantity.spread(nil) == "–")
    }

    @Test(
        "counts stay whole up to 100,000, and then have a unit",
        arguments: [
            (12.34, "12.3"), (999.94, "999.9"), (999.96, "1000"), (99_999, "99999"), (99_999.6, "100 k"),
            (1_234_567, "1.23 M"), (nil, "–"),
        ] as [(Double?, String)])
    func counts(number: Double?, text: String) { #expect(Quantity.many(number) == text) }

    @Test(
        "times and rates are rounded before their unit is chosen",
        arguments: [(999.4, "999 ns", "999"), (999.6, "1.00 µs", "1.00 k"), (0, "0.00 ns", "0.00")])
    func units(value: Double, time: String, rate: String) {
        #expect(Quantity.time(value) == time && Quantity.rate(value) == rate)
        #expect(Quantity.time(nil) == "–")
    }

    @Test("plain numbers end with their last digit, and a value that is not a number is 0") func plain() {
        let texts = [1.5, 100, 0.1 + 0.2, 1e-9, .infinity, .nan].map { Quantity.plain($0) }
        #expect(texts == ["1.5", "100", "0.3", "0.000000001", "0", "0"])
        #expect(Quantity.binary(1_536) == "1.5 KiB" && Quantity.binary(1_029) == "1 KiB")
        #expect(Quantity.binary(1_031) == "1.01 KiB" && Quantity.binary(0) == "0 B")
    }

    @Test(
        "a count of each operation is whole where it nearly is, and never a false 0",
        arguments: [
            (nil, "–"), (0, "0"), (0.004, "<0.01"), (0.006, "0.01"), (0.5, "0.50"), (0.994, "0.99"), (0.996, "1"),
            (1.004, "1"), (1.006, "1.01"), (12.34, "12.34"),
        ] as [(Double?, String)])
    func each(number: Double?, text: String) { #expect(Quantity.each(number) == text) }

    @Test(
        "a round value keeps its digits and no zeros, in the unit of a time or of a count",
        arguments: [
            (1_500, "1.5 µs", "1.5 k"), (999.4, "999.4 ns", "999.4"), (999.6, "1 µs", "1 k"), (0.25, "0.25 ns", "0.25"),
            (2e6, "2 ms", "2 M"), (3.0004e9, "3 s", "3 G"), (3.0006e9, "3.001 s", "3.001 G"), (0, "0 ns", "0"),
        ])
    func round(value: Double, time: String, count: String) {
        #expect(Quantity.round(value) == time && Quantity.round(value, Quantity.counts) == count)
    }

    @Test(
        "a time has three digits from nanoseconds to seconds",
        arguments: [
            (1.234, "1.23 ns"), (12.34, "12.3 ns"), (99.94, "99.9 ns"), (99.96, "100 ns"), (9.996, "10.0 ns"),
            (1_234, "1.23 µs"), (1.234e6, "1.23 ms"), (1.234e9, "1.23 s"), (1.234e13, "12340 s"),
        ])
    func times(value: Double, text: String) { #expect(Quantity.time(value) == text) }

    @Test("bytes are told in the largest unit that is whole") func bytes() {
        let texts = [1_023, 1_024, 0x1p20, 1.5 * 0x1p30, 0x1p40, 3 * 0x1p50].map { Quantity.binary($0) }
        #expect(texts == ["1023 B", "1 KiB", "1 MiB", "1.5 GiB", "1 TiB", "3072 TiB"])
    }

    @Test("a text is padded to a width and never cut") func padding() {
        #expect("ab".padded(to: 4) == "ab  " && "ab".leftPadded(to: 4) == "  ab")
        #expect("abcde".padded(to: 4) == "abcde" && "abcde".leftPadded(to: 4) == "abcde")
    }
}
