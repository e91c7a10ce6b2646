// Invariant of the pointers: `write` writes 29 bytes, after it has found that the buffer has as many.

extension HTTPDate {
    /// The bytes of an IMF-fixdate.
    package static let formattedCount = 29

    /// `seconds` since 1970 as an IMF-fixdate, `Sun, 06 Nov 1994 08:49:37 GMT`, the form that senders use.
    ///
    /// A moment outside the years 0000 to 9999 is written as the nearest one inside.
    package static func format(_ seconds: Int64) -> String {
        String(unsafeUninitializedCapacity: formattedCount) { buffer in
            write(seconds, into: UnsafeMutableRawBufferPointer(buffer))
        }
    }

    /// Writes `seconds` since 1970 as an IMF-fixdate into the first 29 bytes of `buffer`, without allocating.
    ///
    /// - Returns: 29, or 0 when the buffer is shorter, and then nothing is written.
    @discardableResult
    package static func write(_ seconds: Int64, into buffer: UnsafeMutableRawBufferPointer) -> Int {
        guard buffer.count >= formattedCount else { return 0 }
        let time = CivilTime(min(max(seconds, earliest), latest))
        var place = 0
        func put(_ text: StaticString, from start: Int = 0, _ count: Int) {
            for index in start..<start + count {
                buffer[place] = text.utf8Start[index]
                place += 1
            }
        }
        func put(_ number: Int) {
            buffer[place] = UInt8(truncatingIfNeeded: 0x30 + number / 10)
            buffer[place + 1] = UInt8(truncatingIfNeeded: 0x30 + number % 10)
            place += 2
        }
        put("SunMonTueWedThuFriSat", from: time.weekday * 3, 3)
        put(", ", 2)
        put(time.day)
        put(" ", 1)
        put("JanFebMarAprMayJunJulAugSepOctNovDec", from: (time.month - 1) * 3, 3)
        put(" ", 1)
        put(time.year / 100)
        put(time.year % 100)
        put(" ", 1)
        put(time.secondOfDay / 3600)
        put(":", 1)
        put(time.secondOfDay / 60 % 60)
        put(":", 1)
        put(time.secondOfDay % 60)
        put(" GMT", 4)
        return formattedCount
    }
}
