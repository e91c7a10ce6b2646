import HTTPAgreement
import HTTPSemantics
import Platform
import Testing

@Suite("HTTP-dates of every day") struct EveryDayTests {
    /// Every fifth day from 1970-01-01 to 9999-12-31: since neither the 146,097 days in which the calendar repeats
    /// itself nor the week can be divided by five, every day of these 400 years is among them. In two halves so that
    /// two processors can share them.
    @Test(
        "the days up to the year 9999 are read and written as the C library does",
        arguments: [0..<1_466_448, 1_466_448..<2_932_897])
    func everyDayUpToTheYear9999IsReadAndWrittenAsTheCLibraryDoes(days: Range<Int>) {
        var maker = InputMaker(seed: 0xDA15 &+ UInt64(days.lowerBound))
        // Room for the NUL that strftime appends; the other text ends with one too.
        var expected = [UInt8](repeating: 0, count: 30)
        var written = [UInt8](repeating: 0, count: 30)
        var time = tm()
        var day = days.lowerBound
        while day < days.upperBound {
            let seconds = Int64(day) * 86_400 + Int64(maker.below(86_400))
            var moment = time_t(seconds)
            gmtime_r(&moment, &time)
            let length = expected.withUnsafeMutableBytes {
                strftime($0.assumingMemoryBound(to: CChar.self).baseAddress!, 30, "%a, %d %b %Y %H:%M:%S GMT", &time)
            }
            let read = HTTPDate.parse(ContiguousArray(expected).span.bytes.extracting(first: 29), now: 0)
            _ = written.withUnsafeMutableBytes { HTTPDate.write(seconds, into: $0) }
            guard length == 29, read == Int64(timegm(&time)), read == seconds, written == expected else {
                let text = String(decoding: expected, as: UTF8.self)
                Issue.record(
                    "day \(day), second \(seconds), \(text): read \(read.debugDescription), written \(written)")
                return
            }
            day += 5
        }
    }
}
