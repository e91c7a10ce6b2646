/// The time for which `poll` waits for so many nanoseconds, in milliseconds: rounded up, so that the time is over
/// afterwards, and at most about a quarter of an hour.
package func pollMilliseconds(for nanoseconds: UInt64) -> Int32 { Int32(min(nanoseconds / 1_000_000 + 1, 1_000_000)) }
