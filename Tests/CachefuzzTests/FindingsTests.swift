import Foundation
import Platform
import Testing

@testable import cachefuzz

/// What is kept of the inputs that a target disagrees about.
@Suite("Findings by kind") struct FindingsTests {
    /// Disagrees about a long input, about `x`, and about `y` with a `z` behind it.
    fileprivate static let target = FuzzTarget("planted") { input in
        if input.count > 20 { disagree("long", "\(input.count) bytes") }
        if input.contains(0x78) { disagree("x", "an x among \(input.count) bytes") }
        if let place = input.firstIndex(of: 0x79), input[place...].contains(0x7A) { disagree("y and z", "both") }
    }

    private func run(_ findings: inout Findings, _ texts: String...) {
        for text in texts { Array(text.utf8).withUnsafeBytes { findings.run(Self.target, $0) } }
    }

    @Test("each kind is there once, with an input from which nothing can be left out") func smallest() throws {
        var findings = try Findings(known: "/nonexistent")
        run(&findings, "abc", "a y, an x and a z", "xx", "y z and much, much more")
        #expect(
            findings.found.mapValues { String(decoding: $0.input, as: UTF8.self) }.filter { $0.key != "long" }
                == ["x": "x", "y and z": "yz"])
        #expect(findings.found["x"]?.message == "an x among 1 bytes")
        #expect(findings.found["long"]?.input.count == 21)
    }

    @Test("known kinds are left out, whole or by their beginning, and the others are not hidden by them")
    func known() throws {
        let list = FileManager.default.temporaryDirectory.appending(path: "known-\(UUID().uuidString)")
        defer { try? FileManager.default.removeItem(at: list) }
        try Data("# x is right\nx\n\ny*\n".utf8).write(to: list)
        var findings = try Findings(known: list.path)
        run(&findings, "x y z", "x y z and much, much more")
        #expect(Array(findings.found.keys) == ["long"])
        #expect(findings.isKnown("y") && findings.isKnown("x") && !findings.isKnown("xx") && !findings.isKnown("# x"))
    }

    @Test("a list of known kinds may have lines that end with CR LF or blanks, and a last one without an end")
    func knownLines() throws {
        let list = FileManager.default.temporaryDirectory.appending(path: "known-\(UUID().uuidString)")
        defer { try? FileManager.default.removeItem(at: list) }
        try Data("# x\r\ny and z \r\nlo* \t\r\n\r\nx".utf8).write(to: list)
        let findings = try Findings(known: list.path)
        for kind in ["y and z", "long", "x"] {
            #expect(findings.isKnown(kind))
            #expect(try isKnownToScript(kind, list))
        }
        for kind in ["y", "", "# x"] {
            #expect(!findings.isKnown(kind))
            #expect(try !isKnownToScript(kind, list))
        }
    }

    private func isKnownToScript(_ kind: String, _ list: URL) throws -> Bool {
        try Cachefuzz.run(
            URL(filePath: "/usr/bin/env"),
            ["bash", "-c", "cd \"$ROOT\"; . Fuzz/Commands/run.sh; is_known \"$KIND\" \"$LIST\""],
            environment: [
                "ROOT": Cachefuzz.repository.path, "KIND": kind, "LIST": list.path, "PATH": "/usr/bin:/bin",
            ]
        ).status == 0
    }

    @Test("while an input is made smaller, what runs is kept beside the findings, so that a crash has its own input")
    func shrinking() throws {
        let folder = FileManager.default.temporaryDirectory.appending(path: "findings-\(UUID().uuidString)")
        defer { try? FileManager.default.removeItem(at: folder) }
        let file = folder.appending(path: "shrinking")
        let runs = Locked<[(input: [UInt8], kept: [UInt8]?)]>([])
        let target = FuzzTarget("planted") { input in
            let kept = (try? Data(contentsOf: file)).map(Array.init)
            runs.withLock { $0.append((Array(input), kept)) }
            if input.contains(0x78) { disagree("x", "an x") }
        }
        var findings = try Findings(known: "", directory: folder.path)
        Array("axb".utf8).withUnsafeBytes { findings.run(target, $0) }
        let all = runs.withLock { $0 }
        #expect(all.count > 3 && all[0].kept == nil && all.dropFirst().allSatisfy { $0.kept == $0.input })
        #expect(!FileManager.default.fileExists(atPath: file.path) && findings.found["x"]?.input == [0x78])
    }

    @Test("what a run has found the next one knows, and replaces only by something smaller") func kept() throws {
        let folder = FileManager.default.temporaryDirectory.appending(path: "findings-\(UUID().uuidString)")
        defer { try? FileManager.default.removeItem(at: folder) }
        var findings = try Findings(known: "", directory: folder.path)
        run(&findings, "y and z")
        let names = try FileManager.default.contentsOfDirectory(atPath: folder.path).sorted()
        let name = try #require(names.first)
        #expect(names == [name, name + ".txt"] && name.hasSuffix("-y-and-z"))
        #expect(try String(contentsOf: folder.appending(path: name), encoding: .utf8) == "yz")
        #expect(
            try String(contentsOf: folder.appending(path: names[1]), encoding: .utf8) == "y and z\nboth\ninput: yz\n")
        var next = try Findings(known: "", directory: folder.path)
        #expect(next.found["y and z"]?.input == Array("yz".utf8))
        run(&next, "y and then z")
        #expect(next.found["y and z"]?.input == Array("yz".utf8))
    }

    @Test("what an earlier run has found runs again: what is mended goes, and what is known or still there stays")
    func mended() throws {
        let folder = FileManager.default.temporaryDirectory.appending(path: "findings-\(UUID().uuidString)")
        defer { try? FileManager.default.removeItem(at: folder) }
        var findings = try Findings(known: "", directory: folder.path)
        run(&findings, "x", "yz")
        let mended = FuzzTarget("planted") { if $0.contains(0x78) { disagree("x", "an x") } }
        var next = try Findings(known: "", directory: folder.path)
        Array("abc".utf8).withUnsafeBytes { next.run(mended, $0) }
        #expect(Array(next.found.keys) == ["x"])
        let names = try FileManager.default.contentsOfDirectory(atPath: folder.path)
        #expect(names.count == 2 && names.allSatisfy { $0.contains("-x") }, "\(names)")
        // A mistake that comes back is a finding again.
        run(&next, "yz")
        #expect(next.found.count == 2)
    }

    @Test("an input that ends the process while it runs again has been kept for the report")
    func recheckIsBlamed() throws {
        let folder = FileManager.default.temporaryDirectory.appending(path: "findings-\(UUID().uuidString)")
        defer { try? FileManager.default.removeItem(at: folder) }
        var findings = try Findings(known: "", directory: folder.path)
        run(&findings, "x")
        let file = folder.appending(path: "shrinking")
        let kept = Locked<[[UInt8]]>([])
        let target = FuzzTarget("planted") { _ in
            if let bytes = try? Data(contentsOf: file) { kept.withLock { $0.append(Array(bytes)) } }
        }
        var next = try Findings(known: "", directory: folder.path)
        Array("abc".utf8).withUnsafeBytes { next.run(target, $0) }
        #expect(kept.withLock { $0 } == [[0x78]] && !FileManager.default.fileExists(atPath: file.path))
    }

    #if os(Linux)
    @Test("under an engine an unknown kind ends the process, and a known one does not") func fatal() async throws {
        await #expect(processExitsWith: .failure) {
            var findings = try Findings(known: "", isFatal: true)
            Array("yz".utf8).withUnsafeBytes { findings.run(FindingsTests.target, $0) }
        }
        await #expect(processExitsWith: .success) {
            let list = FileManager.default.temporaryDirectory.appending(path: "known-\(UUID().uuidString)")
            try Data("y and z\n".utf8).write(to: list)
            defer { try? FileManager.default.removeItem(at: list) }
            var findings = try Findings(known: list.path, isFatal: true)
            Array("yz".utf8).withUnsafeBytes { findings.run(FindingsTests.target, $0) }
        }
    }
    #endif
}
