import Foundation
import Testing

@testable import cachefuzz

/// The files of the repository for each target.
@Suite("Names of corpus files") struct CorpusNameTests {
    private static let corpora = Cachefuzz.repository.appending(path: "Fuzz/Corpora")

    @Test(
        "every file is called kind-hash-slug, by its contents, and there are few and small ones",
        arguments: FuzzTarget.all.map(\.name))
    func names(target: String) throws {
        let folder = Self.corpora.appending(path: target)
        let names = try FileManager.default.contentsOfDirectory(atPath: folder.path)
        for name in names {
            let bytes = [UInt8](try Data(contentsOf: folder.appending(path: name)))
            let parts = name.split(separator: "-", maxSplits: 2).map(String.init)
            try #require(parts.count == 3, "\(name) is no kind-hash-slug")
            #expect(["seed", "corpus", "regression"].contains(parts[0]), "\(name) is of no kind")
            #expect(SHA1.hex(bytes).hasPrefix(parts[1]) && parts[1].count == 8, "\(name) is \(SHA1.hex(bytes))")
            #expect(
                parts[2].utf8.allSatisfy { $0 == 0x2D || (0x30...0x39).contains($0) || (0x61...0x7A).contains($0) },
                "\(name) has a slug of other than small letters, digits and dashes")
            #expect(bytes.count <= 4_096, "\(name) has \(bytes.count) bytes")
        }
        #expect(names.contains { $0.hasPrefix("seed-") }, "\(target) has no seed")
        #expect(names.count { $0.hasPrefix("corpus-") } <= 300)
        // If the same input had two names, only one of them would be pruned.
        #expect(Set(names.map { $0.split(separator: "-")[1] }).count == names.count, "an input is there twice")
    }

    @Test("every target has a dictionary, and there are no folders and dictionaries of targets that are gone")
    func complete() throws {
        let targets = Set(FuzzTarget.all.map(\.name))
        let folders = try FileManager.default.contentsOfDirectory(atPath: Self.corpora.path)
        let dictionaries = try FileManager.default.contentsOfDirectory(
            atPath: Cachefuzz.repository.appending(path: "Fuzz/Dictionaries").path)
        #expect(Set(folders) == targets)
        #expect(Set(dictionaries) == Set(targets.map { "\($0).dict" }))
    }

    @Test("every target says what its oracle is")
    func oracles() throws {
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

    @Test("the hash of the names is SHA-1")
    func hash() {
        #expect(SHA1.hex(Array("abc".utf8)) == "a9993e364706816aba3e25717850c26c9cd0d89d")
        #expect(SHA1.hex([UInt8](repeating: 0x61, count: 119)) == "ee971065aaa017e0632a8ca6c77bb3bf8b1dfc56")
    }
}
