import CSupport
import CacheTiers
import Platform
import TestSupport
import Testing

/// A new directory, removed with everything in it at the end.
final class TemporaryDirectory {
    let path: String

    init(in parent: String = ScratchDirectory.parent) {
        var template = Array("\(parent)/cachetiers-XXXXXX".utf8CString)
        if mkdtemp(&template) == nil {
            Issue.record("no directory can be made in \(parent): \(SystemError.last); see TMPDIR")
        }
        path = String(decoding: template.dropLast().map { UInt8(bitPattern: $0) }, as: UTF8.self)
    }

    deinit {
        for name in ["cache.log", "cache.lock"] { unlink(path + "/" + name) }
        rmdir(path)
    }

    var logPath: String { path + "/cache.log" }
}

/// Entries whose bytes follow from a number and a version, so that any answer can be judged.
struct Sample: Hashable {
    var number: Int
    var version = 0
    var bodyCount = 100
    var storedAt: Int64 = 0

    var key: [UInt8] { Array("https://example.org/\(number)".utf8) }
    var hash: KeyHash { KeyHash(low: scrambled(UInt64(number)), high: scrambled(~UInt64(number))) }
    var metadata: [UInt8] { Array("number=\(number) version=\(version)".utf8) }

    var body: [UInt8] {
        var state = scrambled(UInt64(number) << 20 | UInt64(version))
        // Eight bytes at a time, since most of the time of a test without optimisation would go here.
        var words: [UInt64] = []
        for _ in 0..<(bodyCount + 7) / 8 {
            state = scrambled(state)
            words.append(state)
        }
        return words.withUnsafeBytes { Array($0.prefix(bodyCount)) }
    }

    func entry(policy: StoragePolicy = .allowed) -> StoredEntry {
        StoredEntry(
            key: ContiguousArray(key).span.bytes, hash: hash, metadata: ContiguousArray(metadata).span.bytes,
            body: ContiguousArray(body).span.bytes,
            storedAt: storedAt,
            policy: policy)!
    }

    /// Whether `entry` is exactly this sample.
    func matches(_ entry: StoredEntry) -> Bool {
        entry.withKey { Array($0) } == key && entry.withMetadata { Array($0) } == metadata
            && entry.withBody { Array($0) } == body && entry.storedAt == storedAt
    }
}

func scrambled(_ value: UInt64) -> UInt64 { splitMixed(value &+ splitMixStep) }

extension DiskTier {
    func lookup(_ sample: Sample) -> StoredEntry? {
        sample.key.withUnsafeBytes { lookup($0, hash: sample.hash) }
    }

    func holds(_ sample: Sample) -> Bool { lookup(sample).map(sample.matches) ?? false }
}

/// CRC-32C, for tests that forge files.
func checksumOf(_ bytes: [UInt8]) -> UInt32 { bytes.withUnsafeBytes { cs_crc32c(0, $0.baseAddress, $0.count) } }
