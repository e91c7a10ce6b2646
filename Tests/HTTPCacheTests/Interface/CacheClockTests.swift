import HTTPCache
import Platform
import Testing

@Suite struct CacheClockTests {
    @Test(
        "seconds are rounded down, before 1970 too",
        arguments: [
            (0, 0), (999_999, 0), (1_000_000, 1), (-1, -1), (-1_000_000, -1), (-1_000_001, -2),
            (.min, -9_223_372_036_855),
            (.max, 9_223_372_036_854),
        ] as [(Int64, Int64)])
    func seconds(microseconds: Int64, seconds: Int64) {
        #expect(CacheTime(microseconds: microseconds).seconds == seconds)
    }

    @Test(
        "a moment beyond 64 bits of microseconds is the last or the first",
        arguments: [(Int64.max, Int64.max), (.min, .min)])
    func clamped(seconds: Int64, microseconds: Int64) {
        #expect(CacheTime(seconds: seconds).microseconds == microseconds)
    }

    @Test(
        "the system's clock sleeps for any number of seconds until it is cancelled", arguments: [1e30, .infinity, .nan])
    func endlessSleep(seconds: Double) async {
        let sleep = Task { try await SystemClock().sleep(seconds: seconds) }
        sleep.cancel()
        await #expect(throws: CancellationError.self) { try await sleep.value }
    }

    @Test("uptime is told in seconds") func uptime() {
        let before = Double(monotonicNanoseconds()) / 1e9
        let uptime = SystemClock().uptime
        #expect(before <= uptime && uptime <= Double(monotonicNanoseconds()) / 1e9)
    }
}
