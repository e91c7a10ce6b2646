import GaugeTraces

/// What a trace's requests cost that no cache could answer, as text and JSON.
struct UncachedReport {
    private let uncached: UncachedRequests
    private let requests: Int

    /// - Parameter requests: all requests of the trace.
    init(_ uncached: UncachedRequests, of requests: Int) {
        self.uncached = uncached
        self.requests = requests
    }

    /// A table of the reasons and one of the ten costliest URLs; empty where every request could be cached.
    ///
    /// - Parameter width: longer URLs are cut, but for their first 10 characters.
    func text(width: Int) -> String {
        guard !uncached.isEmpty else { return "" }
        var text = Self.line("not cached", "requests", "", "bytes", "")
        for (reason, cost) in uncached.byReason {
            let share = Quantity.percent(Double(cost.requests) / Double(max(1, requests)))
            text += Self.line("", "\(cost.requests)", share, Quantity.binary(Double(cost.bytes)), reason.word)
        }
        text += Self.line("costliest URLs", "requests", "", "bytes", "")
        for object in uncached.costliest() {
            let room = max(10, min(100, width - 54 - object.reason.word.count))
            text += Self.line(
                "", "\(object.cost.requests)", "", Quantity.binary(Double(object.cost.bytes)),
                "\(object.reason.word)  \(QuotedText.of(object.name, limit: room))")
        }
        return text + "\n"
    }

    private static func line(_ title: String, _ requests: String, _ share: String, _ bytes: String, _ rest: String)
        -> String
    {
        let numbers = [(requests, 10), (share, 9), (bytes, 12)].map { $0.0.leftPadded(to: $0.1) }.joined()
        return title.padded(to: 16) + numbers + (rest.isEmpty ? "" : "  " + rest) + "\n"
    }

    var json: JSONValue {
        func members(_ cost: UncachedRequests.Cost) -> [String: JSONValue] {
            ["requests": .whole(cost.requests), "bytes": .whole(cost.bytes)]
        }
        return .object([
            "reasons": .object(
                Dictionary(uniqueKeysWithValues: uncached.byReason.map { ($0.reason.word, .object(members($0.cost))) })),
            "costliest": .list(
                uncached.costliest().map {
                    .object(
                        members($0.cost).merging(["url": .text($0.name), "reason": .text($0.reason.word)]) { old, _ in
                            old
                        })
                }),
        ])
    }
}
