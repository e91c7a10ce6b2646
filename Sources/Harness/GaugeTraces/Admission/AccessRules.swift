import GaugeSupport

/// Turns the requests of a trace into accesses of a cache, for simulation and replay alike: what HTTP lets a cache
/// answer and store, for how long, how large an object is, and what its entry costs.
///
/// A 304 counts as the response that it confirms, whatever the format. A response that says nothing about the resource
/// (a part, an error on the way) changes neither the entry nor the size.
///
/// Takes 48 to 96 bytes per object, and half as much again while the table grows; 8 more in a trace with URLs, and what
/// ``RenewedFields`` takes in one with header fields.
package struct AccessRules {
    /// Decides which responses may be reused and stored, if the trace has HTTP metadata.
    package var caching: any CachingRules = RulesOfThumb()
    /// Sizes of objects, for traces without sizes.
    package var sizes: BodySizes
    /// URLs of objects, for traces without URLs.
    package var urls: RequestURLs
    /// The rule by which the cache counts and admits entries.
    package var admission = AdmissionRule.any
    /// What it means that a size differs from the last one.
    package var sizeChanges = SizeChanges.version
    /// Whether sizes matter. If not, the capacity counts entries, and every entry costs 1.
    package var countsBytes = true
    package var objects = TracedObjects()
    /// The requests so far whose object had another size than at the request before.
    package private(set) var changes = ChangedSizes()
    /// The requests so far that no cache with these rules answers, if the trace has HTTP metadata.
    package private(set) var uncached = UncachedRequests()
    /// The cost of the largest entry that the cache keeps.
    package var largestEntry = Int.max
    /// The other objects whose entries the answer to the last request ended.
    package internal(set) var invalidated: [InvalidatedObject] = []
    /// Tells the variants of a URL apart.
    var variants = TracedVariants()
    private var renewed = RenewedFields()
    /// By object, until when a cache without limits would answer; those beyond the end have no entry there.
    var heldUntil: [Double] = []
    private var now = -Double.infinity

    /// Rules that admit everything, for traces without HTTP metadata.
    package init(sizes: BodySizes, urls: RequestURLs) {
        self.sizes = sizes
        self.urls = urls
    }

    package mutating func access(_ request: TraceRequest) -> TraceAccess {
        if !invalidated.isEmpty { invalidated = [] }
        if request.url == nil, request.exchange == nil { return access(plain: PlainRequest(request)) }
        var verdict = request.exchange.map { renewed.verdict(on: $0, of: request.id, caching) } ?? .unlimited
        let variant = variants.variant(of: request, verdict, caching)
        if let variant, let exchange = request.exchange {
            verdict = renewed.verdict(on: exchange, of: variant, or: request.id, caching)
        }
        let id = variant ?? request.id
        let place = objects.place(of: id)
        var object = objects[place]
        now = max(now, request.time ?? now)
        if object.keyCost == TracedObjects.Object.unknown {
            object.keyCost = keyCost(of: id, url: TracedVariants.url(request.url, of: variant))
        }
        let isOfObject = verdict.freshSeconds != nil || verdict.mayBeAnswered && verdict.invalidates
        let known = object.knownSize
        // A request that bypasses the cache counts with the size of its own response.
        let isPassed = !isOfObject && !verdict.mayBeAnswered
        let stated = isOfObject || isPassed ? request.size ?? known : known ?? request.size
        let size = stated ?? sizes.size(of: id)
        let isChanged = isOfObject && object.size >= 0 && object.size != size && tellsSizesApart
        if isChanged { changes.note(from: object.size, to: size) }
        // An assumed size is no version: when the trace first states a size, the object hasn't changed, and the entry
        // gets it.
        let isCorrected = isOfObject && object.isAssumed && request.size != nil && known != size
        if isOfObject { object.size = request.size != nil || object.size >= 0 ? size : -2 - size }
        objects[place] = object
        let cost = cost(of: object, size: size)
        let access = TraceAccess(
            place: place, object: object.number, size: size, cost: cost,
            isChanged: isChanged, now: now, mayBeAnswered: verdict.mayBeAnswered,
            response: response(to: request, verdict, size: size), arrival: arrival(of: request),
            updatesCost: countsBytes && (sizeChanges == .update || sizeChanges.tellsVersions && isCorrected),
            hasKey: object.keyCost != TracedObjects.Object.refused, variant: variant,
            isHead: request.exchange?.method == "HEAD")
        note(access, request, verdict.reason, entry: reason(against: object, size: size, cost: cost))
        endNamedEntries(request, verdict)
        return access
    }

    /// Notes why a request isn't answered, unless a cache without limits answers it.
    ///
    /// - Parameters:
    ///   - reason: why it isn't, or its response is of no use.
    ///   - entry: why the cache keeps no entry of the object.
    private mutating func note(
        _ access: TraceAccess, _ request: TraceRequest, _ reason: UncachedReason?, entry: UncachedReason?
    ) {
        while heldUntil.count <= access.object { heldUntil.append(-.infinity) }
        let isFresh = !access.isChanged && access.now < heldUntil[access.object]
        if entry == nil, access.mayBeAnswered, isFresh { return }
        switch access.response {
        case .stored(let expiry): heldUntil[access.object] = entry == nil ? expiry : -.infinity
        case .removes: heldUntil[access.object] = -.infinity
        case .keeps: break
        }
        if let reason = reason ?? entry { uncached.note(reason, request, bytes: request.size ?? access.requested) }
    }

    /// The access of a request without URL and HTTP metadata.
    package mutating func access(plain request: PlainRequest) -> TraceAccess {
        let place = objects.place(of: request.id)
        let access = access(request, at: place)
        let response: TraceAccess.Response =
            countsBytes && access.size > admission.bodies.upperBound ? .removes : .stored(expiry: .infinity)
        return TraceAccess(
            place: place, object: Int(access.object), size: access.size, cost: access.cost,
            isChanged: access.isChanged, now: now, mayBeAnswered: true,
            response: response, updatesCost: sizeChanges == .update && countsBytes, hasKey: access.mayBeAnswered)
    }

    /// The same, in the form that simulations read.
    @inline(__always)
    mutating func access(_ request: PlainRequest) -> SimulatedAccess {
        access(request, at: objects.place(of: request.id))
    }

    @inline(__always)
    private mutating func access(_ request: PlainRequest, at place: Int) -> SimulatedAccess {
        let past = objects[place]
        if past.keyCost == TracedObjects.Object.unknown { objects[place].keyCost = keyCost(of: request.id, url: nil) }
        now = max(now, request.time)
        let size = request.size >= 0 ? request.size : past.size >= 0 ? past.size : sizes.size(of: request.id)
        let isChanged = past.size >= 0 && past.size != size && tellsSizesApart
        if isChanged { changes.note(from: past.size, to: size) }
        if past.size != size { objects[place].size = size }
        let isTooLarge = countsBytes && size > admission.bodies.upperBound
        let object = objects[place]
        return SimulatedAccess(
            object: object.number, size: size, cost: cost(of: object, size: size), now: now,
            effect: object.keyCost == TracedObjects.Object.refused ? .keeps : isTooLarge ? .removes : .stores,
            mayBeAnswered: object.keyCost != TracedObjects.Object.refused,
            isChanged: isChanged)
    }

    /// The objects that can have an entry (those with a key and a body), by cost.
    package var workingSet: WorkingSet {
        var costs: [Int] = []
        objects.forEach { object in
            guard object.keyCost != TracedObjects.Object.refused, let size = object.knownSize else { return }
            costs.append(cost(of: object, size: size))
        }
        return WorkingSet(costs)
    }

    /// Why the cache keeps no entry of an object whose responses may be stored.
    private func reason(against object: TracedObjects.Object, size: Int, cost: Int) -> UncachedReason? {
        if object.keyCost == TracedObjects.Object.refused { return .url }
        return countsBytes && (size > admission.bodies.upperBound || cost > largestEntry) ? .tooLarge : nil
    }

    var tellsSizesApart: Bool { sizeChanges.tellsVersions && countsBytes }

    func response(to request: TraceRequest, _ verdict: CachingVerdict, size: Int) -> TraceAccess.Response {
        guard let seconds = verdict.freshSeconds else { return verdict.invalidates ? .removes : .keeps }
        guard !countsBytes || size <= admission.bodies.upperBound else { return .removes }
        // A response that is stale at once never answers, not even a request that comes while it is on its way.
        guard seconds > 0 else { return .stored(expiry: -.infinity) }
        guard seconds < .max, request.exchange?.sent != nil else { return .stored(expiry: .infinity) }
        return .stored(expiry: arrival(of: request) + Double(seconds))
    }

    /// When the head of the response was received.
    private func arrival(of request: TraceRequest) -> Double {
        guard let exchange = request.exchange, let sent = exchange.sent else { return -.infinity }
        return sent + exchange.headDelay
    }

    private func cost(of object: TracedObjects.Object, size: Int) -> Int {
        guard countsBytes else { return 1 }
        return max(size, admission.bodies.lowerBound).addingClamped(Int(max(0, object.keyCost)))
    }

    private mutating func keyCost(of id: UInt64, url: String?) -> Int32 {
        guard let keyBytes = admission.keyBytes else { return Int32(clamping: admission.overhead) }
        guard let url else { return Int32(clamping: urls.count(of: id).addingClamped(admission.overhead)) }
        let count = keyBytes(url)
        uncached.noteKey(isRefused: count == nil)
        guard let count else { return TracedObjects.Object.refused }
        return Int32(clamping: count.addingClamped(admission.overhead))
    }
}

