/// The best possible result of a cache on a short trace. It is found by trying every choice after every request: which
/// objects to keep, and whether to ask the origin without need.
package struct BestChoices {
    package struct Request {
        package var object: Int
        package var size: Int
        package var now: Double
        package var mayBeAnswered: Bool
        package var expiry: Double?

        package init(
            object: Int, size: Int = 1, now: Double = 0, mayBeAnswered: Bool = true, expiry: Double? = .infinity
        ) {
            self.object = object
            self.size = size
            self.now = now
            self.mayBeAnswered = mayBeAnswered
            self.expiry = expiry
        }
    }

    /// The stored state of an object.
    private struct Held: Hashable {
        let object: Int
        let size: Int
        let expiry: Double
    }

    private struct State: Hashable {
        let index: Int
        let held: Set<Held>
    }

    private let requests: [Request]
    private let capacity: Int
    /// The value of a hit: 1, or its bytes.
    private let worth: (Int) -> Int
    private var known: [State: Int] = [:]

    /// The most hits, or with `inBytes` the most bytes of hits.
    package static func best(_ requests: [Request], capacity: Int, inBytes: Bool = false) -> Int {
        var choices = BestChoices(requests: requests, capacity: capacity, worth: inBytes ? { $0 } : { _ in 1 })
        return choices.best(State(index: 0, held: []))
    }

    private init(requests: [Request], capacity: Int, worth: @escaping (Int) -> Int) {
        self.requests = requests
        self.capacity = capacity
        self.worth = worth
    }

    private mutating func best(_ state: State) -> Int {
        guard state.index < requests.count else { return 0 }
        if let best = known[state] { return best }
        let request = requests[state.index]
        let others = state.held.filter { $0.object != request.object }
        var best = 0
        // A fetch replaces the stored state of the object, or removes it if the new response may not be stored.
        let fetched = request.expiry.map { Held(object: request.object, size: request.size, expiry: $0) }
        for kept in subsets(others.union(fetched.map { [$0] } ?? [])) {
            best = max(best, self.best(State(index: state.index + 1, held: kept)))
        }
        let own = state.held.first { $0.object == request.object }
        if let own, own.size == request.size, request.now < own.expiry, request.mayBeAnswered {
            for kept in subsets(state.held) {
                best = max(best, worth(own.size) + self.best(State(index: state.index + 1, held: kept)))
            }
        }
        known[state] = best
        return best
    }

    private func subsets(_ held: Set<Held>) -> [Set<Held>] {
        var subsets: [Set<Held>] = [[]]
        for entry in held { subsets += subsets.map { $0.union([entry]) } }
        return subsets.filter { $0.reduce(0) { $0 + $1.size } <= capacity }
    }
}
