import Platform

/// Sends requests when they are due, every 1/rate seconds, whether or not those before them are answered, and times
/// each from the moment at which it was due: a cache that stands still for a second is charged for all who waited
/// meanwhile, not for one (the "coordinated omission" of closed loops).
///
/// Service time is what the cache took for a request: the sum of what was recorded for it. Response time is that and the
/// wait behind earlier requests, as at one server (Lindley, "The theory of queues with a single server", 1952). The
/// clock of due times goes on by service times and by waiting, and stands still while the harness makes and checks
/// bodies and between slices, so that neither is charged to the cache.
///
/// Used from one thread.
public final class OpenLoop {
    /// Nanoseconds from one request to the next.
    private let interval: Double
    /// Waits for so many nanoseconds.
    private let wait: (UInt64) -> Void
    /// The clock of due times, nanoseconds.
    private var now = 0.0
    private var count = 0
    private var service = LatencyRecorder()
    private var response = LatencyRecorder()

    /// Starts with a request that is due at once.
    ///
    /// - Parameters:
    ///   - rate: requests a second, more than 0.
    ///   - wait: waits for so many nanoseconds.
    public init(rate: Double, wait: @escaping (UInt64) -> Void = OpenLoop.spin) {
        interval = 1e9 / max(rate, 1e-9)
        self.wait = wait
    }

    /// Sends a request when it is due.
    ///
    /// - Parameters:
    ///   - recorder: gets what `send` records.
    ///   - send: records into what it is given how long the cache took.
    /// - Returns: service and response time, nanoseconds.
    @discardableResult
    public func request(
        recordingInto recorder: inout LatencyRecorder, _ send: (inout LatencyRecorder) -> Void
    ) -> (service: UInt64, response: UInt64) {
        let due = Double(count) * interval
        count += 1
        if now < due {
            wait(UInt64(due - now))
            now = due
        }
        let before = recorder.total
        send(&recorder)
        let taken = recorder.total &- before
        now += Double(taken)
        let waited = UInt64(now - due)
        // What never reached the cache has no time, and is no fast answer.
        guard taken > 0 else { return (0, waited) }
        service.record(.computed, nanoseconds: taken)
        response.record(.computed, nanoseconds: waited)
        return (taken, waited)
    }

    /// Both times of all requests so far; `nil` before the first.
    public var times: (service: Histogram, response: Histogram)? {
        guard let service = service.histogram(of: .computed), let response = response.histogram(of: .computed) else {
            return nil
        }
        return (service, response)
    }

    /// Percentiles of both times, in pairs.
    public var figures: [Figure] {
        guard let (service, response) = times else { return [] }
        return [("p50", 0.5), ("p99", 0.99), ("p99.9", 0.999)].flatMap { name, part in
            [
                Figure("response \(name)", response.quantile(part) ?? 0, .nanoseconds),
                Figure("service \(name)", service.quantile(part) ?? 0, .nanoseconds),
            ]
        } + [
            Figure("response maximum", Double(response.maximum), .nanoseconds),
            Figure("service maximum", Double(service.maximum), .nanoseconds),
        ]
    }

    /// Waits with the processor for what is too short for the operating system, and sleeps through the rest.
    public static func spin(_ nanoseconds: UInt64) {
        let end = LatencyRecorder.now() &+ nanoseconds
        while true {
            let now = LatencyRecorder.now()
            guard now < end else { return }
            if end - now > 200_000 { usleep(UInt32(min((end - now - 100_000) / 1_000, 500_000))) }
        }
    }
}
