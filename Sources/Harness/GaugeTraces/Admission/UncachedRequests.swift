/// Why a request of a trace is not answered out of a cache, or its response is of no use to later ones.
package enum UncachedReason: Hashable, Sendable {
    /// Not a GET.
    case method
    /// The request asks for a range, or the response is a part.
    case part
    /// A status that is not stored.
    case status(Int)
    /// `no-store` in the request.
    case requestNoStore
    /// `no-cache` or `max-age=0` in the request: its answer is stored, but it comes from the origin.
    case requestReload
    /// `no-store` in the response.
    case noStore
    /// `Vary: *`.
    case variesOnEverything
    /// No lifetime, and a status that is not stored without one.
    case noLifetime
    /// Stored, but stale at once: every use has to be confirmed by the origin.
    case staleAtOnce
    /// Larger than any entry that the cache keeps.
    case tooLarge
    /// The cache makes no key from its URL.
    case url

    /// One word for it; the same as in `Cache-Status`, where a cache has the reason, too.
    package var word: String {
        switch self {
        case .method: "method"
        case .part: "partial"
        case .status(let status): "status-\(status)"
        case .requestNoStore: "request-no-store"
        case .requestReload: "request-reload"
        case .noStore: "no-store"
        case .variesOnEverything: "vary"
        case .noLifetime: "no-lifetime"
        case .staleAtOnce: "stale-at-once"
        case .tooLarge: "too-large"
        case .url: "url"
        }
    }
}

/// The requests of a trace that a cache could not answer whatever its size, by reason and by URL. A request whose
/// response is of no use isn't one of them if an earlier response answers it.
///
/// Takes up to 65,536 URLs. When there are more, the half that cost least so far is forgotten, so that a URL that costs
/// much stays.
package struct UncachedRequests: Sendable {
    package struct Cost: Hashable, Sendable {
        package fileprivate(set) var requests = 0
        /// Of the bodies that the origin sent.
        package fileprivate(set) var bytes = 0

        fileprivate mutating func add(_ count: Int) {
            requests += 1
            bytes = bytes.addingClamped(count)
        }

        fileprivate static func isMore(_ one: Cost, _ other: Cost) -> Bool {
            (one.bytes, one.requests) > (other.bytes, other.requests)
        }
    }

    /// A URL, or a number where the trace has none, and what its requests cost.
    package struct Object: Hashable, Sendable {
        package let name: String
        package fileprivate(set) var cost = Cost()
        /// In the order of their first requests.
        private var reasons: [Counted] = []

        private struct Counted: Hashable {
            let reason: UncachedReason
            var requests: Int
        }

        fileprivate init(name: String, reason: UncachedReason) {
            (self.name, reasons) = (name, [Counted(reason: reason, requests: 0)])
        }

        /// The most frequent reason, and of several the first.
        package var reason: UncachedReason { reasons.reduce(reasons[0]) { $1.requests > $0.requests ? $1 : $0 }.reason }

        fileprivate mutating func note(_ reason: UncachedReason) {
            if let known = reasons.firstIndex(where: { $0.reason == reason }) {
                reasons[known].requests += 1
            } else {
                reasons.append(Counted(reason: reason, requests: 1))
            }
        }
    }

    /// The most URLs that are remembered.
    package static let mostObjects = 1 << 16

    private var reasons: [UncachedReason: Cost] = [:]
    private var objects: [UInt64: Object] = [:]
    private let most: Int
    private var hasKey = false
    private var hasRefused = false

    package init(most: Int = Self.mostObjects) { self.most = max(2, most) }

    package var isEmpty: Bool { reasons.isEmpty }

    /// Whether the cache makes no key from any URL so far.
    package var refusesAllURLs: Bool { hasRefused && !hasKey }

    /// Notes whether the cache makes a key from a URL.
    mutating func noteKey(isRefused: Bool) {
        if isRefused { hasRefused = true } else { hasKey = true }
    }

    /// Notes a request whose body has so many bytes.
    mutating func note(_ reason: UncachedReason, _ request: TraceRequest, bytes: Int) {
        reasons[reason, default: Cost()].add(bytes)
        if objects[request.id] == nil {
            if objects.count >= most { forgetCheapest() }
            objects[request.id] = Object(name: request.url ?? "object \(request.id)", reason: reason)
        }
        objects[request.id]?.note(reason)
        objects[request.id]?.cost.add(bytes)
    }

    private mutating func forgetCheapest() {
        let kept = objects.sorted { Cost.isMore($0.value.cost, $1.value.cost) }.prefix(most / 2)
        objects = Dictionary(uniqueKeysWithValues: kept.map { ($0.key, $0.value) })
    }

    /// The reasons, the one that cost most bytes first.
    package var byReason: [(reason: UncachedReason, cost: Cost)] {
        reasons.map { ($0.key, $0.value) }.sorted {
            $0.1 == $1.1 ? $0.0.word < $1.0.word : Cost.isMore($0.1, $1.1)
        }
    }

    /// The URLs whose requests cost most bytes.
    package func costliest(_ count: Int = 10) -> [Object] {
        let sorted = objects.values.sorted { $0.cost == $1.cost ? $0.name < $1.name : Cost.isMore($0.cost, $1.cost) }
        return Array(sorted.prefix(count))
    }
}
