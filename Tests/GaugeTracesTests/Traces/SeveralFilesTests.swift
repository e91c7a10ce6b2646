import Testing

@testable import GaugeSupport
@testable import GaugeTraces

@Suite("Traces of several files") struct SeveralFilesTests {
    private static func reader(_ files: [String], _ format: TraceFormat? = nil) throws(TraceError) -> TraceReader {
        try TraceReader(files.enumerated().map { TraceInput(name: "part\($0)", bytes: Array($1.utf8)) }, format: format)
    }

    private static func read(_ files: [String], _ format: TraceFormat? = nil) throws -> [TraceRequest] {
        var reader = try reader(files, format)
        var requests: [TraceRequest] = []
        while let request = try reader.next() { requests.append(request) }
        #expect(reader.count == requests.count)
        #expect(try reader.next() == nil)
        return requests
    }

    private static func message(_ files: [String], _ format: TraceFormat? = nil) -> String {
        do {
            return "\(try read(files, format).count) requests"
        } catch {
            return "\(error)"
        }
    }

    @Test("requests of several files come in the order of their times, and of equal times in that of the files")
    func byTime() throws {
        var random = SplitMix64(seed: 71)
        for _ in 0..<100 {
            var lines: [[(time: Int, file: Int, line: String)]] = []
            for file in 0..<Int(1 + random.next() % 5) {
                var latest = 0
                lines.append([])
                for number in 0..<Int(1 + random.next() % 12) {
                    let time = Int(random.next() % 20)
                    latest = max(latest, time)
                    // A time before an earlier one counts as that one.
                    lines[file].append((latest, file, "\(time) \(file * 100 + number) 10"))
                }
            }
            let files = lines.map { $0.map { $0.line + "\n" }.joined() }
            let sorted = lines.flatMap(\.self).enumerated().sorted {
                ($0.element.time, $0.element.file, $0.offset) < ($1.element.time, $1.element.file, $1.offset)
            }
            let expected = try Self.read([sorted.map { $0.element.line + "\n" }.joined()], .webcachesim)
            #expect(try Self.read(files, .webcachesim) == expected, "\(files)")
        }
    }

    @Test("files without times are read one after another, empty ones passed over") func inTurn() throws {
        let files = ["1\n2\n", "", "3\n", "1\n1\n4\n"]
        #expect(try Self.read(files, .ids) == Self.read([files.joined()], .ids))
    }

    @Test("blocks and single requests of several binary files hold the same requests") func blocks() throws {
        let files = (0..<3).map { file in
            TraceInput(name: "\(file)", bytes: (0..<700).flatMap { [0, 0, UInt8(file), UInt8($0 % 251)] })
        }
        var reader = try TraceReader(files, format: .be32)
        #expect(reader.isPlain)
        var ids: [UInt64] = []
        var block: [PlainRequest] = []
        block.reserveCapacity(64)
        while true {
            try reader.read(into: &block)
            ids += block.map(\.id)
            if block.isEmpty { if let request = try reader.next() { ids.append(request.id) } else { break } }
        }
        #expect(ids == (0..<3).flatMap { file in (0..<700).map { UInt64(file << 8 | $0 % 251) } })
        #expect(reader.count == 2_100)
    }

