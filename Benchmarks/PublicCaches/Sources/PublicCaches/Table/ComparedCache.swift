import GaugeKit

/// A line of the table.
struct ComparedCache {
    let name: String
    let title: String
    let isOnDisk: Bool
    /// Whether it was given a limit. Without one, its hit ratio says nothing.
    let hasLimit: Bool

    init(_ name: String, _ title: String, _ version: String, _ capabilities: SubjectCapabilities) {
        self.name = name
        self.title = version.isEmpty ? title : "\(title) \(version)"
        isOnDisk = capabilities.contains(.disk)
        // NSCache declares none, since its limit is not strict.
        hasLimit = !capabilities.isDisjoint(with: [.capacity, .entryLimit]) || name == NSCacheSubject.name
    }
}
