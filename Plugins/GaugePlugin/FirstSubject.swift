/// The source of a first subject: a dictionary, to be replaced by calls of the cache under test.
enum FirstSubject {
    /// - Parameter name: the name of the target.
    static func text(_ name: String) -> String {
        """
        import GaugeKit

        @main
        struct \(name)Main {
            static func main() { Gauge.main(subjects: [Mine.self]) }
        }

        /// Replace the dictionary by your cache, and declare what it has: `verify` tries that and nothing else. If it
        /// evicts, add `.capacity`. See Benchmarks/Guides/measure-my-cache.md of CacheGauge.
        final class Mine: CacheSubject {
            static let name = "mine"
            static let capabilities: SubjectCapabilities = [.memory]
            private var entries: [String: [UInt8]] = [:]

            init(_ configuration: SubjectConfiguration) {}

            func key(for url: String) -> String { url }

            func lookUp(_ key: String, _ read: (UnsafeRawBufferPointer) -> Void) -> Outcome {
                guard let body = entries[key] else { return .miss }
                body.withUnsafeBytes(read)
                return .memoryHit
            }

            func store(_ body: UnsafeRawBufferPointer, for key: String) -> Outcome {
                entries[key] = Array(body)
                return .store
            }

            func remove(_ key: String) { entries[key] = nil }
        }

        """
    }
}
