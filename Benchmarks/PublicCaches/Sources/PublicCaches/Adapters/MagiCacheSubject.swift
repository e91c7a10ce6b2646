import Foundation
import GaugeKit
import MagiCache

/// mcritz/MagiCache: a JSON file for each entry, in the user's folder of caches. A key is the file's name, so that a
/// URL goes in as base64 without slashes.
final class MagiCacheSubject: CacheSubject {
    static let name = "magicache"
    static let title = "MagiCache"
    static let details = "1.0.2"
    static let diskOrder = SubjectOrder.lru
    static let limits = SubjectLimits(refusesNegative: true)
    static let capabilities: SubjectCapabilities = [.disk, .capacity, .persistence, .removalOfAll]

    private let cache: MagiCache

    init(_ configuration: SubjectConfiguration) throws {
        // The folder of caches can be chosen only so.
        setenv("XDG_CACHE_HOME", configuration.directory, 1)
        cache = try MagiCache(Megabytes(configuration.diskCapacity) / 1_048_576, identifier: "gauge")
    }

    func key(for url: String) -> String {
        Data(url.utf8).base64EncodedString().replacing("/", with: "_")
    }

    func lookUp(_ key: String, _ read: (UnsafeRawBufferPointer) -> Void) -> Outcome {
        guard let body = cache.value(Data.self, for: key) else { return .miss }
        body.withUnsafeBytes(read)
        return .diskHit
    }

    /// An error is its way to refuse a body.
    func store(_ body: UnsafeRawBufferPointer, for key: String) -> Outcome {
        do { try cache.setValue(Data(body), for: key) } catch { remove(key) }
        return .store
    }

    /// As its property wrapper does.
    func remove(_ key: String) { try? cache.setValue(Data?.none, for: key) }

    func removeAll() throws { try cache.empty() }

    var usage: SubjectUsage {
        SubjectUsage(diskBytes: (try? cache.available()).map { cache.size.bytesInt - $0 })
    }
}
