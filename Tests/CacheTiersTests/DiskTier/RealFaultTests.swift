import DiskSimulation
import Foundation
import Platform
import TestSupport
import Testing

@testable import CacheTiers

/// Faults of a real file system, made without a privilege: a limit on the length of files, and other things in the
/// place of the tier's.
@Suite struct RealFaultTests {
    let directory = TemporaryDirectory()

    @Test("of what is asked for beyond the end of a file that comes which is there") func beyondTheEnd() throws {
        let storage = FileStorage(descriptor: Platform.open(directory.logPath, O_RDWR | O_CREAT, 0o600))
        let bytes = UnsafeMutableRawBufferPointer.allocate(byteCount: 20, alignment: 1)
        defer { bytes.deallocate() }
        for index in bytes.indices { bytes[index] = UInt8(index) }
        try storage.write(at: 0, UnsafeRawBufferPointer(rebasing: bytes[..<10]))
        for (offset, count) in [(0, 10), (4, 6), (10, 0), (100, 0)] {
            // The result of an earlier call says nothing about this one.
            errno = EIO
            let read = try storage.read(at: offset, into: bytes)
            #expect(read == count)
            #expect(bytes.prefix(count).elementsEqual(UInt8(offset)..<UInt8(offset + count)))
        }
    }

    @Test("a disk that takes no more is an error that names it, counted, and what is found is right")
    func fullDisk() async throws {
        // In a child: the limit is the process's, and so is the signal that comes with it.
        await #expect(processExitsWith: .success) {
            let directory = TemporaryDirectory()
            let tier = try DiskTier(directory: directory.path, capacity: 4 << 20)
            for number in 0..<20 { try tier.store(Sample(number: number, bodyCount: 2000).entry()) }
            var limit = rlimit(rlim_cur: 200_000, rlim_max: rlim_t.max)
            #expect(setrlimit(fileSizeLimit, &limit) == 0)
            var failures = 0
            for number in 0..<400 {
                do throws(DiskTierError) {
                    try tier.store(Sample(number: number, version: 1, bodyCount: 2000).entry())
                } catch {
                    failures += 1
                    #expect("\(error)".contains("disk cache"))
                }
            }
            tier.close()
            #expect(failures > 0)
            #expect(tier.statistics.failures > 0)
            #expect(tier.statistics.lastError == EFBIG)
            limit.rlim_cur = limit.rlim_max
            setrlimit(fileSizeLimit, &limit)
        }
    }

    @Test("on a full disk what cannot be replaced goes, and nothing else does, then or after opening again")
    func updatesOnFullDisk() async throws {
        await #expect(processExitsWith: .success) {
            let directory = TemporaryDirectory()
            func found(_ tier: DiskTier, _ numbers: Range<Int>) -> Int {
                numbers.count { tier.holds(Sample(number: $0, bodyCount: 2000)) }
            }
            do {
                let tier = try DiskTier(directory: directory.path, capacity: 4 << 20)
                for number in 0..<400 { try tier.store(Sample(number: number, bodyCount: 2000).entry()) }
                try tier.flush()
                var limit = rlimit(
                    rlim_cur: rlim_t(try FileManager.default.size(directory.logPath)), rlim_max: rlim_t.max)
                #expect(setrlimit(fileSizeLimit, &limit) == 0)
                var failures = 0
                // More than there is room for, with the tombstones' part.
                for number in 0..<300 {
                    do throws(DiskTierError) {
                        try tier.store(Sample(number: number, version: 1, bodyCount: 9000).entry())
                    } catch {
                        failures += 1
                    }
                }
                #expect(failures > 200 && found(tier, 0..<300) == 0 && found(tier, 300..<400) == 100)
                limit.rlim_cur = limit.rlim_max
                setrlimit(fileSizeLimit, &limit)
                tier.close()
            }
            let again = try DiskTier(directory: directory.path, capacity: 4 << 20)
            #expect(found(again, 0..<300) == 0 && found(again, 300..<400) == 100)
        }
    }

    @Test("a write that the system refuses carries the system's reason") func refusedWrite() {
        let storage = FileStorage(descriptor: Platform.open("/dev/null", O_RDONLY))
        let bytes = UnsafeMutableRawBufferPointer.allocate(byteCount: 3, alignment: 1)
        defer { bytes.deallocate() }
        bytes.initializeMemory(as: UInt8.self, repeating: 7)
        for second in [UnsafeRawBufferPointer(start: nil, count: 0), UnsafeRawBufferPointer(bytes)] {
            #expect(throws: StorageError(.write, code: EBADF)) {
                try storage.write(at: 0, UnsafeRawBufferPointer(bytes), second)
            }
        }
    }

    @Test("a file in the directory's place, a directory in a file's: typed errors that name the path")
    func otherThingsInTheWay() throws {
        let file = directory.path + "/taken"
        close(Platform.open(file, O_WRONLY | O_CREAT, 0o600))
        defer { unlink(file) }
        for path in [file, file + "/below"] {
            let error = #expect(throws: DiskTierError.self) { try DiskTier(directory: path, capacity: 1 << 20) }
            #expect(error?.description.contains(file) == true)
        }
        mkdir(directory.logPath, 0o700)
        defer { rmdir(directory.logPath) }
        #expect(throws: DiskTierError.unusable(path: directory.logPath, code: EISDIR)) {
            try DiskTier(directory: directory.path, capacity: 1 << 20)
        }
    }

    @Test(
        "without permission: a typed error that names the path; with files that may be written, an unwritable directory will do"
    )
    func noPermission() async {
        await #expect(processExitsWith: .success) {
            // That of the environment may be closed to another account.
            let directory = TemporaryDirectory(in: getuid() == 0 ? "/tmp" : ScratchDirectory.parent)
            let path = directory.path
            // Modes mean nothing to the superuser.
            if getuid() == 0 { try #require(chown(path, 65_534, 65_534) == 0 && setuid(65_534) == 0) }
            defer { chmod(path, 0o700) }

            chmod(path, 0o500)
            #expect(throws: DiskTierError.unusable(path: path + "/cache.lock", code: EACCES)) {
                try DiskTier(directory: path, capacity: 1 << 20)
            }
            #expect(throws: DiskTierError.unusable(path: path + "/below", code: EACCES)) {
                try DiskTier(directory: path + "/below", capacity: 1 << 20)
            }
            chmod(path, 0o000)
            #expect(throws: DiskTierError.unusable(path: path + "/cache.lock", code: EACCES)) {
                try DiskTier(directory: path, capacity: 1 << 20)
            }
            chmod(path, 0o700)
            do { try DiskTier(directory: path, capacity: 1 << 20).store(Sample(number: 1).entry()) }
            chmod(directory.logPath, 0o400)
            #expect(throws: DiskTierError.unusable(path: directory.logPath, code: EACCES)) {
                try DiskTier(directory: path, capacity: 1 << 20)
            }
            chmod(directory.logPath, 0o600)
            chmod(path, 0o500)
            let tier = try DiskTier(directory: path, capacity: 1 << 20)
            #expect(tier.holds(Sample(number: 1)))
            try tier.store(Sample(number: 2).entry())
            try tier.removeAll()
            #expect(tier.count == 0)
        }
    }

    @Test("a damaged record costs its neighbours no more than the rest of its segment", arguments: [0, 20, 44, 63])
    func damageStaysInItsSegment(byte: Int) throws {
        let storage = MemoryStorage()
        let log = try DiskTier(storage, capacity: 64 << 10, seed: KeySeed(1, 2), nonceSeed: 3)
        let samples = (0..<100).map { Sample(number: $0, bodyCount: 100) }
        for sample in samples { _ = try log.store(sample.entry()) }
        let bytes = storage.bytes
        // 40 segments of 1,472 bytes, records of at most 264: a segment holds at most 8 that start in it.
        for sample in samples where sample.number % nightly(1, else: 8) == 0 {
            guard let key = bytes.indices.first(where: { bytes[$0...].starts(with: sample.key + sample.metadata) })
            else {
                continue
            }
            var damaged = bytes
            damaged[key - 64 + byte] ^= 0x04
            let opened = try DiskTier(MemoryStorage(damaged), capacity: 64 << 10, seed: KeySeed(1, 2), nonceSeed: 4)
            var lost = 0
            for other in samples {
                let entry = other.key.withUnsafeBytes { opened.lookup($0, hash: other.hash) }
                if let entry { #expect(other.matches(entry)) } else { lost += 1 }
            }
            #expect(lost >= 1 && lost <= 8, "\(lost) lost by byte \(byte) of the header of key \(sample.number)")
        }
    }

    @Test("a process killed while the capacity is lowered leaves a file that opens within the lower one")
    func killedWhileLowering() throws {
        for operation in stride(from: 0, to: 60, by: nightly(1, else: 7)) {
            let storage = MemoryStorage()
            let log = try DiskTier(storage, capacity: 300 << 10, seed: KeySeed(1, 2), nonceSeed: 3)
            for number in 0..<900 {
                _ = try log.store(Sample(number: number % 700, version: number, bodyCount: 300).entry())
            }
            storage.schedule(.kill(operation % 40), after: operation)
            try? log.setCapacity(100 << 10)
            storage.recover()
            let opened = try DiskTier(storage, capacity: 100 << 10, seed: KeySeed(1, 2), nonceSeed: 4)
            #expect(storage.bytes.count <= 100 << 10)
            #expect(opened.currentUsage <= 100 << 10)
            for number in 0..<700 {
                let version = number < 200 ? number + 700 : number
                let sample = Sample(number: number, version: version, bodyCount: 300)
                guard let entry = sample.key.withUnsafeBytes({ opened.lookup($0, hash: sample.hash) }) else { continue }
                #expect(sample.matches(entry), "killed at operation \(operation), key \(number)")
            }
        }
    }
}

extension FileManager {
    fileprivate func size(_ path: String) throws -> Int {
        (try attributesOfItem(atPath: path)[.size] as? NSNumber)?.intValue ?? 0
    }
}
