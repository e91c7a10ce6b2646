import FileStore
import Foundation
import GaugeKit

/// biren9/Cache-Store: a file for each entry. Its README says that on Linux the order of eviction is not predictable.
/// Expired files are deleted in the background, so that no lifetime is tried.
final class CacheStoreSubject: CacheSubject {
    static let name = "cache-store"
    static let title = "Cache-Store"
    static let details = "0.0.9"
    static let order = SubjectOrder.unspecified
    static let capabilities: SubjectCapabilities = [.disk, .capacity, .persistence, .removalOfAll]

    private let cache: CacheStore
    private let capacity: Int

    init(_ configuration: SubjectConfiguration) {
        capacity = configuration.diskCapacity
        cache = CacheStore(
            diskSetting: DiskSetting(
                location: .custom(URL(filePath: configuration.directory).appending(path: "store")),
                identifier: "gauge", storeDuration: .infinity, maxSize: .B(UInt64(capacity))))
        // It makes room only when something is stored.
        try? cache.cleanup()
    }

    func key(for url: String) -> String { url }

    func lookUp(_ key: String, _ read: (UnsafeRawBufferPointer) -> Void) throws -> Outcome {
        guard let body = try cache.load(name: key, type: CacheData.self).data else { return .miss }
        body.withUnsafeBytes(read)
        return .diskHit
    }

    func store(_ body: UnsafeRawBufferPointer, for key: String) throws -> Outcome {
        // Of such a body it would throw, and keep the older one.
        guard body.count <= capacity else {
            remove(key)
            return .store
        }
        try cache.persist(cachable: CacheData(name: key, data: Data(body)))
        return .store
    }

    /// It throws where there is nothing to delete.
    func remove(_ key: String) { try? cache.delete(name: key) }

    func removeAll() { try? cache.deleteAll() }
}