/// The HTTP rules that the replay of a trace needs. GaugeKit has none: the executable supplies an implementation that
/// it trusts (`Gauge.cachingRules`).
package protocol CachingRules: Sendable {
    /// What a private cache may do with an exchange.
    func verdict(on exchange: HTTPExchange) -> CachingVerdict
    /// The fields of a request that select among the stored responses of its URL (RFC 9111, section 4.1), in a form
    /// that is equal for requests that one response may answer. Empty if nothing selects, which is the default.
    ///
    /// - Parameter vary: the value of the responses' `Vary`.
    func selection(of request: [HTTPExchange.Field], by vary: [UInt8]) -> [UInt8]
    /// The other URLs, absolute, whose stored responses the successful answer to an unsafe request ends (RFC 9111,
    /// section 4.4). None by default.
    func invalidated(by exchange: HTTPExchange, url: String) -> [String]
}

extension CachingRules {
    package func selection(of request: [HTTPExchange.Field], by vary: [UInt8]) -> [UInt8] { [] }
    package func invalidated(by exchange: HTTPExchange, url: String) -> [String] { [] }
}

/// What a private cache may do with one exchange of a trace.
package struct CachingVerdict: Hashable, Sendable {
    /// Whether a fresh stored response may answer the request.
    package var mayBeAnswered: Bool
    /// Seconds for which the response may be reused after it was received: 0 if it is stale at once, `nil` if it may
    /// not be stored.
    package var freshSeconds: Int64?
    /// Whether the origin's answer ends the use of the stored response: an unsafe method succeeded, or the response
    /// shows that the stored one is outdated but may not be stored itself. A part (206) and errors on the way (5xx, and
    /// 4xx except 404 and 410) don't.
    package var invalidates: Bool
    /// Why the request is not answered, or its response not stored or stale at once; `nil` if it is of use.
    package var reason: UncachedReason?

    /// Creates a verdict.
    package init(mayBeAnswered: Bool, freshSeconds: Int64?, invalidates: Bool = false, reason: UncachedReason? = nil) {
        (self.mayBeAnswered, self.freshSeconds, self.invalidates) = (mayBeAnswered, freshSeconds, invalidates)
        self.reason = reason
    }

    /// Fresh for ever: the verdict for traces without header fields.
    package static let unlimited = CachingVerdict(mayBeAnswered: true, freshSeconds: .max)
}

