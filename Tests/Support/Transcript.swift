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
        var hash: UInt64 = 0xCBF2_9CE4_8422_2325  // FNV-1a
        for line in lines {
            counts[line.prefix { $0 != " " }, default: 0] += 1
            for byte in line.utf8 { hash = (hash ^ UInt64(byte)) &* 0x100_0000_01B3 }
            hash = (hash ^ 10) &* 0x100_0000_01B3
        }
        let words = counts.sorted { $0.key < $1.key }.map { "\($0.value) \($0.key), " }
        return words.joined() + String(hash, radix: 16)
    }
}
