import Foundation
import Testing

@testable import cachefuzz

/// The output of `cachefuzz dump` for an input.
@Suite("Dump of inputs") struct DumpTests {
    @Test("an input of bytes is shown as text and in hexadecimal digits") func bytes() throws {
        let dump = try dump("cache_control", Array("max-age=1,\tno-store\n".utf8) + [0xFF])
        #expect(dump.contains(#"max-age=1,\tno-store\n"#))
        #expect(dump.contains(#"\xff"#))
        #expect(dump.contains("00000010  6f 72 65 0a ff"))
    }

    @Test(
        "an input of operations is shown as operations",
        arguments: [
            ("two_tier", [0, 3, 8, 1, 3, 3, 0, 0] as [UInt8], ["store(key: 3, size: 8", "1: lookup(key: 3)"]),
            ("memory_tier", [0x6E, 2, 16, 255, 0, 0], ["store(key: 2, bodyCount: 9", "1: removeAll"]),
            (
                "disk_tier", [0, 0, 5, 1, 0, 12, 5, 0, 0],
                ["store key 5 version 1", "look up key 5: version 1", "promise held"]
            ),
        ])
    func operations(target: String, input: [UInt8], expected: [String]) throws {
        let dump = try dump(target, input)
        for line in expected { #expect(dump.contains(line), "\(dump)") }
    }

    @Test("of a disk log's file the records are listed that are whole") func image() throws {
        let pack = Cachefuzz.pack(of: "disk_image")
        let names = try Corpus.pack(at: pack).inputs.map(\.name)
        let name = try #require(names.first { $0.hasPrefix("seed-") && $0.hasSuffix("few") })
        let result = try Cachefuzz.run("dump", "disk_image", "\(pack)/\(name)")
        #expect(result.output.contains("3 whole records"))
        #expect(result.output.contains("record of \"https://simulated.example/key/0\": stored at 1"))
    }

    @Test("a dump without a target that there is, or without a file, is wrong usage") func usage() throws {
        #expect(try Cachefuzz.run("dump", "nonesuch", "/dev/null").status == 64)
        #expect(try Cachefuzz.run("dump", "etag").status == 64)
    }

    private func dump(_ target: String, _ input: [UInt8]) throws -> String {
        let path = FileManager.default.temporaryDirectory.appending(path: "cachefuzz-\(UUID().uuidString)")
        defer { try? FileManager.default.removeItem(at: path) }
        try Data(input).write(to: path)
        let result = try Cachefuzz.run("dump", target, path.path)
        #expect(result.status == 0, "\(result.errors)")
        return result.output
    }
}
