import GaugeKit

/// A line on every stage, case and subject of this executable beyond those that the harness describes.
enum Words {
    static let all = SubjectBenchmarks.words.adding(own)

    private static let own = BenchmarkWords(
        stages: [
            "harness": "the cost of measuring itself, and floors for other rows",
            "key-hash": "the hash of a cache key, from bytes that are ready",
            "key": "from the text of a URL to the hash of its key",
            "memory": "the memory tier alone; entries of 4 KiB, or of 256 bytes by URLRequest",
            "reuse": "may a stored response be used (RFC 9111)",
            "date": "an HTTP date parsed (RFC 9110, 5.6.7)",
            "cache-control": "a Cache-Control field parsed (RFC 9111, 5.2)",
            "fields": "the fields of a response, as they come from the network, parsed",
            "two-tier": "memory and disk together, by what came of a request",
            "engine": "the HTTP cache without Foundation: URL in, fresh response out",
            "url-cache": "URLCache's interface: URLRequest in, CachedURLResponse out",
            "session": "async calls of a session: URLRequest in, data and response out",
        ],
        cases: harness.merging(memory) { $1 }.merging(parsers) { $1 }.merging(wholes) { $1 },
        subjects: subjects, units: ["key-hash": .keyBytes])

    private static let harness = [
        "harness/batched": "one operation of a batch, as fast operations are timed",
        "harness/timed": "one operation timed alone, with two readings of the clock; a hit on disk has four",
        "harness/chain": "multiplications that each wait for the one before",
        "harness/allocation": "one allocation and its release",
        "harness/handover": "a word that one thread writes and another waits for",
        "harness/hit-floor": "what no hit in memory can leave out: hash, probe, comparison, counted reference",
    ]

    private static let memory = [
        "memory/store": "a store of a ready entry (by URLRequest: made there) that replaces the one of its key",
        "memory/store-evict": "a store of a ready entry (by URLRequest: made there) into a full tier, evicting another",
        "memory/store-copy": "a store into a full tier, with the entry made from its bytes and the evicted one freed",
        "memory/uniform": "lookups of which 95 in 100 hit, all keys equally popular; a store after each miss",
        "memory/scan": "each thread goes round twice as many keys of its own as fit, and always misses",
        "memory/loop": "each thread goes round a tenth more keys of its own than fit: LRU at its worst",
        "key/url-100": "a URL of 100 bytes in canonical form",
        "key/url-100-rewritten": "a URL of 100 bytes with capitals, a port and a fragment to rewrite",
        "key-hash": "one hash of a key",
        "reuse/fresh": "the decision on a fresh response; one request in eight sets limits of its own",
    ]

    private static let parsers = [
        "date/imf": "Sun, 06 Nov 1994 08:49:37 GMT, the form that is sent today",
        "date/asctime": "Sun Nov  6 08:49:37 1994, of old servers",
        "date/rfc850": "Sunday, 06-Nov-94 08:49:37 GMT, older still, with a year of two digits",
        "cache-control/max-age": "max-age=N alone",
        "cache-control/immutable": "public, max-age=N, immutable",
        "cache-control/mix": "fifteen kinds of values as servers send them, at random",
        "cache-control/nasty": "about 300 bytes with quotes, repetitions, odd spaces and unknown names",
        "fields/block": "twelve fields of about 450 bytes",
    ]

    private static let wholes = [
        "disk/mixed": "nine lookups to one store of a new version",
        "two-tier/zipf": "web-like requests by Zipf's law, a store after each miss",
        "engine/hit": "a fresh response of 3 KiB found in memory, among 1,000",
        "url-cache/hit": "a response of 3 KiB found in memory, among 1,000",
        "url-cache/store": "a response of 3 KiB stored in memory",
        "url-cache/hit-disk": "a response of 4 KiB found on disk, among 1,000",
        "session/hit": "a fresh response of 3 KiB found in memory, among 1,000, again within the same second",
        "session/hits": "fresh responses of 3 KiB found in memory, among 1,000, by tasks",
        "session/hit-aged": "the same hit in another second: the response is made again, with another Age",
        "session/hit-recorded": "a hit within the same second, with a recorder of requests",
        "session/fetch/1k": "1 KiB from an origin on this machine, over a kept connection",
        "session/fetch/1m": "1 MiB from an origin on this machine, over a kept connection",
        "session/fetch/4k-fields": "an answer with 4,000 fields, from an origin on this machine",
        "session/fetch/no-store": "1 KiB that may not be stored",
        "session/fetch/304": "a stored answer of 1 KiB that the origin confirms",
        "session/fetch/64-at-once": "1 KiB, 64 times at once on a connection each; time of all 64",
    ]

    private static let subjects = [
        "tiered": "this package's cache; in the stages of parsers its parser",
        "tiered-request": "this package's cache, driven by a URLRequest as an application does",
        "foundation": "Foundation's URLCache, which on Linux lists its directory at every disk operation",
        "files": "a file for each entry, written plainly, with LRU in memory",
        "sqlite": "a table of SQLite, with the system's library",
        "lmdb": "LMDB, with the system's library: no syncs, no checksums, a file of four times the capacity",
        "plain": "a parser written plainly for speed: one pass, no allocation",
        "split": "split, trim, lower-case, compare: the parser that applications usually have",
        "strptime": "the C library's strptime and timegm",
        "date-formatter": "Foundation's DateFormatter",
        "folded": "a keyed hash of 64 bits by folded multiplication, in a dozen lines",
        "swift-hasher": "the standard library's Hasher, SipHash-1-3, as a dictionary uses it",
        "dictionary-lru": "a dictionary of strings and a linked list",
        "nscache": "Foundation's NSCache",
        "plain-lru": "an LRU written plainly for speed, with one lock",
        "sharded-lru": "the same LRU in sixteen parts, each with a lock",
        "urlsession": "Foundation's URLSession, without a cache",
        "curl-easy": "libcurl's easy interface, on the calling thread",
        "curl-multi": "libcurl's multi interface, on a thread of its own",
        "curl-multi-response": "the same, and an HTTPURLResponse and a Data of each answer, as a session hands out",
        "curl-multi-task": "curl-multi, awaited by a task: what an asynchronous fetch costs at least",
        "getters": "the calls of Foundation that no store can do without, and no cache",
        "empty": "an operation that does nothing",
        "step": "one multiplication that waits for the one before",
        "64": "64 dependent multiplications",
        "256": "256 dependent multiplications",
        "one": "an allocation of 100 bytes",
        "2-threads": "two threads that take turns",
        "bare-loop": "the floor of a hit, without a lock",
        "locked-loop": "the floor of a hit, with a lock",
    ]
}
