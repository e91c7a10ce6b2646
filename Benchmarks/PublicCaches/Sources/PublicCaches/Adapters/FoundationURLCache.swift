import Foundation
import GaugeKit

#if canImport(FoundationNetworking)
import FoundationNetworking
#endif

extension URLCache: URLCacheLike {}

/// Foundation's URLCache in memory. Its documentation names no order of eviction, and the largest part of a capacity
/// only for URLSession.
enum FoundationInMemory: URLCacheKind {
    static let name = "urlcache"
    static let title = "Foundation URLCache"
    static let details = ""
    static let isOnDisk = false
    static let order = SubjectOrder.unspecified
    static let limits = SubjectLimits(zero: .nothing)

    static func make(memory: Int, disk: Int, directory: String) -> any URLCacheLike {
        URLCache(memoryCapacity: memory, diskCapacity: disk, diskPath: directory)
    }
}

/// Foundation's URLCache on disk.
enum FoundationOnDisk: URLCacheKind {
    static let name = "urlcache-disk"
    static let title = FoundationInMemory.title
    static let details = FoundationInMemory.details
    static let isOnDisk = true
    static let order = SubjectOrder.unspecified
    static let limits = SubjectLimits(zero: .nothing)

    static func make(memory: Int, disk: Int, directory: String) -> any URLCacheLike {
        FoundationInMemory.make(memory: memory, disk: disk, directory: directory)
    }
}