/// The default rules: a GET answered with 200 is stored and never becomes stale. It answers a HEAD, too.
package struct RulesOfThumb: CachingRules {

    package init() {}
    package func verdict(on exchange: HTTPExchange) -> CachingVerdict {
        guard exchange.method == "GET" else {
            let isSafe = ["HEAD", "OPTIONS", "TRACE"].contains(exchange.method)
            return CachingVerdict(
                mayBeAnswered: exchange.method == "HEAD", freshSeconds: nil,
                invalidates: !isSafe && (200..<400).contains(exchange.status),
                reason: .method)
        }
        return CachingVerdict(
            mayBeAnswered: exchange.status != 206, freshSeconds: exchange.status == 200 ? .max : nil,
            invalidates: exchange.status != 200 && exchange.supersedes,
            reason: exchange.status == 200 ? nil : exchange.status == 206 ? .part : .status(exchange.status))
    }
}

extension HTTPExchange {
    /// Whether the answer to a GET is about the resource itself, and so replaces the stored one even if it may not be
    /// stored: a success, a redirection, or the notice that the resource is gone.
    package var supersedes: Bool {
        switch status {
        case 206, 304: false
        case 200...399, 404, 410: true
        default: false
        }
    }
}

/// What an entry costs in a cache, and the largest entry that the cache admits. A simulation that shares this with the
/// cache has the same hits.
public struct AdmissionRule: Sendable {
    /// Bytes of the key that the cache makes of a URL; `nil` if it makes none. Without this closure, keys aren't
    /// counted and every URL is accepted.
    public var keyBytes: (@Sendable (_ url: String) -> Int?)?
    /// Bytes counted for each entry beside key and body.
    public var overhead: Int
    /// An entry that costs more than the capacity divided by this number isn't admitted, and the earlier entry of its
    /// key is removed. At least 1.
    public var share: Int
    /// Bytes of the shortest and of the longest body of a replay. Shorter ones are lengthened so that they can name
    /// their keys; longer ones aren't stored.
    package var bodies: ClosedRange<Int>

    /// The rule of a cache that a replay can send requests to.
    public init(keyBytes: (@Sendable (_ url: String) -> Int?)?, overhead: Int, share: Int) {
        self.keyBytes = keyBytes
        self.overhead = max(0, overhead)
        self.share = max(1, share)
        bodies = Payload.headerCount...Self.longestBody
    }

    /// Any body that fits, at the cost of its length, as simulators of caches count.
    package static let any: AdmissionRule = {
        var rule = AdmissionRule(keyBytes: nil, overhead: 0, share: 1)
        rule.bodies = 0...Int.max
        return rule
    }()

    /// The longest body given to a cache, bytes.
    package static let longestBody = 256 << 20

    /// The cost of the largest entry that is admitted.
    package func largest(ofCapacity capacity: Int) -> Int { capacity / share }
}

extension AdmissionRule: CustomStringConvertible {
    /// `an entry counts its key, its body and 128 bytes, and none above 5 % of the capacity is kept`.
    public var description: String {
        let parts = keyBytes == nil ? "its body" : "its key, its body and \(overhead) bytes"
        let limit = share == 1 ? "the capacity" : "\(JSONFields.text(100 / Double(share))) % of the capacity"
        return "an entry counts \(parts), and none above \(limit) is kept"
    }
}
