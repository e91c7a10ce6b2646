import Foundation
import TestSupport
import Testing

@testable import cachefuzz

/// The file that holds the inputs of a target.
@Suite("Packs of inputs") struct CorpusPackTests {
    @Test("bytes of every kind are written in ASCII, on a line, and read back") func roundTrip() throws {
        var state: UInt64 = 1
        func random(_ limit: Int) -> Int {
            state = state &* 6_364_136_223_846_793_005 &+ 1_442_695_040_888_963_407
            return Int((state >> 33) % UInt64(limit))
        }
        var inputs = [CorpusPack.Input(name: "all", bytes: Array(0...255)), .init(name: "none", bytes: [])]
        inputs.append(.init(name: "looks-escaped", bytes: Array(#"\n\x41\*9;"#.utf8)))
        for number in 0..<200 {
            let bytes = (0..<random(20)).flatMap { _ in
                [UInt8](repeating: UInt8(random(4) == 0 ? 0x20 : random(256)), count: 1 + random(3) * random(9))
            }
            inputs.append(.init(name: "input-\(number)", bytes: bytes))
        }
        let pack = CorpusPack(inputs)
        let text = pack.text
        #expect(try CorpusPack(reading: text) == pack)
        #expect(text.allSatisfy { $0 == 0x0A || 0x20...0x7E ~= $0 })
        #expect(text.count { $0 == 0x0A } == pack.inputs.count + 1)
        // Editors and mail remove such spaces.
        #expect(!String(decoding: text, as: UTF8.self).contains(" \n"))
    }

    @Test("what a line says can be read without this program") func lines() {
        let pack = CorpusPack([
            .init(name: "b", bytes: Array("max-age=60, \"\\\t\r\n\u{7F} ".utf8)),
            .init(name: "a", bytes: [UInt8](repeating: 0, count: 8) + [UInt8](repeating: 0x41, count: 7)),
            .init(name: "c", bytes: []),
        ])
        #expect(
            String(decoding: pack.text, as: UTF8.self) == #"""
                corpus pack 1
                a \x00\*8;AAAAAAA
                b max-age=60, "\\\t\r\n\x7f\x20
                c

                """#)
    }

    @Test("one more input is one more line, wherever the directory lists it") func oneLine() {
        let inputs = (0..<50).map { CorpusPack.Input(name: "input-\($0 * 7 % 50)", bytes: Array("\($0)".utf8)) }
        let before = CorpusPack(Array(inputs.dropLast())).text.split(separator: 0x0A)
        let after = CorpusPack(inputs.reversed()).text.split(separator: 0x0A)
        let change = after.difference(from: before)
        #expect(change.insertions.count == 1 && change.removals.isEmpty)
    }

    @Test("of the same bytes under two names a regression or a seed stays, not what fuzzing found") func sameBytes() {
        let names = ["corpus-1", "seed-1", "regression-2", "corpus-2", "corpus-3"]
        let pack = CorpusPack(names.map { .init(name: $0, bytes: Array($0.utf8.suffix(1))) })
        #expect(pack.inputs.map(\.name) == ["corpus-3", "regression-2", "seed-1"])
    }

    @Test(
        "of a damaged pack the line and the reason are told",
        arguments: [
            ("", 1, "it is not 'corpus pack 1'"), ("corpus pack 2\n", 1, "it is not"),
            ("corpus pack 1", 1, "the file ends within it"), ("corpus pack 1\r\na\r\n", 1, "it is not"),
            ("corpus pack 1\na", 2, "the file ends within it"), ("corpus pack 1\n\n", 2, "the name of an input"),
            ("corpus pack 1\n b\n", 2, "the name of an input"), ("corpus pack 1\n../../etc/passwd x\n", 2, "the name"),
            ("corpus pack 1\n/etc/passwd x\n", 2, "the name"), ("corpus pack 1\n.hidden x\n", 2, "the name"),
            ("corpus pack 1\n-rf x\n", 2, "the name"), ("corpus pack 1\na\\x00 x\n", 2, "the name"),
            ("corpus pack 1\n\(String(repeating: "a", count: 121)) x\n", 2, "the name"),
            ("corpus pack 1\na x\na y\n", 3, "a is there twice"), ("corpus pack 1\na \n", 2, "a space and nothing"),
            ("corpus pack 1\na \\\n", 2, "a backslash is not followed by"),
            ("corpus pack 1\na \\q\n", 2, "a backslash"),
            ("corpus pack 1\na \\x0\n", 2, "two small hexadecimal digits"),
            ("corpus pack 1\na \\xFF\n", 2, "two small"),
            ("corpus pack 1\na \t\n", 2, "the byte 9"), ("corpus pack 1\na \u{E9}\n", 2, "the byte 195"),
            ("corpus pack 1\na \\*8;\n", 2, "repeats nothing"), ("corpus pack 1\na x\\*8\n", 2, "a number and ;"),
            ("corpus pack 1\na x\\*0;\n", 2, "a number and ;"), ("corpus pack 1\na x\\*-1;\n", 2, "a number and ;"),
            ("corpus pack 1\na x\\*;\n", 2, "a number and ;"),
            ("corpus pack 1\na x\\*9223372036854775807;\n", 2, "a number and ;"),
            ("corpus pack 1\na x\\*16777217;\n", 2, "longer than 16777216 bytes"),
            ("corpus pack 1\na x\\*16777216;y\n", 2, "longer than 16777216 bytes"),
            (
                "corpus pack 1\n" + "abcde".map { "\($0) x\\*16777216;\n" }.joined(), 6,
                "longer than 16777216 bytes, or all inputs than 67108864"
            ),
        ] as [(String, Int, String)])
    func damaged(text: String, line: Int, reason: String) {
        do throws(CorpusPackError) {
            let pack = try CorpusPack(reading: Array(text.utf8))
            Issue.record("\(pack.inputs.map(\.name)) was read")
        } catch {
            #expect(error.line == line && error.reason.contains(reason), "\(error)")
        }
    }

    @Test("any bytes are read or refused; what is read is written and read again as the same") func random() throws {
        var state: UInt64 = 2
        let alphabet = Array("ab \\nxrt*;019f\n\n\u{0}".utf8)
        var isRead = 0
        for _ in 0..<4_000 {
            var text = Array("corpus pack 1\n".utf8)
            for _ in 0..<12 {
                state = state &* 6_364_136_223_846_793_005 &+ 1_442_695_040_888_963_407
                text.append(alphabet[Int((state >> 33) % UInt64(alphabet.count))])
            }
            guard let pack = try? CorpusPack(reading: text + [0x0A]) else { continue }
            isRead += 1
            #expect(try CorpusPack(reading: pack.text) == pack)
        }
        #expect(isRead > 20)
    }

    @Test("a pack taken apart and put together is the same pack, and one input is kept in it") func commands() throws {
        let folder = FileManager.default.temporaryDirectory.appending(path: "pack-\(UUID().uuidString)")
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
        defer { try? FileManager.default.removeItem(at: folder) }
        let (original, copy, files) = (
            Cachefuzz.pack(of: "http_date"), folder.appending(path: "copy.pack").path,
            folder.appending(path: "files").path
        )
        #expect(try Cachefuzz.run("unpack", original, files).status == 0)
        let inputs = try Corpus.pack(at: original).inputs
        #expect(Set(try FileManager.default.contentsOfDirectory(atPath: files)) == Set(inputs.map(\.name)))
        // libFuzzer's own name for it.
        let found = URL(filePath: files).appending(path: SHA1.hex(Array("Max-Age = 1".utf8)))
        try Data("Max-Age = 1".utf8).write(to: found)
        #expect(try Cachefuzz.run("pack", copy, files).status == 0)
        let name = "corpus-\(SHA1.hex(Array("Max-Age = 1".utf8)).prefix(8))-max-age-1"
        let added = CorpusPack.Input(name: name, bytes: Array("Max-Age = 1".utf8))
        #expect(try Corpus.pack(at: copy) == CorpusPack(inputs + [added]))

        let kept = try Cachefuzz.run("keep", copy, "regression", found.path, "it-broke")
        #expect(
            kept.output
                == "\(copy)/\(name.replacing("corpus", with: "regression").replacing("max-age-1", with: "it-broke"))\n")
        #expect(try Corpus.pack(at: copy).inputs.count == inputs.count + 1)
        #expect(try Cachefuzz.run("replay", "http_date", String(kept.output.dropLast())).output.contains("1 inputs"))
        #expect(try Cachefuzz.run("keep", copy, "corpus", found.path, "it-broke").status == 1)
        #expect(try Cachefuzz.run("keep", copy, "seed", found.path, "../x").errors.contains("no name of an input"))
        #expect(try Cachefuzz.run("pack", copy).status == 64)
    }

    @Test("a pack that cannot be read is named, with the line") func unreadable() throws {
        let path = FileManager.default.temporaryDirectory.appending(path: "\(UUID().uuidString).pack")
        defer { try? FileManager.default.removeItem(at: path) }
        try Data("corpus pack 1\na \\q\n".utf8).write(to: path)
        let result = try Cachefuzz.run("replay", "canary", path.path)
        #expect(result.status == 1)
        #expect(result.errors.contains("\(path.path): line 2: a: a backslash is not followed by"), "\(result.errors)")
        #expect(try Cachefuzz.run("replay", "canary", "\(Cachefuzz.pack(of: "canary"))/nope").status == 1)
    }

    @Test(
        "the slug is the beginning of a text, or the length of what is none",
        arguments: [
            ("", "0-bytes"), ("Max-Age = 1", "max-age-1"), ("--- \n", "5-bytes"), ("a\u{0}", "2-bytes"),
            ("abcdefghijklmnopqrstuvw-xyz", "abcdefghijklmnopqrstuvw"),
        ])
    func slug(text: String, slug: String) { #expect(CorpusNames.slug(of: Array(text.utf8)) == slug) }

    @Test("a directory that was listed is closed") func listed() throws {
        let scratch = try ScratchDirectory()
        for name in ["a", "b"] { try Corpus.save([1], to: "\(scratch.path)/\(name)") }
        #expect(try Corpus.files(at: scratch.path) == ["a", "b"].map { "\(scratch.path)/\($0)" })
        let descriptors = "/proc/self/fd"
        let open = ((try? FileManager.default.contentsOfDirectory(atPath: descriptors)) ?? []).filter {
            (try? FileManager.default.destinationOfSymbolicLink(atPath: "\(descriptors)/\($0)")) == scratch.path
        }
        #expect(open.isEmpty)
    }
}
