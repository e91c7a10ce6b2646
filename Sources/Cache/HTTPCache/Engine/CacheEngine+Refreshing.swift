import HTTPSemantics

extension CacheEngine {
    /// Shows the stored response, whatever its age, and then answers with the origin's current response.
    ///
    /// - Parameters:
    ///   - request: a GET or HEAD; its policy is ignored.
    ///   - show: called with the stored response, if there is one, before the origin is asked.
    /// - Returns: the stored response once the origin has confirmed it, or a new one.
    /// - Throws: as `respond(to:)`; without a connection, after the stored response was shown.
    package func refresh(
        _ request: CacheRequest, showing show: (Answer) async -> Void
    ) async throws(EngineError) -> Answer {
        var request = request
        request.policy = .returnCacheDataDontLoad
        do {
            await show(try await respond(to: request))
        } catch {
            guard case .notStored = error else { throw error }
        }
        request.policy = .reloadRevalidatingCacheData
        return try await respond(to: request)
    }
}
