import HTTPCache
import HTTPSemantics

extension CachingSession {
    /// Yields the stored answer, whatever its age, then the origin's current answer; only one if nothing is stored. The
    /// request's policy is ignored.
    ///
    ///     for try await answer in session.storedThenRefreshed(for: request) { show(answer) }
    ///
    /// The second answer is the stored one, confirmed by the origin, or a new one. Without a connection the first still
    /// comes, then the iteration throws.
    public func storedThenRefreshed(
        for request: URLRequest, delegate: (any CachingSessionDelegate)? = nil
    ) -> StoredThenRefreshed {
        StoredThenRefreshed(session: self, request: request, delegate: asked(delegate, request))
    }
}

/// A stored answer, then the origin's current one. Each iteration sends the request again; nothing is loaded before you
/// iterate.
public struct StoredThenRefreshed: AsyncSequence, Sendable {
    let session: CachingSession
    let request: URLRequest
    let delegate: (any CachingSessionDelegate)?

    /// Begins with the stored answer.
    public func makeAsyncIterator() -> Iterator { Iterator(sequence: self) }

    /// Reads the two answers.
    public struct Iterator: AsyncIteratorProtocol {
        private enum Step { case stored, refreshed, end }

        private let sequence: StoredThenRefreshed
        private var step = Step.stored

        init(sequence: StoredThenRefreshed) { self.sequence = sequence }

        /// The next answer; `nil` after the second.
        ///
        /// - Throws: `URLError`, as `CachingSession.data(for:)`.
        public mutating func next() async throws -> SessionAnswer? {
            switch step {
            case .stored:
                step = .refreshed
                do {
                    return try await answer(.returnCacheDataDontLoad)
                } catch let error as URLError where error.code == .resourceUnavailable {
                    return try await next()
                }
            case .refreshed:
                step = .end
                return try await answer(.reloadRevalidatingCacheData)
            case .end: return nil
            }
        }

        private func answer(_ policy: RequestPolicy) async throws -> SessionAnswer {
            let (session, request, delegate) = (sequence.session, sequence.request, sequence.delegate)
            return try await session.whole(request) {
                try await session.load(request, delegate, policy: policy, readsWhole: true)
            }
        }
    }
}
