import Foundation
import TestSupport
import Testing

@testable import GaugeSupport
@testable import GaugeMeasurement

@Suite("Builds that are kept for the next gate") struct KeptBuildsTests {
    private func executable(in scratch: ScratchDirectory, _ text: String) throws -> String {
        let path = "\(scratch.path)/tool"
        for (name, content) in [("tool", text), ("library.so", "library"), ("notes.txt", "notes")] {
            try content.write(toFile: "\(scratch.path)/\(name)", atomically: true, encoding: .utf8)
        }
        try FileManager.default.setAttributes([.posixPermissions: 0o755], ofItemAtPath: path)
        return path
    }

    @Test("an executable is found again under its name with the libraries beside it, and under no other")
    func kept() throws {
        let (package, build) = (try ScratchDirectory(), try ScratchDirectory())
        #expect(KeptBuilds(package: package.path) == nil)
        try FileManager.default.createDirectory(atPath: "\(package.path)/.build", withIntermediateDirectories: true)
        let kept = try #require(KeptBuilds(package: package.path))
        #expect(kept.executable("one", product: "tool") == nil)
        kept.keep(try executable(in: build, "first"), as: "one")
        let found = try #require(kept.executable("one", product: "tool"))
        #expect(try String(contentsOfFile: found, encoding: .utf8) == "first")
        #expect(
            try FileManager.default.contentsOfDirectory(atPath: "\(kept.folder)/one").sorted() == [
                "library.so", "tool",
            ])
        #expect(kept.executable("two", product: "tool") == nil && kept.executable("one", product: "other") == nil)
        kept.keep(try executable(in: build, "second"), as: "one")
        #expect(try String(contentsOfFile: found, encoding: .utf8) == "second")
        kept.keep("/no/such/tool", as: "none")
        #expect(try FileManager.default.contentsOfDirectory(atPath: kept.folder) == ["one"])
    }

    @Test("the executable that was used least recently is removed first") func bounded() throws {
        let (package, build) = (try ScratchDirectory(), try ScratchDirectory())
        try FileManager.default.createDirectory(atPath: "\(package.path)/.build", withIntermediateDirectories: true)
        let kept = try #require(KeptBuilds(package: package.path))
        let path = try executable(in: build, "tool")
        for number in 0..<KeptBuilds.most {
            kept.keep(path, as: "\(number)")
            let date = Date(timeIntervalSince1970: 1_000 + Double(number))
            try FileManager.default.setAttributes([.modificationDate: date], ofItemAtPath: "\(kept.folder)/\(number)")
        }
        #expect(kept.executable("0", product: "tool") != nil)
        kept.keep(path, as: "more")
        #expect(kept.executable("0", product: "tool") != nil && kept.executable("1", product: "tool") == nil)
        #expect(try FileManager.default.contentsOfDirectory(atPath: kept.folder).count == KeptBuilds.most)
    }

    @Test("a name follows from all that decides the code of a build") func names() {
        let commit = String(repeating: "0123456789", count: 4)
        let key = BaselineKey(swift: "6.3.1", architecture: "x86_64", libc: "glibc 2.36", features: ["avx"])
        func name(
            _ commit: String = commit, _ product: String = "tool", _ flags: [String] = ["-a", "-b"],
            _ variant: String = "",
            _ key: BaselineKey = key
        ) -> String {
            KeptBuilds.name(
                commit: commit, recipe: ProductBuild(product: product, flags: flags), variant: variant, key: key)
        }
        var other = key
        other.swift = "6.3.2"
        let names = [
            name(), name("1" + commit), name(commit, "other"), name(commit, "tool", ["-a"]),
            name(commit, "tool", ["-a -b"]),
            name(commit, "tool", ["-b", "-a"]), name(commit, "tool", ["-a", "-b"], "padded"),
            name(commit, "tool", ["-a", "-b"], "", other),
        ]
        #expect(Set(names).count == names.count && name() == names[0])
        #expect(names[0].hasPrefix("012345678901-") && names[0].count == 45)
        // Some of their hashes begin with zeros.
        let many = (0..<200).map { name(commit, "tool\($0)") }
        #expect(many.allSatisfy { $0.wholeMatch(of: /012345678901-[0-9a-f]{32}/) != nil })
        #expect(many.contains { $0.dropFirst(13).hasPrefix("0") } && many.contains { $0.dropFirst(29).hasPrefix("0") })
    }
}
