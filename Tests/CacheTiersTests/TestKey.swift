import CacheTiers

/// A key for tests, and entries under it.
struct TestKey {
    static let hasher = KeyHasher(seed: KeySeed(1, 2))

    let key: CacheKey

    init(_ text: String) { key = CacheKey(canonical: Array(text.utf8), hasher: Self.hasher) }

    func entry(
        hash: KeyHash? = nil, metadata: [UInt8] = [], body: [UInt8], storedAt: Int64 = 1,
        policy: StoragePolicy = .allowed
    ) -> StoredEntry {
        StoredEntry(
            key: ContiguousArray(key.bytes).span.bytes, hash: hash ?? key.hash,
            metadata: ContiguousArray(metadata).span.bytes,
            body: ContiguousArray(body).span.bytes,
            storedAt: storedAt, policy: policy)!
    }

    func entry(bodyCount: Int, storedAt: Int64 = 1, policy: StoragePolicy = .allowed) -> StoredEntry {
        entry(body: Array(repeating: 7, count: bodyCount), storedAt: storedAt, policy: policy)
    }
}
