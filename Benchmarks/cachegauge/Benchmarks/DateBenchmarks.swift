// Invariant of the pointers: `strptime` has the type that time.h declares; it writes one `tm`, lent for the call.

import Foundation
import GaugeMeasurement
import GaugeSupport
import HTTPSemantics
import Platform

/// Parsing an HTTP-date from 1994 to 2026 in each of the three formats, against the C library and `DateFormatter`.
enum DateBenchmarks {
    static let all: [Benchmark] = formats.flatMap { format in
        [tiered(format), plain(format), cLibrary(format), dateFormatter(format)]
    }

    /// One of the formats, with the peers' patterns.
    private struct Format: Sendable {
        let name: String
        let strptime: String
        let dateFormatter: String
        let write: @Sendable (Moment) -> String
    }

    private struct Moment {
        let weekday, day, month, year, hour, minute, second: Int

        init(_ random: inout Xoshiro256) {
            func below(_ bound: UInt64) -> Int { Int(random.next(below: bound)) }
            weekday = below(7)
            day = below(28) + 1
            month = below(12)
            year = 1994 + below(32)
            hour = below(24)
            minute = below(60)
            second = below(60)
        }

        var shortWeekday: Substring { Moment.weekdays[weekday].prefix(3) }
        var fullWeekday: String { Moment.weekdays[weekday] }
        var monthName: String { Moment.months[month] }
        var time: String { "\(twoDigits(hour)):\(twoDigits(minute)):\(twoDigits(second))" }

        private static let weekdays = ["Sunday", "Monday", "Tuesday", "Wednesday", "Thursday", "Friday", "Saturday"]
        private static let months = [
            "Jan", "Feb", "Mar", "Apr", "May", "Jun", "Jul", "Aug", "Sep", "Oct", "Nov", "Dec",
        ]
    }

    private static let formats = [
        Format(
            name: "imf", strptime: "%a, %d %b %Y %H:%M:%S GMT", dateFormatter: "EEE, dd MMM yyyy HH:mm:ss 'GMT'",
            write: { "\($0.shortWeekday), \(twoDigits($0.day)) \($0.monthName) \($0.year) \($0.time) GMT" }),
        Format(
            name: "asctime", strptime: "%a %b %e %H:%M:%S %Y", dateFormatter: "EEE MMM d HH:mm:ss yyyy",
            write: { "\($0.shortWeekday) \($0.monthName) \(twoDigits($0.day, padding: " ")) \($0.time) \($0.year)" }),
        Format(
            name: "rfc850", strptime: "%A, %d-%b-%y %H:%M:%S GMT", dateFormatter: "EEEE, dd-MMM-yy HH:mm:ss 'GMT'",
            write: {
                "\($0.fullWeekday), \(twoDigits($0.day))-\($0.monthName)-\(twoDigits($0.year % 100)) \($0.time) GMT"
            }),
    ]

    private static func twoDigits(_ number: Int, padding: String = "0") -> String {
        number < 10 ? "\(padding)\(number)" : "\(number)"
    }

    private static func mix(_ format: Format, _ context: RunContext) -> TextMix {
        TextMix(seed: context.seed, "date") { format.write(Moment(&$0)) }
    }

    private static let now: Int64 = 1_795_233_600

    private static func tiered(_ format: Format) -> Benchmark {
        Benchmark(BenchmarkName("date", format.name, "tiered")) { context in
            let mix = mix(format, context)
            return PreparedBenchmark(
                .batched { operations in
                    blackHole(mix.fold(operations) { HTTPDate.parse(RawSpan(_unsafeBytes: $0), now: now) ?? -1 })
                })
        }
    }

    /// A plain parser with the same results.
    private static func plain(_ format: Format) -> Benchmark {
        Benchmark(BenchmarkName("date", format.name, "plain"), isPeer: true) { context in
            let mix = mix(format, context)
            return PreparedBenchmark(
                .batched { operations in
                    blackHole(mix.fold(operations) { PlainHTTPDate.parse($0, now: now) ?? -1 })
                })
        }
    }

    /// The usual way in C, on the same bytes, with a zero byte after each date for `strptime`.
    private static func cLibrary(_ format: Format) -> Benchmark {
        Benchmark(BenchmarkName("date", format.name, "strptime"), isPeer: true) { context in
            let mix = mix(format, context)
            let (bytes, starts) = mix.cStrings
            let pattern = format.strptime
            let strptime = try cLibraryStrptime()
            return PreparedBenchmark(
                .batched { operations in
                    let folded = bytes.withUnsafeBufferPointer { bytes in
                        pattern.withCString { pattern in
                            var folded: Int64 = 0
                            mix.walk(operations) { place in
                                guard let base = bytes.baseAddress else { return }
                                var time = tm()
                                guard strptime(base + starts[place], pattern, &time) != nil else { return }
                                folded &+= Int64(timegm(&time))
                            }
                            return folded
                        }
                    }
                    blackHole(UInt64(bitPattern: folded))
                })
        }
    }

    private typealias Strptime =
        @convention(c) (UnsafePointer<CChar>, UnsafePointer<CChar>, UnsafeMutablePointer<tm>) -> UnsafeMutablePointer<
            CChar
        >?

    /// `strptime`, which glibc's headers hide from Swift.
    private static func cLibraryStrptime() throws -> Strptime {
        guard let symbol = dlsym(dlopen(nil, RTLD_NOW), "strptime") else { throw MissingFunction() }
        return unsafeBitCast(symbol, to: Strptime.self)
    }

    private struct MissingFunction: Error, CustomStringConvertible {
        let description = "the C library has no strptime; leave that peer out with --filter"
    }

    /// The usual way in Swift, with one formatter kept.
    private static func dateFormatter(_ format: Format) -> Benchmark {
        // A call takes thousands of times as long as the others, so only one format is in the default suite.
        Benchmark(
            BenchmarkName("date", format.name, "date-formatter"), isPeer: true,
            suites: format.name == "imf" ? ["default"] : []
        ) { context in
            let mix = mix(format, context)
            let strings = mix.strings
            let formatter = DateFormatter()
            formatter.locale = Locale(identifier: "en_US_POSIX")
            formatter.timeZone = TimeZone(secondsFromGMT: 0)
            formatter.dateFormat = format.dateFormatter
            return PreparedBenchmark(
                .batched { operations in
                    var folded: Int64 = 0
                    mix.walk(operations) { place in
                        guard let date = formatter.date(from: strings[place]) else { return }
                        folded &+= Int64(date.timeIntervalSince1970)
                    }
                    blackHole(UInt64(bitPattern: folded))
                })
        }
    }
}
