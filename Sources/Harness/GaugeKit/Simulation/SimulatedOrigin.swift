// Invariant of the pointers: a body's room has at least its size, and `Payload.write` writes every byte of it.

import GaugeTraces
import Platform

/// The origin of a simulation. Its answers depend on workload, seed, time, and earlier PUT requests.
///
/// Each object has a class of caching fields, a size and a version. The version changes at times set by the class, and
/// with each PUT. The body states its key and version.
///
/// `@unchecked Sendable`: every variable is accessed only under the lock.
public final class SimulatedOrigin: @unchecked Sendable {
    package struct Reply {
        /// The representation's key: the object's id in the low bits, the variant above it.
        package let key: UInt64
        package let version: UInt64
        package let request: SimulatedRequest
        /// The response as received; its status is 200 even if a 304 was sent.
        package let received: ReceivedResponse
        /// Bytes of the body that was sent; 0 with a 304.
        package let sentBytes: Int
    }

    /// Counts of the origin's work so far.
    package struct Totals: Equatable {
        package var requests = 0
        package var notModified = 0
        package var bodyBytes = 0
    }

    private let workload: Workload
    private let start: Int64
    private let urls: RequestURLs
    private let lock = Lock()
    private var ids: [String: UInt64] = [:]
    private var puts: [UInt64: [Int64]] = [:]
    private var counted = Totals()
    private var news: [Reply] = []

    /// The origin of a workload that begins at `start`, seconds since 1970.
    package init(_ workload: Workload, start: Int64) {
        self.workload = workload
        self.start = start
        urls = RequestURLs(seed: workload.seed)
    }

    /// Answers a request that arrives at `moment`, seconds since 1970.
    public func answer(_ request: SimulatedRequest, at moment: Int64) -> SimulatedResponse {
        lock.withLock {
            counted.requests += 1
            guard let id = ids[request.url] else { return SimulatedResponse(status: 404) }
            if request.method == "PUT" {
                puts[id, default: []].append(moment)
                return SimulatedResponse(status: 204, fields: [HeaderField("Date", HTTPDateText.at(moment))])
            }
            return get(request, id, moment)
        }
    }

    /// The URL of an object, which the origin knows from now on.
    package func url(of id: UInt64) -> String {
        lock.withLock {
            let url = urls.url(for: id)
            ids[url] = id
            return url
        }
    }

    package func version(of id: UInt64, at moment: Int64) -> UInt64 { lock.withLock { state(id, at: moment).version } }

    package var totals: Totals { lock.withLock { counted } }

    /// The replies since the last call, in order.
    package func takeReplies() -> [Reply] {
        lock.withLock {
            defer { news.removeAll(keepingCapacity: true) }
            return news
        }
    }

    /// The key in a representation's body: at most 40 bits of id, 24 of variant.
    package static func key(of id: UInt64, variant: UInt64) -> UInt64 { id | variant << 40 }

    private func get(_ request: SimulatedRequest, _ id: UInt64, _ moment: Int64) -> SimulatedResponse {
        let headers = workload.headers(of: id)
        let state = state(id, at: moment)
        let variant = headers.vary.isEmpty ? 0 : Self.variant(request.value(of: headers.vary))
        let tag = "\"\(state.version)-\(variant)\""
        let changed = HTTPDateText.at(state.changed)
        var fields = [HeaderField("Date", HTTPDateText.at(moment)), HeaderField("Content-Type", "image/webp")]
        if let cacheControl = headers.cacheControl { fields.append(HeaderField("Cache-Control", cacheControl)) }
        if headers.etag { fields.append(HeaderField("ETag", tag)) }
        if headers.lastModified != nil { fields.append(HeaderField("Last-Modified", changed)) }
        if !headers.vary.isEmpty { fields.append(HeaderField("Vary", headers.vary)) }
        let key = Self.key(of: id, variant: variant)
        func note(sent: Int) {
            news.append(
                Reply(
                    key: key, version: state.version, request: request,
                    received: ReceivedResponse(status: 200, fields: fields, moment: moment), sentBytes: sent))
        }
        // If-None-Match takes precedence over If-Modified-Since (RFC 9110, section 13.1.3).
        let isUnchanged =
            request.value(of: "If-None-Match").map { fields.contains(HeaderField("ETag", $0)) }
            ?? request.value(of: "If-Modified-Since").map { fields.contains(HeaderField("Last-Modified", $0)) } ?? false
        if isUnchanged {
            counted.notModified += 1
            note(sent: 0)
            return SimulatedResponse(status: 304, fields: fields)
        }
        let body = [UInt8](unsafeUninitializedCapacity: workload.sizes.size(of: id)) { room, count in
            count = workload.sizes.size(of: id)
            Payload.write(
                UnsafeMutableRawBufferPointer(start: room.baseAddress, count: count), key: key, version: state.version)
        }
        counted.bodyBytes = counted.bodyBytes.addingClamped(body.count)
        note(sent: body.count)
        return SimulatedResponse(status: 200, fields: fields, body: body)
    }

    /// Version and time of the last change.
    private func state(_ id: UInt64, at moment: Int64) -> (version: UInt64, changed: Int64) {
        let headers = workload.headers(of: id)
        let bits = SplitMix64.mix(SplitMix64.derive(workload.seed, "changes") ^ SplitMix64.mix(id))
        // From 0.5 to 1.5 times the class's value.
        let age = Int64(Double(headers.lastModified ?? 0) * (0.5 + Double(bits >> 40) * 0x1p-24))
        var (version, changed): (UInt64, Int64) = (1, start - age)
        if let every = headers.changesEvery.map(Int64.init), every > 0 {
            // Spreads the changes: the objects of one class don't all change at once.
            let phase = Int64(bits & 0xFFFF_FFFF) % every
            let changes = max(0, (moment - start + phase) / every)
            version += UInt64(changes)
            if changes > 0 { changed = max(changed, start - phase + changes * every) }
        }
        let put = puts[id] ?? []
        return (version + UInt64(put.count), max(changed, put.last ?? changed))
    }

    /// The number at the end of a request field that tells variants apart.
    package static func variant(_ value: String?) -> UInt64 { value.flatMap { UInt64($0.drop { !$0.isNumber }) } ?? 0 }
}

extension SimulatedRequest {
    package func value(of name: String) -> String? {
        let wanted = name.lowercased()
        return fields.first { $0.name.lowercased() == wanted }?.value
    }
}
