import Platform
import Testing

@testable import URLCaching

@Suite struct BodyBacklogTests {
    @Test("Bytes come out in the order in which they went in, from memory, from the file, and from memory again")
    func order() throws {
        // A period that no length of a part is a multiple of for long.
        let pattern = (0..<100_000).map { UInt8($0 % 251) }
        func bytes(from place: Int, _ count: Int) -> ArraySlice<UInt8> { pattern[place % 251..<place % 251 + count] }
        var backlog = BodyBacklog(longest: 1 << 30)
        var random = CongruentialGenerator(state: 22)
        var (written, read, longestWait) = (0, 0, 0)
        func take() throws -> Bool {
            guard let part = try backlog.next() else { return false }
            try #require(part[...] == bytes(from: read, part.count), "bytes from \(read) on")
            read += part.count
            return true
        }
        for round in 0..<1_200 {
            // By turns the writer and the reader are ahead.
            let isWriting = round % 300 < 150
            if random.next(below: 4) < (isWriting ? 3 : 1) {
                let count = random.next(below: 20_000)
                try backlog.append(Array(bytes(from: written, count)))
                written += count
            }
            longestWait = max(longestWait, written - read)
            if random.next(below: 4) < (isWriting ? 1 : 4) { _ = try take() }
        }
        while try take() {}
        #expect(read == written)
        #expect(longestWait > 2 * BodyBacklog.window, "the file was needed")
    }

    @Test("Further ahead than the limit is an error that names the remedy") func limit() throws {
        var backlog = BodyBacklog(longest: 300_000)
        try backlog.append([UInt8](repeating: 1, count: 300_000))
        #expect {
            try backlog.append([1])
        } throws: { error in
            (error as? URLError)?.code == .dataLengthExceedsMaximum
                && (error as? URLError)?.localizedDescription.contains("raise longestBacklog") == true
        }
    }

    @Test("what was taken before the limit can be read, and then there is no more") func readBehindLimit() throws {
        var backlog = BodyBacklog(longest: 300_000)
        try backlog.append([UInt8](repeating: 1, count: 300_000))
        #expect(throws: URLError.self) { try backlog.append([1]) }
        #expect(try backlog.next()?.count == 300_000)
        #expect(try backlog.next() == nil)
    }

    @Test("No bytes are no part") func noBytes() throws {
        var backlog = BodyBacklog(longest: 0)
        try backlog.append([])
        #expect(try backlog.next() == nil)
        try backlog.append([1])
        try backlog.append([])
        #expect(try backlog.next() == [1])
        #expect(try backlog.next() == nil)
    }

    @Test("A file that cannot be made or written is an error, and what was in memory can be read") func noFile() async {
        await #expect(processExitsWith: .success) {
            let part = [UInt8](repeating: 7, count: BodyBacklog.window)
            var backlog = BodyBacklog(longest: 1 << 30)
            try backlog.append(part)
            setenv("TMPDIR", "/nowhere/to/be/found", 1)
            #expect(throws: SystemError(code: ENOENT)) { try backlog.append([1]) }
            setenv("TMPDIR", "/tmp", 1)
            signal(SIGXFSZ, SIG_IGN)
            var limit = rlimit()
            getrlimit(fileSizeLimit, &limit)
            limit.rlim_cur = 0
            setrlimit(fileSizeLimit, &limit)
            #expect(throws: SystemError(code: EFBIG)) { try backlog.append([1]) }
            #expect(try backlog.next() == part)
        }
    }

    @Test("A reader that is one part behind for the whole body keeps no more than that in memory") func behind() async {
        await #expect(processExitsWith: .success) {
            var backlog = BodyBacklog(longest: 1 << 30)
            let size = BodyBacklog.window / 2
            let before = resourceUsage().ru_maxrss
            for round in 0..<2_000 {
                try backlog.append([UInt8](repeating: UInt8(round % 251), count: size))
                if round > 0 { #expect(try backlog.next()?.first == UInt8((round - 1) % 251)) }
            }
            let added = UInt64(resourceUsage().ru_maxrss - before) * maximumResidentUnit
            #expect(added < 64 << 20, "\(added) bytes of \(2_000 * size)")
        }
    }

    @Test("A file of a process without standard input may have the descriptor 0") func descriptorZero() async {
        await #expect(processExitsWith: .success) {
            close(0)
            var backlog = BodyBacklog(longest: 1 << 30)
            let part = [UInt8](repeating: 7, count: BodyBacklog.window)
            for _ in 0..<3 { try backlog.append(part) }
            var count = 0
            while let bytes = try backlog.next() { count += bytes.count }
            #expect(count == 3 * part.count)
        }
    }

    /// A linear congruential generator (Knuth, MMIX).
    private struct CongruentialGenerator {
        var state: UInt64

        mutating func next(below limit: Int) -> Int {
            state = state &* 6_364_136_223_846_793_005 &+ 1_442_695_040_888_963_407
            return Int((state >> 33) % UInt64(limit))
        }
    }
}
