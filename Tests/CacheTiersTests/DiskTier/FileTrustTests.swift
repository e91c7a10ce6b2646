import FaultyCalls
import Foundation
import Platform
import Testing

@testable import CacheTiers

/// Files in the places of the tier's that it must not write to.
@Suite struct FileTrustTests {
    let directory = TemporaryDirectory()

    /// Makes a file beside the cache's, and removes it at the end.
    private func withOtherFile(_ body: (_ path: String) throws -> Void) throws {
        let path = directory.path + "/letter.txt"
        try Data("Dear reader".utf8).write(to: URL(filePath: path))
        defer { unlink(path) }
        try body(path)
        #expect(try Data(contentsOf: URL(filePath: path)) == Data("Dear reader".utf8))
    }

    private func open(startsEmpty: Bool = false) throws(DiskTierError) -> DiskTier {
        try DiskTier(directory: directory.path, capacity: 1 << 20, startsEmpty: startsEmpty)
    }

    @Test(
        "A link in a file's place is an error, and the file that it leads to stays as it is", arguments: [false, true])
    func links(startsEmpty: Bool) throws {
        try withOtherFile { other in
            for name in ["cache.log", "cache.lock"] {
                let path = directory.path + "/" + name
                unlink(path)
                try #require(symlink(other, path) == 0)
                #expect(throws: DiskTierError.untrusted(path: path, flaw: .symbolicLink)) {
                    try open(startsEmpty: startsEmpty)
                }
                unlink(path)
                try #require(link(other, path) == 0)
                #expect(throws: DiskTierError.untrusted(path: path, flaw: .hardLink)) {
                    try open(startsEmpty: startsEmpty)
                }
                unlink(path)
            }
        }
    }

    @Test(
        "A file that does not begin as a log is an error, and stays as it is",
        arguments: [
            Array("Dear reader".utf8), [0x0A], Array("CGDLO".utf8) + [0], [UInt8](repeating: 7, count: 100_000),
            [UInt8](repeating: 0, count: 511) + [1],
        ], [false, true])
    func foreignFile(content: [UInt8], startsEmpty: Bool) throws {
        let log = URL(filePath: directory.logPath)
        try Data(content).write(to: log)
        chmod(directory.logPath, 0o600)
        #expect(throws: DiskTierError.foreignFile(path: directory.logPath)) { try open(startsEmpty: startsEmpty) }
        #expect(try Data(contentsOf: log) == Data(content))
    }

    @Test(
        "What a kill or a power cut leaves of a new file is no foreign file", arguments: [0, 3, 8, 40, 64, 512, 9000])
    func torn(length: Int) throws {
        do {
            let tier = try open()
            try tier.store(Sample(number: 1).entry())
        }
        let whole = try Data(contentsOf: URL(filePath: directory.logPath))
        let lostSector = Data(count: 512) + whole.dropFirst(512)
        for content in [whole.prefix(length), Data(count: length), lostSector] {
            try content.write(to: URL(filePath: directory.logPath))
            chmod(directory.logPath, 0o600)
            let tier = try open()
            try tier.store(Sample(number: 2).entry())
            #expect(tier.holds(Sample(number: 2)))
        }
    }

    @Test("Every flipped bit of the magic number is damage, and no foreign file", arguments: 0..<64)
    func damagedMagic(bit: Int) throws {
        do { try open().store(Sample(number: 1).entry()) }
        var bytes = try Data(contentsOf: URL(filePath: directory.logPath))
        bytes[bit / 8] ^= 1 << UInt8(bit % 8)
        try bytes.write(to: URL(filePath: directory.logPath))
        chmod(directory.logPath, 0o600)
        #expect(try open().startReason == .notALog)
    }

    @Test("A pipe in a file's place is an error, and does not hang") func pipe() throws {
        for name in ["cache.log", "cache.lock"] {
            let path = directory.path + "/" + name
            unlink(path)
            try #require(mkfifo(path, 0o600) == 0)
            #expect(throws: DiskTierError.untrusted(path: path, flaw: .otherKind)) { try open() }
            unlink(path)
        }
    }

    @Test("A file, or a directory, that others may write to is an error") func writableByOthers() throws {
        do { _ = try open() }
        for mode: mode_t in [0o620, 0o602] {
            for path in [directory.logPath, directory.path + "/cache.lock"] {
                chmod(path, mode)
                #expect(throws: DiskTierError.untrusted(path: path, flaw: .writableByOthers)) { try open() }
                chmod(path, 0o600)
            }
        }
        chmod(directory.path, 0o777)
        #expect(throws: DiskTierError.untrusted(path: directory.path, flaw: .writableByOthers)) { try open() }
        // As /tmp is: others cannot replace a file there.
        chmod(directory.path, 0o1777)
        #expect(throws: Never.self) { try open() }
        chmod(directory.path, 0o700)
    }

    @Test("A file, or a directory, of another user is an error", .enabled(if: geteuid() == 0))
    func otherOwner() throws {
        do { _ = try open() }
        for path in [directory.logPath, directory.path + "/cache.lock", directory.path] {
            try #require(chown(path, 65_534, 65_534) == 0)
            #expect(throws: DiskTierError.untrusted(path: path, flaw: .otherOwner(65_534))) { try open() }
            try #require(chown(path, 0, 0) == 0)
        }
    }

    @Test("Each error names the file, the reason and a remedy") func messages() {
        let errors: [DiskTierError] = [
            .untrusted(path: "/c/cache.log", flaw: .symbolicLink), .foreignFile(path: "/c/cache.log"),
            .unsupported(path: "/c/cache.log", feature: .locks, code: ENOLCK),
        ]
        for error in errors {
            #expect(error.description.contains("/c/cache.log"))
            #expect(error.description.contains("choose another directory") || error.description.contains("; choose a"))
        }
        #expect(errors[2].description.contains("No locks available"))
    }

    @Test(
        "A file system without locks, or without mapping, is an error that says so",
        .enabled(if: faulty_calls_are_possible() == 1),
        arguments: [
            (FAULTY_LOCK, ENOLCK), (FAULTY_LOCK, EOPNOTSUPP), (FAULTY_LOCK, ENOSYS), (FAULTY_MAP, ENODEV),
            (FAULTY_MAP, EOPNOTSUPP),
        ])
    func unsupported(call: faulty_call, code: Int32) async {
        await #expect(processExitsWith: .success) { [call = call.rawValue as UInt32, code = code as Int32] in
            let directory = TemporaryDirectory()
            faulty_calls_arm(faulty_call(call), 0, 1, code, 0)
            let isLock = call == FAULTY_LOCK.rawValue
            let error = DiskTierError.unsupported(
                path: isLock ? directory.path : directory.logPath, feature: isLock ? .locks : .mapping, code: code)
            #expect(throws: error) { try DiskTier(directory: directory.path, capacity: 1 << 20) }
            #expect(throws: Never.self) { try DiskTier(directory: directory.path, capacity: 1 << 20) }
        }
    }
}
