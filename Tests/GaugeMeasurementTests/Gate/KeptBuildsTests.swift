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

    /// Those of a build whose package manager names these paths.
    private func dependencies(_ paths: [String], checkout: String = "/nowhere") throws -> LocalDependencies? {
        let scratch = try ScratchDirectory()
        let states = paths.map { #"{"state": {"name": "fileSystem", "path": "\#($0)"}}"# }
        let others = [#"{"state": {"name": "sourceControlCheckout", "checkoutState": {"revision": "0"}}}"#]
        try #"{"object": {"dependencies": [\#((states + others).joined(separator: ","))]}, "version": 7}"#
            .write(toFile: "\(scratch.path)/workspace-state.json", atomically: true, encoding: .utf8)
        return LocalDependencies(ofBuildIn: scratch.path, checkout: checkout)
    }

    @Test("a build is found only while the packages beside the repository are as they were, and committed")
    func dependencies() throws {
        let (package, build, other) = (try ScratchDirectory(), try ScratchDirectory(), try ScratchDirectory())
        func git(_ arguments: String...) throws {
            let user = ["-C", other.path, "-c", "user.name=a", "-c", "user.email=a@b.c"]
            let run = try ChildRun("sh", ["-c", "exec git \"$@\"", "sh"] + user + arguments)
            try #require(run.status == 0, "\(run.errors)")
        }
        func write(_ text: String, to name: String = "Sources/code") throws {
            try text.write(toFile: "\(other.path)/\(name)", atomically: true, encoding: .utf8)
        }
        try FileManager.default.createDirectory(atPath: "\(package.path)/.build", withIntermediateDirectories: true)
        try FileManager.default.createDirectory(atPath: "\(other.path)/Sources", withIntermediateDirectories: true)
        try write("one")
        try git("init", "--quiet", "--initial-branch=main")
        try git("add", "--all")
        try git("commit", "--quiet", "--message", "one")
        let kept = try #require(KeptBuilds(package: package.path))
        let path = try executable(in: build, "tool")
        func isKept() -> Bool { kept.executable("a", product: "tool") != nil }
        let beside = try #require(try dependencies(["\(other.path)/Sources"]))
        #expect(kept.keep(path, as: "a", with: beside) != nil)
        #expect(isKept())
        // Beside that package, and nothing that counts.
        try write("notes", to: "notes")
        #expect(isKept())
        try write("two")
        #expect(!isKept())
        #expect(try dependencies(["\(other.path)/Sources"]) == nil)
        try write("one")
        #expect(isKept())
        try write("new", to: "Sources/new")
        #expect(!isKept())
        try git("add", "--all")
        try git("commit", "--quiet", "--message", "two")
        #expect(!isKept())
        // What lies in the checkout belongs to its commit, and a folder without git has no state.
        #expect(try dependencies([build.path]) == nil)
        let inside = try #require(try dependencies([build.path], checkout: build.path))
        #expect(kept.keep(path, as: "a", with: inside) != nil)
        #expect(isKept())
        // A build of an older version, or one whose package manager says nothing.
        try FileManager.default.removeItem(atPath: "\(kept.folder)/a/dependencies.json")
        #expect(!isKept())
        #expect(LocalDependencies(ofBuildIn: build.path, checkout: "/nowhere") == nil)
    }

    @Test("an executable is found again under its name with the libraries beside it, and under no other")
    func kept() throws {
        let (package, build) = (try ScratchDirectory(), try ScratchDirectory())
        let none = try #require(try dependencies([]))
        #expect(KeptBuilds(package: package.path) == nil)
        try FileManager.default.createDirectory(atPath: "\(package.path)/.build", withIntermediateDirectories: true)
        let kept = try #require(KeptBuilds(package: package.path))
        #expect(kept.executable("one", product: "tool") == nil)
        #expect(kept.keep(try executable(in: build, "first"), as: "one", with: none) == "\(kept.folder)/one")
        let found = try #require(kept.executable("one", product: "tool"))
        #expect(try String(contentsOfFile: found, encoding: .utf8) == "first")
        #expect(
            try FileManager.default.contentsOfDirectory(atPath: "\(kept.folder)/one").sorted() == [
                "dependencies.json", "library.so", "tool",
            ])
        #expect(kept.executable("two", product: "tool") == nil && kept.executable("one", product: "other") == nil)
        #expect(kept.keep(try executable(in: build, "second"), as: "one", with: none) != nil)
        #expect(try String(contentsOfFile: found, encoding: .utf8) == "second")
        #expect(kept.keep("/no/such/tool", as: "none", with: none) == nil)
        #expect(try FileManager.default.contentsOfDirectory(atPath: kept.folder) == ["one"])
    }

    @Test("the executable that was used least recently is removed first") func bounded() throws {
        let (package, build) = (try ScratchDirectory(), try ScratchDirectory())
        try FileManager.default.createDirectory(atPath: "\(package.path)/.build", withIntermediateDirectories: true)
        let kept = try #require(KeptBuilds(package: package.path))
        let (path, none) = (try executable(in: build, "tool"), try #require(try dependencies([])))
        for number in 0..<KeptBuilds.most {
            _ = kept.keep(path, as: "\(number)", with: none)
            let date = Date(timeIntervalSince1970: 1_000 + Double(number))
            try FileManager.default.setAttributes([.modificationDate: date], ofItemAtPath: "\(kept.folder)/\(number)")
        }
        #expect(kept.executable("0", product: "tool") != nil)
        _ = kept.keep(path, as: "more", with: none)
        #expect(kept.executable("0", product: "tool") != nil && kept.executable("1", product: "tool") == nil)
        #expect(try FileManager.default.contentsOfDirectory(atPath: kept.folder).count == KeptBuilds.most)
    }

    @Test("a name follows from all that decides the code of a build") func names() {
        let commit = String(repeating: "0123456789", count: 4)
        let key = BaselineKey(swift: "6.3.1", architecture: "x86_64", libc: "glibc 2.36", features: ["avx"])
        func name(
            _ commit: String = commit, _ product: String = "tool", _ flags: [String] = ["-a", "-b"],
            _ variant: String = "",
            _ key: BaselineKey = key, pins: String = ""
        ) -> String {
            KeptBuilds.name(
                commit: commit, recipe: ProductBuild(product: product, flags: flags), variant: variant,
                pins: Data(pins.utf8), key: key)
        }
        var other = key
        other.swift = "6.3.2"
        let names = [
            name(), name("1" + commit), name(commit, "other"), name(commit, "tool", ["-a"]),
            name(commit, "tool", ["-a -b"]),
            name(commit, "tool", ["-b", "-a"]), name(commit, "tool", ["-a", "-b"], "padded"),
            name(commit, "tool", ["-a", "-b"], "", other), name(pins: "1.0"), name(pins: "1.1"),
        ]
        #expect(Set(names).count == names.count && name() == names[0])
        #expect(names[0].hasPrefix("012345678901-") && names[0].count == 45)
        // Some of their hashes begin with zeros.
        let many = (0..<200).map { name(commit, "tool\($0)") }
        #expect(many.allSatisfy { $0.wholeMatch(of: /012345678901-[0-9a-f]{32}/) != nil })
        #expect(many.contains { $0.dropFirst(13).hasPrefix("0") } && many.contains { $0.dropFirst(29).hasPrefix("0") })
    }
}
