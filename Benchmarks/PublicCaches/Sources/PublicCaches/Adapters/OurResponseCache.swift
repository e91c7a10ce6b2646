import GaugeKit
import URLCaching

extension ResponseCache: URLCacheLike {}

/// This package's ResponseCache in memory.
enum OursInMemory: URLCacheKind {
    static let name = "response-cache"
    static let title = "ResponseCache (ours)"
    static let details = Gauge.kitVersion
    static let isOnDisk = false
    static let order = SubjectOrder.lru
    static let limits = SubjectLimits.urlCache

    static func make(memory: Int, disk: Int, directory: String) throws -> any URLCacheLike {
        let cache = ResponseCache(memoryCapacity: memory, diskCapacity: disk, diskPath: directory)
        if let problem = cache.diskProblem { throw problem }
        return cache
    }
}

/// This package's ResponseCache on disk, where it keeps what was used since it was written.
enum OursOnDisk: URLCacheKind {
    static let name = "response-cache-disk"
    static let title = OursInMemory.title
    static let details = OursInMemory.details
    static let isOnDisk = true
    static let order = SubjectOrder.usedKept
    static let limits = SubjectLimits.urlCache

    static func make(memory: Int, disk: Int, directory: String) throws -> any URLCacheLike {
        try OursInMemory.make(memory: memory, disk: disk, directory: directory)
    }
}
