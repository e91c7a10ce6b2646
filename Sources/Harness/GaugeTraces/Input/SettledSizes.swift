/// Gives requests the size of their object's version, in logs that count whole responses: one unchanged body is logged
/// with several sizes there, since the header counts, and `Keep-Alive: max=99` is a byte shorter than `max=100`.
///
/// Sizes of one object that differ by at most ``headerWorth`` are one version or two: a header flickers back and forth,
/// by the same few bytes at many objects, while a change stays. You only see that later, so requests wait in blocks of
/// 16,384. Logs that count bodies are passed on unchanged, at once when they show it: a 304 or an answer to HEAD has no
/// bytes there, and a few hundred where the header counts.
///
/// Takes 64 bytes per object, and the requests of a block.
struct SettledSizes {
    /// The most bytes by which the headers of two responses with one body may differ.
    static let headerWorth = 512
    private static let block = 1 << 14

    /// What was changed so far.
    private(set) var summary = SettledSizesSummary()
    private let isNeeded: (@Sendable (UInt64) -> Bool)?
    /// In order while the block is filled, then reversed, so that each is moved out of the end.
    private var waiting: [TraceRequest] = []
    private var votes = HeaderVotes()
    private var versions: [UInt64: SizeVersion] = [:]
    private var flickers = HeaderFlickers()
    /// Whether the log counts bodies, so that nothing more is changed.
    private(set) var isPassing = false
    /// Whether sizes may have been changed in this block.
    var isSettling: Bool { votes.decision != .body }
    private var fault: TraceError?
    private var isAtEnd = false

    /// - Parameter isNeeded: whether an object's sizes are used; `nil` for every object.
    init(isNeeded: (@Sendable (UInt64) -> Bool)? = nil) { self.isNeeded = isNeeded }

    /// The next request, `nil` at the end.
    ///
    /// - Throws: an error of `read`, once the requests before it have been passed on.
    mutating func next(_ read: () throws(TraceError) -> TraceRequest?) throws(TraceError) -> TraceRequest? {
        if waiting.isEmpty {
            if isPassing { return try read() }
            if let fault {
                self.fault = nil
                isAtEnd = true
                throw fault
            }
            guard !isAtEnd else { return nil }
            fill(read)
            if waiting.isEmpty { return try next(read) }
        }
        return waiting.removeLast()
    }

    /// The next request of the block; `nil` if one has to be filled.
    mutating func popReady() -> TraceRequest? { waiting.popLast() }

    private mutating func fill(_ read: () throws(TraceError) -> TraceRequest?) {
        waiting.removeAll(keepingCapacity: true)
        defer { waiting.reverse() }
        while waiting.count < Self.block {
            do throws(TraceError) {
                guard let request = try read() else {
                    isAtEnd = true
                    break
                }
                votes.add(request)
                waiting.append(request)
            } catch {
                fault = error
                break
            }
        }
        guard votes.decision != .body else {
            isPassing = !isAtEnd && fault == nil
            (versions, flickers) = ([:], HeaderFlickers())
            return
        }
        settle()
    }

    private mutating func settle() {
        let (places, following) = groups()
        var varying: [UInt64: [LoggedSize]] = [:]
        for (key, first) in places {
            if isVarying(first, following, versions[key]) {
                varying[key] = Self.sizes(first, following, waiting)
            } else if versions[key] == nil {
                versions[key] = SizeVersion(waiting[first].size ?? 0)
            }
        }
        for (key, sizes) in varying { flickers.note(sizes, after: versions[key]) }
        let isOfResponses = votes.decision == .response || flickers.areOfHeaders
        for (key, sizes) in varying {
            let settled = SizeVersion.settle(sizes, &versions[key], flickers, isOfResponses: isOfResponses)
            var place = places[key] ?? -1
            for size in settled where place >= 0 {
                summary.note(logged: waiting[place].size ?? size, settled: size)
                waiting[place].size = size
                place = Int(following[place])
            }
        }
    }

    /// Whether an object has several sizes in the block, or another one than before.
    private func isVarying(_ first: Int, _ following: [Int32], _ version: SizeVersion?) -> Bool {
        let size = version?.size ?? waiting[first].size
        var place = first
        while place >= 0 {
            if waiting[place].size != size { return true }
            place = Int(following[place])
        }
        return false
    }

    /// The first request of each object in the block, and for each request the object's next one.
    private func groups() -> (first: [UInt64: Int], following: [Int32]) {
        var first: [UInt64: Int] = [:]
        var last: [UInt64: Int] = [:]
        var following = [Int32](repeating: -1, count: waiting.count)
        for (place, request) in waiting.enumerated() {
            guard let key = Self.key(of: request), isNeeded?(request.id) ?? true else { continue }
            if let before = last.updateValue(place, forKey: key) {
                following[before] = Int32(truncatingIfNeeded: place)
            } else {
                first[key] = place
            }
        }
        return (first, following)
    }

    /// Identifies object and status, since an error has another body; `nil` if there's no whole body.
    private static func key(of request: TraceRequest) -> UInt64? {
        guard request.size != nil, request.counted != .body, let exchange = request.exchange,
            exchange.method == "GET", exchange.status != 206
        else { return nil }
        return request.id &+ UInt64(truncatingIfNeeded: exchange.status) &* 0x9E37_79B9_7F4A_7C15
    }

    private static func sizes(_ first: Int, _ following: [Int32], _ requests: [TraceRequest]) -> [LoggedSize] {
        var sizes: [LoggedSize] = []
        var place = first
        while place >= 0 {
            sizes.append(LoggedSize(requests[place].size ?? 0, isSame: requests[place].counted == .sameResponse))
            place = Int(following[place])
        }
        return sizes
    }
}

/// What ``SettledSizes`` changed.
package struct SettledSizesSummary: Hashable, Sendable {
    /// Requests whose logged size wasn't that of their object's version.
    package private(set) var count = 0
    /// The largest difference, bytes.
    package private(set) var most = 0

    package init() {}

    mutating func note(logged: Int, settled: Int) {
        guard logged != settled else { return }
        count += 1
        most = max(most, abs(logged - settled))
    }
}
