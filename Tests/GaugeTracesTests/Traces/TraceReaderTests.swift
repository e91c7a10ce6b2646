import Platform
import TestSupport
import Testing

@testable import GaugeTraces

@Suite("Trace reader") struct TraceReaderTests {
    private func read(_ bytes: [UInt8], _ format: TraceFormat? = nil) throws -> [TraceRequest] {
        var reader = try TraceReader(TraceInput(name: "t", bytes: bytes), format: format)
        var requests: [TraceRequest] = []
        while let request = try reader.next() { requests.append(request) }
        return requests
    }

    private func read(_ text: String, _ format: TraceFormat? = nil) throws -> [TraceRequest] {
        try read(Array(text.utf8), format)
    }

    private func error(_ bytes: [UInt8], _ format: TraceFormat? = nil) -> String {
        do {
            return "read \(try read(bytes, format).count) requests"
        } catch {
            return "\(error)"
        }
    }

    @Test("be32 is big-endian, and its keys may be negative") func be32IsBigEndianAndItsKeysMayBeNegative() throws {
        let bytes: [UInt8] = [0, 0, 0, 1, 0x01, 0x02, 0x03, 0x04, 0xFF, 0xFF, 0xFF, 0xFF]
        #expect(try read(bytes, .be32).map(\.id) == [1, 0x0102_0304, 0xFFFF_FFFF])
    }

    @Test("the error for a truncated be32 trace names the offset", arguments: 1...3)
    func be32CutShortNamesTheOffset(extra: Int) {
        let bytes = [UInt8](repeating: 7, count: 8 + extra)
        #expect(error(bytes, .be32).hasPrefix("t: offset 8: \(extra) of a key's 4 bytes"))
    }

    @Test("CSV is detected by its header, and its columns are found by their names")
    func csvIsGuessedByItsHeaderAndReadByItsNames() throws {
        var reader = try TraceReader(TraceInput(name: "t", bytes: Array("size,key\r\n10,a\r\n20,b\r\n10,a\r\n".utf8)))
        #expect(reader.format == .csv && reader.isGuessed)
        let first = try #require(try reader.next())
        let second = try #require(try reader.next())
        let third = try #require(try reader.next())
        #expect(first.size == 10 && second.size == 20)
        #expect(first.id == third.id && first.id != second.id)
        #expect(try reader.next() == nil)
        #expect(reader.count == 3)
    }

    @Test(
        "CSV rows are read by the columns that the first line names",
        arguments: [
            ("key\n17\n", TraceRequest(id: 17)),
            ("key\n17", TraceRequest(id: 17)),
            ("\u{FEFF}key\n17\n", TraceRequest(id: 17)),
            (" Key , SIZE \n17,5\n", TraceRequest(id: 17, size: 5)),
            ("key,time,size\n18446744073709551615,1.25,0\n", TraceRequest(id: .max, size: 0, time: 1.25)),
            ("\n\nkey\n17\n", TraceRequest(id: 17)),
            ("\"key\",size\n\n17,\"5\"\n\n", TraceRequest(id: 17, size: 5)),
        ])
    func csvRows(text: String, expected: TraceRequest) throws {
        #expect(try read(text, .csv) == [expected])
    }

    @Test("keys are compared as text") func keysAreComparedAsText() throws {
        let ids = try read("key\n1\n01\n1 \n\"1\"\n+1\n18446744073709551616\n\"a,\"\"b\"\n", .csv).map(\.id)
        #expect(ids[0] == 1 && ids[3] == 1)
        #expect(Set(ids).count == 6)
    }

    @Test("URLs are kept") func urlsAreKept() throws {
        let requests = try read("url\nhttps://a.example/x?y=1\n\"https://a.example/a,b\"\nhttps://a.example/x?y=1\n")
        #expect(requests.map(\.url) == ["https://a.example/x?y=1", "https://a.example/a,b", "https://a.example/x?y=1"])
        #expect(requests[0].id == requests[2].id && requests[0].id != requests[1].id)
    }

