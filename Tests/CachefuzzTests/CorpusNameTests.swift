import Foundation
import Testing

@testable import cachefuzz

/// The packs of the repository.
@Suite("Names of inputs") struct CorpusNameTests {
    @Test(
        "every input is called kind-hash-slug, by its bytes, and there are few and small ones",
        arguments: FuzzTarget.all.map(\.name))
    func names(target: String) throws {
        let path = Cachefuzz.pack(of: target)
        let pack = try Corpus.pack(at: path)
        for input in pack.inputs {
            let parts = input.name.split(separator: "-", maxSplits: 2).map(String.init)
            try #require(parts.count == 3, "\(input.name) is no kind-hash-slug")
            #expect(CorpusNames.kinds.contains(parts[0]), "\(input.name) is of no kind")
            let hash = SHA1.hex(input.bytes)
            #expect(hash.hasPrefix(parts[1]) && parts[1].count == 8, "\(input.name) is \(hash)")
            #expect(
                parts[2].utf8.allSatisfy { $0 == 0x2D || (0x30...0x39).contains($0) || (0x61...0x7A).contains($0) },
                "\(input.name) has a slug of other than small letters, digits and dashes")
            #expect(input.bytes.count <= 4_096, "\(input.name) has \(input.bytes.count) bytes")
        }
        #expect(pack.inputs.contains { $0.name.hasPrefix("seed-") }, "\(target) has no seed")
        #expect(pack.inputs.count { $0.name.hasPrefix("corpus-") } <= 300)
        // Otherwise the next command that writes it would change lines that it has no reason to change.
        #expect(
            try Corpus.contents(of: path) == CorpusPack(pack.inputs).text, "cachefuzz pack writes \(path) otherwise")
    }

    @Test("every target has a pack and a dictionary, and there are none of targets that are gone")
    func complete() throws {
        let targets = Set(FuzzTarget.all.map(\.name))
        func files(_ folder: String) throws -> Set<String> {
            Set(
                try FileManager.default.contentsOfDirectory(
                    atPath: Cachefuzz.repository.appending(path: "Fuzz/\(folder)").path))
        }
        #expect(try files("Corpora") == Set(targets.map { "\($0).pack" }))
        #expect(try files("Dictionaries") == Set(targets.map { "\($0).dict" }))
    }

    @Test("every target says what its oracle is") func oracles() throws {
        let folder = Cachefuzz.repository.appending(path: "Fuzz/cachefuzz/Targets")
        var stated: Set<String> = []
        for file in try FileManager.default.contentsOfDirectory(at: folder, includingPropertiesForKeys: nil) {
            let lines = try String(contentsOf: file, encoding: .utf8).split(
                separator: "\n", omittingEmptySubsequences: false)
            for (index, line) in lines.enumerated() where line.contains("static let") && line.contains("= FuzzTarget(")
            {
                let comment = lines[..<index].reversed().prefix { $0.contains("///") }
                let name = lines[index...].joined(separator: "\n").split(separator: "\"")[1]
                if comment.contains(where: { $0.contains("/// Oracle: ") }) { stated.insert(String(name)) }
            }
        }
        #expect(stated == Set(FuzzTarget.all.map(\.name)))
    }

    @Test("the hash of the names is SHA-1") func hash() {
        #expect(SHA1.hex(Array("abc".utf8)) == "a9993e364706816aba3e25717850c26c9cd0d89d")
        #expect(SHA1.hex([UInt8](repeating: 0x61, count: 119)) == "ee971065aaa017e0632a8ca6c77bb3bf8b1dfc56")
    }
}
