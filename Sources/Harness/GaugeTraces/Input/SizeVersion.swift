struct LoggedSize: Hashable {
    let bytes: Int
    /// Whether the log says that the body is the same as before.
    let isSame: Bool

    init(_ bytes: Int, isSame: Bool = false) { (self.bytes, self.isSame) = (bytes, isSame) }
}

/// One version of an object in a log that counts whole responses: the first logged size, which stands for all, and the
/// other sizes seen last.
struct SizeVersion {
    private static let most = 6

    /// The size that stands for the version.
    let size: Int
    private var others: [Int32] = []

    init(_ size: Int) { self.size = size }

    func has(_ bytes: Int) -> Bool { bytes == size || others.contains { Int($0) == bytes - size } }

    /// Whether the sizes differ by no more than headers do.
    func isNear(_ bytes: Int) -> Bool { abs(bytes - size) <= SettledSizes.headerWorth }

    private var isFlickering: Bool { !others.isEmpty }

    private mutating func add(_ bytes: Int) {
        guard !has(bytes) else { return }
        if others.count == Self.most { others.removeFirst() }
        others.append(Int32(truncatingIfNeeded: bytes - size))
    }

    private func differs(from bytes: Int, byOneOf flickers: HeaderFlickers) -> Bool {
        flickers.isKnown(abs(bytes - size)) || others.contains { flickers.isKnown(abs(bytes - size - Int($0))) }
    }

    /// The versions' sizes for logged sizes of one object, in their order.
    ///
    /// - Parameters:
    ///   - version: the last version before them; on return, the last of them.
    ///   - flickers: the differences that come and go at many objects.
    ///   - isOfResponses: whether the log is known to count headers. If not, only sizes that come and go are one
    ///     version.
    static func settle(
        _ sizes: [LoggedSize], _ version: inout SizeVersion?, _ flickers: HeaderFlickers, isOfResponses: Bool
    ) -> [Int] {
        var lastPlaces: [Int: Int]?
        var settled: [Int] = []
        settled.reserveCapacity(sizes.count)
        for (place, logged) in sizes.enumerated() {
            guard var current = version else {
                version = SizeVersion(logged.bytes)
                settled.append(logged.bytes)
                continue
            }
            if !current.has(logged.bytes) {
                if lastPlaces == nil { lastPlaces = Self.lastPlaces(sizes) }
                let isOne =
                    current.isNear(logged.bytes)
                    && (logged.isSame || current.differs(from: logged.bytes, byOneOf: flickers)
                        || current.returns(after: place, lastPlaces ?? [:])
                        || (isOfResponses || current.isFlickering) && !stays(place, sizes, unlike: current)
                            && !wanders(sizes, lastPlaces ?? [:]))
                if isOne { current.add(logged.bytes) } else { current = SizeVersion(logged.bytes) }
                version = current
            }
            settled.append(current.size)
        }
        return settled
    }

    /// Whether one of the version's sizes is logged again later.
    private func returns(after place: Int, _ lastPlaces: [Int: Int]) -> Bool {
        if let last = lastPlaces[size], last > place { return true }
        return others.contains { offset in lastPlaces[size + Int(offset)].map { $0 > place } ?? false }
    }

    /// Whether a size new to the version is there to stay: the next response has it too, or squid has two hits after
    /// it, unlike those before.
    private static func stays(_ place: Int, _ sizes: [LoggedSize], unlike version: SizeVersion) -> Bool {
        let next = sizes[(place + 1)...].prefix { $0.isSame }
        if next.count >= 2, next.allSatisfy({ !version.has($0.bytes) }) { return true }
        return next.isEmpty && place + 1 < sizes.count && sizes[place + 1].bytes == sizes[place].bytes
    }

    /// Whether nearly every response has another size, i.e. the body is made for each request.
    private static func wanders(_ sizes: [LoggedSize], _ lastPlaces: [Int: Int]) -> Bool {
        lastPlaces.count > 4 && lastPlaces.count * 2 > sizes.count && !sizes.contains(where: \.isSame)
    }

    private static func lastPlaces(_ sizes: [LoggedSize]) -> [Int: Int] {
        var places: [Int: Int] = [:]
        for (place, logged) in sizes.enumerated() { places[logged.bytes] = place }
        return places
    }
}

/// The differences that come and go. Those of headers are the same few bytes at many objects; a changed body differs by
/// any number of bytes, and stays.
struct HeaderFlickers {
    /// By difference, at how many objects it came and went; saturating.
    private var objects = [UInt8](repeating: 0, count: SettledSizes.headerWorth + 1)
    /// By difference, at how many objects the first response differed by it from the second: a server's cache reports a
    /// miss, and then hits.
    private var firsts = [UInt8](repeating: 0, count: SettledSizes.headerWorth + 1)
    /// How many objects had a size come back, and how many had two sizes near each other.
    private var returning = 0
    private var varying = 0

    /// Whether a difference came and went at two objects or more, or was the first response's at three.
    func isKnown(_ difference: Int) -> Bool {
        difference < objects.count && (objects[difference] >= 2 || firsts[difference] >= 3)
    }

    /// Whether the log seems to count headers: sizes come back at most of the objects that have several.
    var areOfHeaders: Bool { returning >= 3 && returning * 2 >= varying }

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

/// Whether a log counts bodies or whole responses, according to the lines that show it.
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

    var decision: CountedBytes {
        if responses > bodies { return .response }
        return bodies > 0 ? .body : .unknown
    }
}