    @Test(
        "the error for damaged text names the line and the reason",
        arguments: [
            ("", nil, "t: empty"),
            ("", "csv", "t: empty; a CSV trace begins with a line that names its columns"),
            ("1,2,3\n", nil, "t: its first line is \"1,2,3\"; not of a format with a signature"),
            (
                "1,2,3\n", "csv",
                "t: line 1: unknown columns \"1\", \"2\", \"3\"; the columns of a CSV trace are key or url"
            ),
            ("key,cost\n1,2\n", nil, "t: line 1: unknown column \"cost\"; the columns"),
            ("key,url\n1,u\n", nil, "t: line 1: both key and url are there"),
            ("key,key\n1,1\n", nil, "t: line 1: column key appears twice"),
            ("size,time\n1,1\n", "csv", "t: line 1: neither key nor url is there"),
            ("key,size\n1,5\n1\n", nil, "t: line 3: 1 fields under a header of 2"),
            ("key,size\n1,5\n\n1,5,6\n", nil, "t: line 4: 3 fields under a header of 2"),
            ("key,size\n1,-5\n", nil, "t: line 2: the size \"-5\" is not a number of bytes"),
            ("key,size\n1,9223372036854775808\n", nil, "t: line 2: the size \"9223372036854775808\" is not"),
            ("key,size\n1,1e-3\n", nil, "t: line 2: the size \"1e-3\" is not"),
            (
                "key,time\n1,yesterday\n", nil,
                "t: line 2: the time \"yesterday\" is neither a number of seconds nor a date"
            ),
            ("key,time\n1,1.2.3\n", nil, "t: line 2: the time \"1.2.3\" is neither"),
            ("key,time\n1,-1\n", nil, "t: line 2: the time \"-1\" is neither"),
            ("key,size\n,5\n", nil, "t: line 2: the key is empty"),
            ("url\n\"\"\n", nil, "t: line 2: the URL is empty"),
            ("key\n\"a\n", nil, "t: line 2: a quoted field does not end on the line"),
            ("key\n\"a\"b\n", nil, "t: line 2: text after the end of a quoted field"),
            ("\"key\n", "csv", "t: line 1: a quoted field does not end on the line"),
        ])
    func damagedTextNamesTheLineAndTheReason(text: String, format: String?, expected: String) {
        let message = error(Array(text.utf8), format.flatMap(TraceFormat.init))
        #expect(message.hasPrefix(expected), "\(message)")
    }

    @Test("a URL that is not UTF-8 is damage") func aURLThatIsNotUTF8IsDamage() {
        #expect(error(Array("url\n".utf8) + [0x68, 0xFF, 0x0A]) == "t: line 2: the URL is not UTF-8")
    }

