import CacheTiers
import HTTPCache
import HTTPSemantics

/// Foundation's requests and responses, in and out of the store.
extension ResponseCache {
    /// What a session adds to a change it makes through a subclass, because URLCache's interface has no place for it.
    enum SessionChange: Sendable {
        /// Stores a response. With `confirms`, the origin has confirmed that stored response.
        case store(StoringTimes, confirms: StoredResponse?)
        case remove(RemovalReason)
    }

    @TaskLocal static var sessionChange: SessionChange?

    /// See `cachedResponse(for:)`.
    ///
    /// While an entry stays in memory, all hits by the canonical spelling of its URL get the object made for the first,
    /// as long as there is room for it (`DecodedMemory`): Foundation's types cost more to make than the lookup. Other
    /// spellings, e.g. with a fragment, get objects with their own URL.
    func find(_ request: URLRequest) -> CachedURLResponse? {
        // A HEAD is answered from a stored GET. Foundation is slow to tell the method, so ask only once.
        let method = request.method
        guard method == "GET" || method == "HEAD", let url = request.url else { return nil }
        var text = url.absoluteString
        guard let response = find(&text, url, request) else { return nil }
        if let recorder, method == "GET" {
            let now = SystemClock().now
            let status = (response.response as? HTTPURLResponse)?.statusCode ?? 0
            if !recorder.noteHit(text, status: status, size: response.data.count, at: now),
                let answer = RecordedAnswer(response)
            {
                recorder.note(text, answer, at: now)
            }
        }
        return response
    }

    @inline(__always)
    private func find(_ text: inout String, _ url: URL, _ request: URLRequest) -> CachedURLResponse? {
        if request.namesHost {
            return store.lookup(HTTPRequest(request)).flatMap {
                CachedURLResponse.make($0.entry, in: $0.tier, url: url, isCanonical: false, decoded)
            }
        }
        let found = text.withUTF8 { bytes in
            store.lookupHandout(url: UnsafeRawBufferPointer(bytes), request: HTTPRequest(request))
        }
        switch found {
        case nil: return nil
        case .handout(let handout): return handout as? CachedURLResponse
        case .entry(let entry, let tier, let takesHandout):
            guard let response = CachedURLResponse.make(entry, in: tier, url: url, isCanonical: takesHandout, decoded)
            else { return nil }
            if takesHandout, entry.attachment != nil { entry.keepHandout(response) }
            return response
        }
    }

    /// See `storeCachedResponse(_:for:)`.
    func keep(_ cachedResponse: CachedURLResponse, _ request: URLRequest) {
        guard request.canBeStored else { return }
        let data = ApplicationData(cachedResponse.userInfo)
        let storedAt = now().storedAt
        if let recorder, let url = request.url, let answer = RecordedAnswer(cachedResponse) {
            recorder.note(url.absoluteString, answer, at: SystemClock().now)
        }
        if !keepPlain(cachedResponse, request, data, storedAt) { keepAny(cachedResponse, request, data, storedAt) }
        decoded.settle()
    }

    /// Writes the fields into the entry straight from Foundation's dictionary.
    ///
    /// - Returns: `false` if that doesn't do; see `ResponseStore.storePlain`.
    private func keepPlain(
        _ cachedResponse: CachedURLResponse, _ request: URLRequest, _ data: ApplicationData, _ storedAt: Int64
    ) -> Bool {
        guard Self.sessionChange == nil, !request.namesHost, let url = request.url,
            let response = cachedResponse.response as? HTTPURLResponse, let fields = response.keptFields
        else { return false }
        let room = fields.reduce(FieldLineWriter.slack) { $0 + FieldLineWriter.byteCount($1.key, $1.value) }
        guard room <= 1 << 16 else { return false }
        let seconds = CacheTime(microseconds: storedAt).seconds
        var text = url.absoluteString
        return withUnsafeTemporaryAllocation(byteCount: room, alignment: 8) { bytes -> Bool in
            guard var lines = FieldLineWriter(bytes, now: seconds) else { return false }
            for (name, value) in fields { lines.append(name, value) }
            guard let values = lines.storableValues else { return false }
            let written = UnsafeRawBufferPointer(rebasing: bytes[..<lines.count])
            return cachedResponse.data.withUnsafeBytes { body in
                text.withUTF8 { url in
                    store.storePlain(
                        url: UnsafeRawBufferPointer(url),
                        values: ResponseValues(status: response.statusCode, fields: values), lines: written, body: body,
                        applicationData: data.encoded, policy: cachedResponse.policy(data), seconds: seconds,
                        storedAt: storedAt, attachment: data.attachment(in: decoded), attachedCount: data.attachedCount)
                } != nil
            }
        }
    }

    private func keepAny(
        _ cachedResponse: CachedURLResponse, _ request: URLRequest, _ data: ApplicationData, _ storedAt: Int64
    ) {
        let response = HTTPResponse(cachedResponse.response) ?? HTTPResponse(ofPlain: cachedResponse.response)
        let seconds = CacheTime(microseconds: storedAt).seconds
        var times: StoringTimes?
        var confirmed: StoredResponse?
        if case .store(let itsTimes, let itsConfirmed)? = Self.sessionChange {
            (times, confirmed) = (itsTimes, itsConfirmed)
        }
        cachedResponse.data.withUnsafeBytes { body in
            _ = store.store(
                response, for: HTTPRequest(request), body: body, applicationData: data.encoded,
                policy: cachedResponse.policy(data),
                requestTime: times?.request ?? seconds, responseTime: times?.response ?? seconds,
                storedAt: times?.stored.microseconds ?? storedAt, moment: times?.moment, confirming: confirmed,
                attachment: data.attachment(in: decoded), attachedCount: data.attachedCount)
        }
    }

    /// See `removeCachedResponse(for:)`.
    func remove(_ request: URLRequest) {
        var reason = RemovalReason.invalidated
        if case .remove(let its)? = Self.sessionChange { reason = its }
        store.remove(CacheRequest(HTTPRequest(request)), reason)
    }

    /// Looks up the response stored for a task's request on another thread, as `cachedResponse(for:)` finds it.
    public func cachedResponse(for dataTask: URLSessionDataTask) async -> CachedURLResponse? {
        await withCheckedContinuation { continuation in
            getCachedResponse(for: dataTask) { continuation.resume(returning: $0) }
        }
    }
}

extension Date {
    /// The instant in the unit of `StoredEntry.storedAt`: microseconds since 1970, limited to 64 bits.
    var storedAt: Int64 {
        Int64(exactly: (timeIntervalSince1970 * 1_000_000).rounded()) ?? (self > Date() ? .max : .min)
    }
}
