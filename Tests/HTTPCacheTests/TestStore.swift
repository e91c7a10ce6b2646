import CacheTiers
import HTTPCache
import HTTPSemantics

/// A store of 1 MiB in memory, without a disk.
func makeStore(keyHook: KeyHook? = nil) throws -> ResponseStore {
    let tiers = TwoTierCache(
        memory: try MemoryTier(capacity: 1 << 20), disk: nil, hasher: KeyHasher(seed: KeySeed(1, 2)))
    return ResponseStore(tiers: tiers, keyHook: keyHook)
}

/// Fresh for a minute.
let fresh = HTTPResponse(headerFields: ["Cache-Control": "max-age=60"])

extension ResponseStore {
    /// Stores a body, at second 1,000 unless told otherwise.
    @discardableResult
    func put(
        _ body: String, _ response: HTTPResponse = fresh, for request: HTTPRequest, applicationData: [UInt8] = [],
        policy: StoragePolicy = .allowed, storedAt: Int64 = 1_000_000_000
    ) -> StoreOutcome {
        var body = body
        return body.withUTF8 {
            store(
                response, for: request, body: UnsafeRawBufferPointer($0), applicationData: applicationData,
                policy: policy, requestTime: 1_000, responseTime: 1_000, storedAt: storedAt)
        }
    }
}