    @Test(
        "the error for a compressed trace names the command to decompress it",
        arguments: [
            (Array("BZh9".utf8), "bzip2", "bzcat"),
            ([0xFD, 0x37, 0x7A, 0x58, 0x5A, 0], "xz", "xzcat"),
        ] as [([UInt8], String, String)])
    func compressedTracesGetTheCommandThatHelps(bytes: [UInt8], name: String, tool: String) {
        #expect(
            error(bytes)
                == "t: offset 0: compressed by \(name); decompress it on the way: \(tool) FILE | cachegauge replay -")
    }

    @Test("a CSV trace with any cut or any changed byte is read or refused")
    func everyCutAndEveryChangedByteOfACSVTraceIsReadOrRefused() {
        let text = Array("key,size,time\n17,5,1.5\n\"a\"\"b\",6,2\n".utf8)
        #expect(error(text, .csv) == "read 2 requests")
        for count in 0..<text.count { expectReadOrRefused(Array(text[..<count]), .csv) }
        for index in text.indices {
            for byte in [0, 0x0A, 0x0D, 0x22, 0x2C, 0x30, 0xFF] as [UInt8] {
                var changed = text
                changed[index] = byte
                expectReadOrRefused(changed, .csv)
                expectReadOrRefused(changed, nil)
            }
        }
    }

    /// Expects at most as many requests as lines begin behind the first, or an error that names the trace.
    private func expectReadOrRefused(_ text: [UInt8], _ format: TraceFormat?) {
        let message = error(text, format)
        let lines = text.count { $0 == 0x0A }
        #expect(
            message.hasPrefix("t: ") || (0...lines).contains { message == "read \($0) requests" },
            "\(String(decoding: text, as: UTF8.self)): \(message)")
    }

    @Test("control characters of a trace do not reach the terminal")
    func controlCharactersOfATraceDoNotReachTheTerminal() {
        let message = error(Array("key,size\n1,\u{1B}[31m\u{7}\n".utf8))
        #expect(message.contains("line 2") && !message.contains("\u{1B}") && !message.contains("\u{7}"))
    }

    @Test("a missing file and a directory are clear errors") func aMissingFileAndADirectoryAreClearErrors() {
        #expect(throws: TraceError.self) { try TraceInput(path: "/nonexistent/trace") }
        let error = #expect(throws: TraceError.self) {
            var reader = try TraceReader(TraceInput(path: "/"), format: .be32)
            _ = try reader.next()
        }
        #expect(error?.description.contains("irectory") == true)
    }

    @Test("a file is read across the boundaries of the buffer")
    func aFileIsReadAcrossTheBoundariesOfTheBuffer() throws {
        // 65,536 is not a multiple of the length of a line.
        var text = "key,size\n"
        for key in 0..<40_000 { text += "\(key),\(key % 1000)\n" }
        let requests = try readFile(Array(text.utf8))
        #expect(requests.count == 40_000)
        let isWhole = requests.enumerated().allSatisfy {
            $0.element.size == $0.offset % 1000 && $0.element.id == UInt64($0.offset)
        }
        #expect(isWhole)
    }

    @Test("a line without an end is an error and does not fill the memory")
    func aLineWithoutAnEndIsAnErrorAndNotMemory() throws {
        let error = #expect(throws: TraceError.self) {
            try readFile(Array("key\n".utf8) + [UInt8](repeating: 0x61, count: 3 << 20))
        }
        #expect(error?.description.contains("line 2: longer than 1048576 bytes") == true)
    }

    private func readFile(_ bytes: [UInt8]) throws -> [TraceRequest] {
        var path = Array("\(ScratchDirectory.parent)/trace-XXXXXX".utf8CString)
        let file = mkstemp(&path)
        try #require(file >= 0)
        defer {
            unlink(path)
            close(file)
        }
        var rest = bytes[...]
        while !rest.isEmpty {
            let written = rest.withUnsafeBytes { write(file, $0.baseAddress, $0.count) }
            try #require(written > 0)
            rest = rest.dropFirst(written)
        }
        let name = String(decoding: path.dropLast().map { UInt8(bitPattern: $0) }, as: UTF8.self)
        var reader = try TraceReader(TraceInput(path: name))
        var requests: [TraceRequest] = []
        while let request = try reader.next() { requests.append(request) }
        return requests
    }

    @Test("blank lines before the header of a CSV trace are passed over, and count as lines")
    func blankLinesBeforeTheHeader() throws {
        for blank in ["\n", " \t\r\n\n", String(repeating: "\n", count: 9_000)] {
            #expect(try TraceReading.all(blank + "key,size\na,5\n", nil) == TraceReading.all("key,size\na,5\n", nil))
            for lines in ["time,id,size\n1,7,5\n", "1,7,5\n"] {
                let whole = try TraceReading.all(blank + lines, .libcachesimCSV)
                #expect(whole.map(\.id) == [7] && whole.map(\.time) == [1])
            }
        }
        #expect(TraceReading.message(Array("\n\nkey,cost\n".utf8), nil).hasPrefix("t: line 3: unknown column"))
        #expect(TraceReading.message(Array("\n\nkey\n\na,b\n".utf8), nil).hasPrefix("t: line 5: 2 fields"))
        #expect(TraceReading.message(Array("\n \n".utf8), .csv).hasPrefix("t: empty"))
    }
}
