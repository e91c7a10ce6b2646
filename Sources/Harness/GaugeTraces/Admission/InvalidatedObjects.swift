/// An object whose entry the answer to a request for another one ended.
package struct InvalidatedObject: Sendable {
    /// See ``TraceAccess/place``.
    package let place: Int
    /// See ``TraceAccess/object``.
    package let object: Int
    package let id: UInt64
    package let url: String
}

extension AccessRules {
    /// Notes a request that isn't simulated, since a sample leaves its key out: its answer may end the entries of
    /// others that are in the sample.
    package mutating func pass(_ request: TraceRequest) {
        if !invalidated.isEmpty { invalidated = [] }
        guard let exchange = request.exchange, exchange.hasFields, exchange.method != "GET" else { return }
        endNamedEntries(request, caching.verdict(on: exchange))
    }

    /// Ends the entries of the URLs that the answer to an unsafe request names (RFC 9111, section 4.4).
    mutating func endNamedEntries(_ request: TraceRequest, _ verdict: CachingVerdict) {
        guard verdict.invalidates, let url = request.url, let exchange = request.exchange, exchange.method != "GET"
        else { return }
        for named in caching.invalidated(by: exchange, url: url) {
            let id = URLIdentity.hash(of: named.utf8)
            guard id != request.id, !variants.end(id), let place = objects.knownPlace(of: id) else { continue }
            let object = objects[place].number
            if object < heldUntil.count { heldUntil[object] = -.infinity }
            invalidated.append(InvalidatedObject(place: place, object: object, id: id, url: named))
        }
    }
}
