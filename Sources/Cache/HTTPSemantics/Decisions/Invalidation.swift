/// The stored responses that an answer invalidates (RFC 9111, section 4.4).
package enum Invalidation {
    /// The URLs whose stored responses, all variants, are removed: that of the request, and those in `Location` and
    /// `Content-Location` if they have its origin; none if the method is safe or the answer is an error.
    ///
    /// - Returns: absolute URLs without fragment; the request's own is as the request has it.
    package static func targets(_ request: HTTPRequest, _ response: HTTPResponse) -> [String] {
        guard MethodClass(request.method) == .unsafe, StatusRules.isNonError(response.status) else { return [] }
        var targets = [request.url]
        guard let base = URLReference(request.url), let origin = base.origin else { return targets }
        for name in ["Location", "Content-Location"] as [HTTPFields.Name] {
            guard let reference = response.headerFields.firstValue(name).flatMap(URLReference.init) else { continue }
            let target = reference.resolved(against: base)
            // Another origin's responses are not this one's to remove: that would be a denial of service.
            guard target.origin == origin, !targets.contains(target.text) else { continue }
            targets.append(target.text)
        }
        return targets
    }
}