    @Test(
        "binary files with times come in their order, in blocks as one by one, up to where one is cut",
        arguments: [1, 2, 64, 5_000])
    func timedBlocks(capacity: Int) throws {
        var random = SplitMix64(seed: 9)
        func words(_ numbers: [UInt32]) -> [UInt8] {
            numbers.flatMap { n in (0..<4).map { UInt8(truncatingIfNeeded: n >> (8 * $0)) } }
        }
        var expected: [(time: UInt32, id: UInt32)] = []
        var files = (0..<3).map { file -> [UInt8] in
            var time: UInt32 = 0
            return (0..<1_500).flatMap { number -> [UInt8] in
                time += UInt32(random.next() % 3)
                expected.append((time, UInt32(file * 10_000 + number)))
                return words([time, expected[expected.count - 1].id, 0, 100, .max, .max])
            }
        }
        // Of the second file only 700 requests are whole.
        files[1].removeLast(800 * 24 - 10)
        let cut = expected[1_500 + 700 - 1].time
        expected.removeSubrange(1_500 + 700..<3_000)
        let before = expected.enumerated().sorted {
            ($0.element.time, $0.offset) < ($1.element.time, $1.offset)
        }.map(\.element)
        let last = try #require(before.lastIndex { $0.time == cut && $0.id / 10_000 == 1 })
        var reader = try TraceReader(
            files.enumerated().map { TraceInput(name: "part\($0)", bytes: $1) }, format: .oracleGeneral)
        #expect(reader.isPlain)
        var block: [PlainRequest] = []
        block.reserveCapacity(capacity)
        var ids: [UInt64] = []
        let error = #expect(throws: TraceError.self) {
            while true {
                try reader.read(into: &block)
                ids += block.map(\.id)
                if block.isEmpty || ids.count % 5 == 0, let request = try reader.next() { ids.append(request.id) }
            }
        }
        #expect(ids == before[...last].map { UInt64($0.id) })
        #expect(reader.count == ids.count && reader.digest == nil)
        #expect(error?.description.hasPrefix("part1: ") == true)
    }

    @Test("an error names the file, and the requests before it are read") func errors() throws {
        var reader = try Self.reader(["1 7 10\n9 8 10\n", "2 5 10\n3 x\n"], .webcachesim)
        #expect(try reader.next()?.id == 7)
        #expect(try reader.next()?.id == 5)
        let error = #expect(throws: TraceError.self) { try reader.next() }
        #expect(error?.description.hasPrefix("part1: line 2: ") == true)
        #expect(reader.count == 2)
    }

    @Test("files of different formats, and of times beside none, are refused with their names") func mixed() {
        let log = #"10.0.0.1 - - [10/Oct/2000:13:55:36 -0700] "GET /a HTTP/1.0" 200 2326"# + "\n"
        #expect(
            Self.message(["key,size\na,1\n", log]).hasPrefix("part1: has the format combined, and part0 has csv; "))
        #expect(
            Self.message(["key,time\na,1\n", "key\nb\n"]).hasPrefix("part1: has no times, and part0 has some; "))
        #expect(Self.message(["", ""]) == "part0: empty; pass a trace with requests")
        #expect(Self.message(["", "key\nb\n"]) == "1 requests")
    }

    @Test("lines that were skipped are counted over all files") func skipped() throws {
        let log = #"10.0.0.1 - - [10/Oct/2000:13:55:36 -0700] "GET /a HTTP/1.0" 200 2326"# + "\n"
        var reader = try Self.reader([log + "\n", "noise\n" + log + "noise\n"])
        while try reader.next() != nil {}
        #expect(reader.count == 2)
        #expect(reader.skipped == 3)
        #expect(reader.firstSkipped?.trace == "part0")
    }

    @Test("the digest of one file is that of its bytes, and that of several depends on all of them and their order")
    func digest() throws {
        func text(_ files: [String]) throws -> String? {
            var reader = try Self.reader(files, .ids)
            while try reader.next() != nil {}
            return reader.digest?.text
        }
        let digests = try [["1\n"], ["1\n", "2\n"], ["2\n", "1\n"], ["1\n2\n"]].map(text)
        #expect(Set(digests).count == 4 && !digests.contains(nil))
        var unread = try Self.reader(["1\n", "2\n"], .ids)
        #expect(try unread.next() != nil)
        #expect(unread.digest == nil)
    }

    @Test("recordings without a name in common are told apart from those that join") func recordings() throws {
        func recording(_ names: [String], at time: Int) -> TraceInput {
            let lines = names.map {
                "{\"ts\":\(time),\"request\":{\"method\":\"GET\",\"uri\":\"https://recorded.invalid/\($0)\"},\"status\":200,\"size\":5}\n"
            }
            return TraceInput(name: names.joined(), bytes: Array(lines.joined().utf8))
        }
        func strangers(_ files: [[String]]) throws -> String? {
            var reader = try TraceReader(files.enumerated().map { recording($0.element, at: $0.offset) })
            while try reader.next() != nil {}
            return reader.strangers
        }
        #expect(try strangers([["a", "b"], ["b", "c"]]) == nil && strangers([["a", "a"]]) == nil)
        #expect(try strangers([["a", "b"], ["b"], ["c", "d"]])?.hasPrefix("cd has no name in common") == true)
    }
}
