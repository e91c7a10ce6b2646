// swift-format-ignore-file
let (body, field, now) = (Array("hello".utf8), Array("max-age=60".utf8), Int64(0))

// README.md, the tiers alone.
import CacheTiers
import HTTPSemantics

func store(_ body: [UInt8], _ key: CacheKey, in tiers: TwoTierCache) {
    let entry = StoredEntry(
        key: key.bytes[...].span.bytes, hash: key.hash, metadata: RawSpan(), body: body[...].span.bytes, storedAt: now)
    if let entry { _ = tiers.store(entry) }
}

let tiers = TwoTierCache(memory: try MemoryTier(capacity: 4 << 20), disk: nil, hasher: KeyHasher())
let key = try CacheKey(url: "https://example.com/", hasher: tiers.hasher)
if !CacheControl.parse(field[...].span.bytes).directives.contains(.noStore) { store(body, key, in: tiers) }
