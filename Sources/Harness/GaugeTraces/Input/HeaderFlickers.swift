/// The differences of sizes that come and go: those of headers are the same few bytes at many objects, and a changed body
/// differs by any number of them and stays.
struct HeaderFlickers {
    /// By difference, the objects at which it came and went; saturating.
    private var objects = [UInt8](repeating: 0, count: SettledSizes.headerWorth + 1)
    /// By difference, the objects whose first response differed by it from the second: a server's cache says that it had a
    /// miss, and then hits.
    private var firsts = [UInt8](repeating: 0, count: SettledSizes.headerWorth + 1)
    /// Objects at which a size came back, and those that had two sizes near each other.
    private var returning = 0
    private var varying = 0

    /// Whether a difference came and went at two objects or more, or was that of the first response at three.
    func isKnown(_ difference: Int) -> Bool {
        difference < objects.count && (objects[difference] >= 2 || firsts[difference] >= 3)
    }

    /// Whether the log as a whole looks like one that counts headers: sizes come back at most objects that have several.
    var areOfHeaders: Bool { returning >= 3 && returning * 2 >= varying }

    /// Notes the sizes of one object in a block.
    mutating func note(_ sizes: [LoggedSize], after version: SizeVersion?) {
        var lastPlaces: [Int: Int] = [:]
        for (place, logged) in sizes.enumerated() { lastPlaces[logged.bytes] = place }
        var differences: Set<Int> = []
        var hasNear = false
        var before = version?.size ?? sizes[0].bytes
        for (place, logged) in sizes.enumerated() {
            let difference = abs(logged.bytes - before)
            if difference > 0, difference <= SettledSizes.headerWorth {
                hasNear = true
                if let last = lastPlaces[before], last > place { differences.insert(difference) }
            }
            before = logged.bytes
        }
        if version == nil, sizes.count > 1 {
            let first = abs(sizes[1].bytes - sizes[0].bytes)
            if first > 0, first < firsts.count, firsts[first] < .max { firsts[first] += 1 }
        }
        if hasNear { varying += 1 }
        if !differences.isEmpty { returning += 1 }
        for difference in differences where objects[difference] < .max { objects[difference] += 1 }
    }
}

/// Whether a log counts bodies or whole responses, by the lines that tell.
struct HeaderVotes {
    private var bodies = 0
    private var responses = 0

    mutating func add(_ request: TraceRequest) {
        switch request.counted {
        case .body: bodies += 1
        case .response, .sameResponse: responses += 1
        case .unknown: break
        }
    }

    /// What the log counts.
    var decision: CountedBytes {
        if responses > bodies { return .response }
        return bodies > 0 ? .body : .unknown
    }
}
