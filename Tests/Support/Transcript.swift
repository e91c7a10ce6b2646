import Platform
import Synchronization

/// Steps in their order, written down as lines of text.
public final class Transcript: Sendable {
    /// The one that the objects made next write to.
    @TaskLocal public static var current = Transcript()

    private let held = Mutex<[String]>([])

    /// Nothing is written down yet.
    public init() {}

    /// The lines since the last summary.
    public var lines: [String] { held.withLock { $0 } }

    /// Writes a line down.
    public func add(_ line: String) { held.withLock { $0.append(line) } }

    /// The lines since the last call: how many begin with each word, and a hash of all of them.
    public func summary() -> String {
        let lines = held.withLock { lines in
            defer { lines = [] }
            return lines
        }
        var counts: [Substring: Int] = [:]
        for line in lines { counts[line.prefix { $0 != " " }, default: 0] += 1 }
        let words = counts.sorted { $0.key < $1.key }.map { "\($0.value) \($0.key), " }
        return words.joined() + String(fnv1a(lines.lazy.flatMap { Array($0.utf8) + [10] }), radix: 16)
    }
}
