import CacheTiers
import FaultyCalls
import Platform
import URLCaching

/// Opening a disk tier, on every way that fails.
enum DirectoryCases {
    static let all: [Case] =
        refusals + defects + failures + [
            Case("directory/opened") { parent in
                let path = try filled(parent)
                return { try use(try DiskTier(directory: path, capacity: capacity)) }
            },
            Case("directory/made") { parent in
                {
                    let path = parent + "/made/below"
                    try use(try DiskTier(directory: path, capacity: capacity))
                    try FileManager.default.removeItem(atPath: parent + "/made")
                }
            },
            Case("directory/in use here") { parent in
                let path = try filled(parent)
                let owner = try DiskTier(directory: path, capacity: capacity)
                return { try withExtendedLifetime(owner) { try refused(path, "in use") } }
            },
            Case("directory/in use elsewhere") { parent in
                let path = try filled(parent)
                // A lock belongs to the open file, so this one is as good as another process's.
                let descriptor = open(path + "/cache.lock", O_RDWR | O_CLOEXEC)
                try require(flock(descriptor, LOCK_EX) == 0, "no lock")
                return { try refused(path, "in use") }
            },
            Case("directory/a response cache without its disk tier") { parent in
                try Data().write(to: URL(filePath: parent + "/file"))
                return {
                    let cache = ResponseCache(
                        memoryCapacity: 1 << 16, diskCapacity: capacity, diskPath: parent + "/file/below")
                    try require(cache.diskProblem != nil, "opened")
                    try require((try? ResponseCache(owning: nil, memoryCapacity: -1, diskCapacity: 0)) == nil, "made")
                }
            },
            Case("directory/a log that outgrows its mapping", count: 3) { parent in
                {
                    let path = parent + "/mapped"
                    let tier = try DiskTier(directory: path, capacity: 16 << 20)
                    for number in 0..<8 {
                        let entry = try entry(number, byteCount: 600_000)
                        try tier.store(entry)
                        try tier.flush()
                        // The second from the mapping that the first has made.
                        for _ in 0..<2 { _ = entry.withKey { tier.lookup($0, hash: entry.hash) } }
                    }
                    tier.close()
                    try FileManager.default.removeItem(atPath: path)
                }
            },
            Case("directory/operations that fail") { parent in
                {
                    let path = try filled(parent)
                    let tier = try DiskTier(directory: path, capacity: capacity)
                    for call in [FAULTY_READ, FAULTY_WRITE, FAULTY_RESERVE, FAULTY_RESIZE, FAULTY_SYNCHRONIZE] {
                        faulty_calls_arm(call, 0, 1_000, EIO, 0)
                        for number in 0..<20 { _ = try? tier.store(entry(number, byteCount: 1_500)) }
                        _ = try? tier.flush()
                        _ = try? tier.setCapacity(capacity / 2)
                        _ = try? tier.removeAll()
                        _ = try? tier.setCapacity(capacity)
                        _ = try? tier.erase()
                        faulty_calls_arm(call, 0, 0, 0, 0)
                    }
                    tier.close()
                    try FileManager.default.removeItem(atPath: path)
                }
            },
        ]

    // MARK: What is refused

    private static let refusals: [Case] = [
        refusal("a link for the log", "link") { try link("cache.log", in: $0) },
        refusal("a link for the lock", "link") { try link("cache.lock", in: $0) },
        refusal("a pipe for the log", "regular") { try pipe("cache.log", in: $0) },
        refusal("a pipe for the lock", "regular") { try pipe("cache.lock", in: $0) },
        refusal("a log that others write", "other users") { chmod($0 + "/cache.log", 0o602) },
        refusal("a lock that others write", "other users") { chmod($0 + "/cache.lock", 0o602) },
        refusal("a directory that others write", "other users") { chmod($0, 0o777) },
        refusal("a directory for the log", "cache.log") {
            unlink($0 + "/cache.log")
            mkdir($0 + "/cache.log", 0o700)
        },
        refusal("a foreign file", "cache.log") { try write(Data("Dear reader".utf8), $0) },
    ]

    private static func refusal(
        _ name: String, _ reason: String, _ spoil: @escaping @Sendable (String) throws -> Void
    ) -> Case {
        Case("directory/\(name)") { parent in
            let path = try filled(parent)
            try spoil(path)
            return { try refused(path, reason) }
        }
    }

    private static func link(_ name: String, in path: String) throws {
        unlink("\(path)/\(name)")
        try require(symlink(path + "/nothing", "\(path)/\(name)") == 0, "no link")
    }

    private static func pipe(_ name: String, in path: String) throws {
        unlink("\(path)/\(name)")
        try require(mkfifo("\(path)/\(name)", 0o600) == 0, "no pipe")
    }

