import GaugeSupport
import Platform

/// Sends requests when they are due, every 1/rate seconds, whether or not earlier ones are answered, and times each
/// from its due time. A cache that stops for a second is charged for every request that waited meanwhile, not for one
/// (closed loops suffer from this "coordinated omission").
///
/// Service time is what the cache took for a request: the sum of its recorded times. Response time adds the wait behind
/// earlier requests, as at one server (Lindley, "The theory of queues with a single server", 1952). The clock of due
/// times advances by service times and by waiting. It stands still between slices and while the harness makes and
/// checks bodies, so the cache isn't charged for these.
///
/// Used from one thread.
@usableFromInline package final class OpenLoop {
    /// Nanoseconds from one request to the next.
    private let interval: Double
    private let wait: (UInt64) -> Void
    /// The clock of due times, nanoseconds.
    private var now = 0.0
    private var count = 0
    private var service = LatencyRecorder()
    private var response = LatencyRecorder()

    /// The first request is due at once.
    ///
    /// - Parameters:
    ///   - rate: requests a second, more than 0.
    ///   - wait: waits for a number of nanoseconds.
    @usableFromInline package init(rate: Double, wait: @escaping (UInt64) -> Void = spinWait) {
        interval = 1e9 / max(rate, 1e-9)
        self.wait = wait
    }

    /// Sends a request when it is due.
    ///
    /// - Parameters:
    ///   - moment: when it is due, nanoseconds since the first, never less than before; `nil` for the next at even
    ///     distances.
    ///   - recorder: receives the times that `send` records.
    ///   - send: records the cache's time in the given recorder.
    /// - Returns: service and response time, nanoseconds.
    @discardableResult
    @usableFromInline package func request(
        dueAt moment: Double? = nil, recordingInto recorder: inout LatencyRecorder,
        _ send: (inout LatencyRecorder) -> Void
    ) -> (service: UInt64, response: UInt64) {
        let due = moment ?? Double(count) * interval
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
        // A request that never reached the cache has no time and isn't a fast answer.
        guard taken > 0 else { return (0, waited) }
        service.record(.computed, nanoseconds: taken)
        response.record(.computed, nanoseconds: waited)
        return (taken, waited)
    }

    /// Begins again: the next request is due at once, and the times so far are forgotten.
    @usableFromInline package func restart() {
        (now, count) = (0, 0)
        service.removeAll()
        response.removeAll()
    }

    /// Both times of all requests since the start; `nil` before the first.
    package var times: (service: Histogram, response: Histogram)? {
        guard let service = service.histogram(of: .computed), let response = response.histogram(of: .computed) else {
            return nil
        }
        return (service, response)
    }

    /// Percentiles of both times, in pairs, as far as there are enough requests (see `Percentile`).
    @usableFromInline package var figures: [Figure] {
        guard let (service, response) = times else { return [] }
        return [("p50", 0.5), ("p99", 0.99), ("p99.9", 0.999)].flatMap { name, part -> [Figure] in
            guard let ours = Percentile(part, of: response), let bare = Percentile(part, of: service) else { return [] }
            return [
                Figure("response \(name)", ours.value, .nanoseconds),
                Figure("service \(name)", bare.value, .nanoseconds),
            ]
        } + [
            Figure("response maximum", Double(response.maximum), .nanoseconds),
            Figure("service maximum", Double(service.maximum), .nanoseconds),
        ]
    }
}
