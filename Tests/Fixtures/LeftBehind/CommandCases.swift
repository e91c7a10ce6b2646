import Foundation
import GaugeSupport
import GaugeTraces
import Platform

/// What commands write and read.
enum CommandCases {
    static let all: [Case] = [
        Case("harness/progress that is told now and then") { _ in
            let line = ProgressLine(console: Console(write: { _ in }, note: { _ in }))
            return { line.repeating {} }
        },
        Case("harness/an output file that is written, and one that is too long for the system") { directory in
            let path = directory + "/a.json"
            let file = try OutputFile(path, remedy: "none")
            signal(SIGXFSZ, SIG_IGN)
            return {
                try file.write("text")
                try withLargestFile(2) { try require((try? file.write("other")) == nil, "written") }
                // Each attempt would leave a file of one name.
                let left = try FileManager.default.contentsOfDirectory(atPath: directory)
                try require(left == ["a.json"], "\(left)")
            }
        },
        Case("harness/a trace by zstd") { _ in
            // One frame with a block of "1\n2\n3\n" as it is (RFC 8878, section 3.1.1).
            let frame: [UInt8] = [0x28, 0xB5, 0x2F, 0xFD, 0x20, 6, 0x31, 0, 0] + Array("1\n2\n3\n".utf8)
            guard (try? read(frame)) == 3 else { return {} }
            return { _ = try read(frame) }
        },
    ]

    private static func read(_ bytes: [UInt8]) throws -> Int {
        var reader = try TraceReader([TraceInput(name: "trace", bytes: bytes)], format: .ids)
        while try reader.next() != nil {}
        return reader.count
    }

    private static func withLargestFile(_ byteCount: rlim_t, _ body: () throws -> Void) throws {
        var before = rlimit()
        getrlimit(fileSizeLimit, &before)
        var limit = before
        limit.rlim_cur = byteCount
        setrlimit(fileSizeLimit, &limit)
        defer { setrlimit(fileSizeLimit, &before) }
        try body()
    }
}
