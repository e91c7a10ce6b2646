import GaugeKit

/// A whole HTTP cache that keeps each answer for ten minutes, whatever its header says.
final class Proxy: SimulatedCache {
    static let name = "proxy"

    private let origin: SimulatedOrigin
    private var cache = LRU<String, (response: SimulatedResponse, since: Int64)>(limit: 500)

    init(_ configuration: SubjectConfiguration, start: Int64, origin: SimulatedOrigin) { self.origin = origin }

    func answer(_ requests: [SimulatedRequest], at moment: Int64) -> [Result<SimulatedAnswer, any Error>] {
        requests.map { request in
            guard request.method == "GET" else {
                cache[request.url] = nil
                return .success(SimulatedAnswer(origin.answer(request, at: moment), source: .bypass))
            }
            if let found = cache.value(for: request.url), moment - found.since < 600 {
                return .success(SimulatedAnswer(found.response, source: .memory))
            }
            let response = origin.answer(request, at: moment)
            cache[request.url] = (response, moment)
            return .success(SimulatedAnswer(response, source: .fetched))
        }
    }

    func remove(_ url: String, at moment: Int64) { cache[url] = nil }
}
