import Foundation
import TestSupport
import Testing

@testable import GaugeMeasurement
@testable import GaugeSupport

@Suite("Surroundings of a count") struct SurroundingsTests {
    @Test("a counted process has fixed hashing, its libraries, and nothing else of its caller's environment")
    func environment() {
        let own = ProcessInfo.processInfo.environment
        let variables = FixedSurroundings.environment(libraries: "/lib/x")
        var named = Dictionary(
            uniqueKeysWithValues: variables.map { text in
                let parts = text.split(separator: "=", maxSplits: 1, omittingEmptySubsequences: false)
                return (String(parts[0]), String(parts[1]))
            })
        #expect(named.removeValue(forKey: "SWIFT_DETERMINISTIC_HASHING") == "1")
        #expect(named.removeValue(forKey: "SWIFT_BACKTRACE") == "enable=no")
        #expect(named.removeValue(forKey: "GLIBC_TUNABLES") == "glibc.malloc.hugetlb=0")
        #expect(named.removeValue(forKey: "LANG") == "C")
        let further = own["LD_LIBRARY_PATH"].flatMap { $0.isEmpty ? nil : ":\($0)" } ?? ""
        #expect(named.removeValue(forKey: "LD_LIBRARY_PATH") == "/lib/x" + further)
        for name in ["HOME", "PATH", "TMPDIR", "LLVM_PROFILE_FILE"] {
            #expect(named.removeValue(forKey: name) == own[name], "\(name)")
        }
        #expect(named.isEmpty)
        let unhurried = FixedSurroundings.environment(libraries: "/lib/x", isUnhurried: true)
        #expect(unhurried == variables + ["CACHEGAUGE_UNHURRIED=1"])
    }

    @Test("valgrind counts the measured region alone, from its start or on demand") func wrapper() throws {
        let scratch = try ScratchDirectory()
        let program = "\(scratch.path)/valgrind"
        let attributes: [FileAttributeKey: Any] = [.posixPermissions: 0o700]
        #expect(FileManager.default.createFile(atPath: program, contents: nil, attributes: attributes))
        let valgrind = try Valgrind(path: scratch.path)
        #expect(valgrind.valgrind == program && valgrind.setarch == nil)
        let arguments = valgrind.wrapper(output: "/out")
        #expect(
            arguments == [
                program, "--command-line-only=yes", "--tool=callgrind", "--fair-sched=yes", "--callgrind-out-file=/out",
                "--combine-dumps=yes",
                "--toggle-collect=cs_measured_region", "--dump-after=cs_measured_region", "--error-limit=no",
                "--collect-systime=yes", "--vgdb=no",
            ])
        #expect(valgrind.wrapper(output: "/out", isOnDemand: true) == arguments + ["--instr-atstart=no"])
        let error = #expect(throws: GaugeError.self) { try Valgrind(path: "/nowhere") }
        #expect(error?.description.contains("install it") == true)
    }
}