    private static func refused(_ path: String, _ reason: String) throws {
        do {
            _ = try DiskTier(directory: path, capacity: capacity)
        } catch {
            return try require("\(error)".contains(reason), "\(error)")
        }
        throw Unexpected("opened")
    }

    // MARK: What is damaged

    private static let defects: [Case] = [
        defect("another version") { $0[8] = 99 },
        defect("a damaged superblock") { $0[30] ^= 1 },
        defect("a damaged table") { for at in 4_096..<8_192 { $0[at] ^= 0x55 } },
        defect("a cut superblock") { $0 = $0.prefix(40) },
        defect("a cut log") { $0 = $0.prefix($0.count / 2) },
        defect("damaged records") { for at in stride(from: $0.count / 3, to: $0.count, by: 97) { $0[at] ^= 1 } },
    ]

    private static func defect(_ name: String, _ spoil: @escaping @Sendable (inout Data) -> Void) -> Case {
        Case("directory/\(name)") { parent in
            let path = try filled(parent)
            var log = try Data(contentsOf: URL(filePath: path + "/cache.log"))
            spoil(&log)
            return { [log] in
                try write(log, path)
                try use(try DiskTier(directory: path, capacity: capacity))
            }
        }
    }

    // MARK: What fails in the system

    private static let failures: [Case] = [
        failure("flock fails", FAULTY_LOCK, EIO), failure("no locks", FAULTY_LOCK, ENOLCK),
        failure("no mapping", FAULTY_MAP, ENODEV),
        // The superblock is the first that is read; the others are recovery's.
        failure("an unreadable log", FAULTY_READ, EIO, moments: 8),
        failure("an unwritable log", FAULTY_WRITE, EIO, moments: 4),
        failure("no space for the superblock", FAULTY_WRITE, ENOSPC, moments: 4),
        failure("a log that cannot be cut", FAULTY_RESIZE, EIO, moments: 2),
        failure("a log that is not synchronized", FAULTY_SYNCHRONIZE, EIO, moments: 2),
        failure("no space to reserve", FAULTY_RESERVE, ENOSPC, moments: 2),
    ]

    /// - Parameter moments: how many calls pass before the one that fails: none, one, and so on.
    private static func failure(_ name: String, _ call: faulty_call, _ code: Int32, moments: Int32 = 1) -> Case {
        Case("directory/\(name)", count: 8) { parent in
            let path = try filled(parent)
            let log = try Data(contentsOf: URL(filePath: path + "/cache.log"))
            return {
                let failed = faulty_calls_count(call)
                for moment in 0..<moments {
                    for startsEmpty in [false, true] {
                        try write(log, path)
                        faulty_calls_arm(call, moment, 1, code, 0)
                        let tier = try? DiskTier(directory: path, capacity: capacity, startsEmpty: startsEmpty)
                        for number in 0..<20 { _ = try? tier?.store(entry(number, byteCount: 3_000)) }
                        _ = try? tier?.flush()
                        tier?.close()
                        faulty_calls_arm(call, 0, 0, 0, 0)
                    }
                }
                try require(faulty_calls_count(call) > failed, "nothing failed")
            }
        }
    }

    // MARK: A directory

    static let capacity = 64 << 10

    /// A directory with a log of some entries.
    static func filled(_ parent: String) throws -> String {
        let path = parent + "/cache"
        try use(try DiskTier(directory: path, capacity: capacity))
        return path
    }

    private static func use(_ tier: DiskTier) throws {
        for number in 0..<40 {
            let entry = try entry(number, byteCount: 900)
            try tier.store(entry)
            _ = entry.withKey { tier.lookup($0, hash: entry.hash) }
        }
        try tier.flush()
        for number in 0..<40 {
            let entry = try entry(number, byteCount: 900)
            _ = entry.withKey { tier.lookup($0, hash: entry.hash) }
        }
        tier.close()
    }

    static func entry(_ number: Int, byteCount: Int) throws -> StoredEntry {
        let key = ContiguousArray("https://example.org/\(number)".utf8)
        let body = ContiguousArray(repeating: UInt8(truncatingIfNeeded: number), count: byteCount)
        let hash = KeyHash(low: UInt64(number) &* 0x9E37_79B9_7F4A_7C15, high: UInt64(number))
        let entry = StoredEntry(
            key: key.span.bytes, hash: hash, metadata: RawSpan(), body: body.span.bytes, storedAt: 1_000)
        guard let entry else { throw Unexpected("no entry") }
        return entry
    }

    private static func write(_ log: Data, _ path: String) throws {
        try log.write(to: URL(filePath: path + "/cache.log"))
        chmod(path + "/cache.log", 0o600)
    }
}
