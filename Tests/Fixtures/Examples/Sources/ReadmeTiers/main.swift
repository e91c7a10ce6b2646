// swift-format-ignore-file
let (body, field, now) = (ContiguousArray("hello".utf8), ContiguousArray("max-age=60".utf8), Int64(0))

// README.md, the tiers alone.
import CacheTiers
import HTTPSemantics

func store(_ body: ContiguousArray<UInt8>, _ key: CacheKey, in tiers: TwoTierCache) {
    let text = ContiguousArray(key.bytes)      // copies nothing; the span of an Array needs macOS 26
    let entry = StoredEntry(
        key: text.span.bytes, hash: key.hash, metadata: RawSpan(), body: body.span.bytes, storedAt: now)
    if let entry { _ = tiers.store(entry) }
}

let tiers = TwoTierCache(memory: try MemoryTier(capacity: 4 << 20), disk: nil, hasher: KeyHasher())
let key = try CacheKey(url: "https://example.com/", hasher: tiers.hasher)
if !CacheControl.parse(field.span.bytes).directives.contains(.noStore) { store(body, key, in: tiers) }
