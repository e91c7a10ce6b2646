import Foundation
import TestSupport
import Testing

@testable import GaugeKit
@testable import GaugeMeasurement

/// The promises about damaged files, of caches that keep no file, long names, or nothing worth damaging.
@Suite("Promises about damaged files") struct DamagedFilesTests {
    private static let capabilities: SubjectCapabilities = [.disk, .persistence, .userInfo]

    /// A cache that writes one file, with these bytes, each time it is opened.
    private func script(_ bytes: [UInt8]?, refusesSecond: Bool = false) -> Script {
        struct Refused: Error {}
        let script = Script()
        script.capabilities = Self.capabilities
        var opened = 0
        script.opened = { configuration in
            opened += 1
            if refusesSecond, opened.isMultiple(of: 2) { throw Refused() }
            if let bytes { try Data(bytes).write(to: URL(filePath: "\(configuration.directory)/file")) }
        }
        return script
    }

    @Test("a cache without files has none that could be damaged") func none() throws {
        for promise in ["damaged-bit", "damaged-cut", "damaged-user-info"] {
            let verdict = try script(nil).verdict(promise)
            #expect(verdict == .notApplicable(reason: "it leaves no file"), "\(promise)")
        }
        #expect(
            try script([1]).verdict("damaged-name")
                == .notApplicable(reason: "it does not keep each entry in a file"))
    }

    @Test("a file of zeros has no bit to flip and nothing to cut, and metadata in no file none to change")
    func zeros() throws {
        for (promise, note) in [
            ("damaged-bit", "in the file file: nothing is in it"),
            ("damaged-cut", "in the file file: cut it to 0 bytes"),
        ] {
            var notes: [String] = []
            #expect(try script([0, 0, 0]).verdict(promise) { notes.append($0) } == .kept)
            let count = notes.count { $0 == note }
            #expect(count == (promise == "damaged-bit" ? 150 : 20))
        }
        // Sixty letters are not enough to be those of the metadata.
        for (letters, trials) in [(60, 1), (61, 60)] {
            let script = script(Array(repeating: UInt8(ascii: "m"), count: letters))
            var notes: [String] = []
            #expect(try script.verdict("damaged-user-info") { notes.append($0) } == .kept)
            #expect(notes.count { $0 == "begin" } == trials)
            let flips = notes.filter { $0.hasPrefix("in the file ") }
            #expect(flips == (trials == 1 ? [] : (0..<60).map { "in the file file: flip bit 0 of byte \($0)" }))
        }
    }

    @Test("a cache may refuse to open damaged files, and is not looked into then") func refused() throws {
        let letters = [UInt8](repeating: UInt8(ascii: "m"), count: 100)
        for (promise, trials) in [("damaged-bit", 150), ("damaged-cut", 20), ("damaged-user-info", 60)] {
            let script = script(letters, refusesSecond: true)
            #expect(try script.verdict(promise) == .kept)
            #expect(script.capacities.count == 2 * trials && script.allLookups == 0)
        }
    }

    @Test("files that were exchanged serve no other body, unless their names have 22 letters or more")
    func names() throws {
        for (prefix, isOpened, verdict) in [
            ("12345/678901234567890", true, .broken(reason: "answered with the body of https://a.example/2")),
            (
                "12345/6789012345678901", true,
                .notApplicable(reason: "the names of its files are long enough to be told apart")
            ), ("short", false, .kept),
        ] as [(String, Bool, PromiseVerdict)] {
            struct Refused: Error {}
            let requests = ["https://a.example/1", "https://a.example/2"].map { SubjectRequest($0) }
            let script = Script()
            script.capabilities = Self.capabilities
            var (directory, opened) = ("", 0)
            func file(_ number: Int) -> String { "\(directory)/\(prefix)\(number)" }
            script.opened = { configuration in
                directory = configuration.directory
                opened += 1
                if opened == 2, !isOpened { throw Refused() }
                guard opened == 1 else { return }
                let folder = URL(filePath: file(0)).deletingLastPathComponent()
                try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
                for (number, request) in requests.enumerated() {
                    try FileBytes.write(Script.body(request), to: file(number))
                }
            }
            script.answer = { request, _, _ in
                requests.firstIndex(of: request).flatMap { try? FileBytes.read(file($0)) }
            }
            var notes: [String] = []
            #expect(try script.verdict("damaged-name") { notes.append($0) } == verdict)
            #expect(notes.contains("exchange the files \(prefix)0 and \(prefix)1"))
            #expect(script.allLookups == (isOpened ? 1 : 0))
        }
    }
}
