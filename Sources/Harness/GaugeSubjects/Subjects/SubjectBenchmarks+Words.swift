import GaugeMeasurement
import GaugeTraces

extension SubjectBenchmarks {
    /// The words of the rows that any subject can have.
    package static let words = BenchmarkWords(
        stages: [
            "memory": "the memory tier alone",
            "disk": "the disk tier alone; warm unless the case says otherwise",
            "cache": "all tiers of a cache, under a workload",
            "large": "disk tiers of gigabytes; only in the suite large",
        ],
        cases: [
            "memory/hit": "a lookup that finds its entry",
            "memory/miss": "a lookup that finds nothing",
            "memory/store": "a store that replaces the entry of its key",
            "memory/grow": "a store of a new key while the cache fills up, its tables growing",
            "memory/store-evict": "a store of a new key into a full cache, which evicts another",
            "memory/truncate": "the capacity halved and restored, with the evictions",
            "memory/hits": "lookups that all find their entry",
            "memory/zipf": "lookups by popularity of four times as many keys as fit; a store after each miss",
            "disk/store": "a store into a full disk tier, which makes room by itself",
            "disk/hit": "a lookup that finds its entry, and reads all of its body",
            "disk/miss": "a lookup that finds nothing",
            "disk/open": "a full disk tier opened, as an application does at its start",
            "disk/store-clean": "a store into pages that the system has written back before",
            "disk/store-flush": "a store that survives a power cut when it returns",
            "disk/hit-cold": "a lookup whose pages the system has dropped from memory",
            "disk/hot": "lookups of entries that are nearly all in use, and one store to twenty of them",
            "disk/zipf": "requests by Zipf's law for four times as many objects as fit; a store after each miss",
            "large/store": "a store into a full disk tier",
            "large/hit": "a lookup somewhere in a full disk tier",
            "large/open": "a full disk tier opened",
            "cache/mix": "a web-like mixture: Zipf's law over objects of mixed sizes, a store after each miss",
        ].merging(WorkloadPlan.presets.map { ("cache/\($0.name)", $0.models) }) { first, _ in first },
        units: ["memory": .entries, "disk": .bodyBytes, "large": .tierBytes])
}
