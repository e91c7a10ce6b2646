#if os(Linux)
import Foundation
import Testing

/// `Fuzz/fuzz run` in a package of its own, with a script in the place of the instrumented binary.
@Suite("Fuzz script, a run") struct FuzzRunTests {
    @Test("a finding is counted by its file, whatever the parser prints, and is kept with its input")
    func countedByFile() throws {
        try withPackage(playing: #"printf 'parsing \0 fuzz: find'; \#(Self.finding)"#) { package in
            for arguments in [["--seed", "1", "--runs", "5"], []] {
                let result = try package.run(["run", "planted", "5"] + arguments)
                #expect(result.status == 1)
                #expect(
                    result.errors.contains("1. takes y\n    takes y: all of it\n    input: y\n"), "\(result.errors)")
                #expect(result.errors.contains("\(package.work)/planted/findings/finding-a: 1 bytes"))
                #expect(
                    try String(contentsOfFile: "\(package.work)/planted/findings/finding-a", encoding: .utf8) == "y")
            }
        }
    }

    @Test("a run fails as long as an earlier finding is there, and a reproducible one asks only its own")
    func earlierFindings() throws {
        try withPackage(playing: "true") { package in
            let folder = "\(package.work)/planted/findings"
            try FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: true)
            try "takes y\nall\n".write(toFile: "\(folder)/finding-a.txt", atomically: true, encoding: .utf8)
            try "y".write(toFile: "\(folder)/finding-a", atomically: true, encoding: .utf8)
            #expect(try package.run(["run", "planted", "5"]).status == 1)
            #expect(try package.run(["run", "planted", "5", "--runs", "1"]).status == 0)
            try FileManager.default.createDirectory(
                atPath: "\(package.root)/Fuzz/Known", withIntermediateDirectories: true)
            try "takes *\n".write(toFile: "\(package.root)/Fuzz/Known/planted.txt", atomically: true, encoding: .utf8)
            #expect(try package.run(["run", "planted", "5"]).status == 0)
        }
    }

    @Test("behind a known crash the run goes on with the next seed and the rest of the runs") func knownCrash() throws {
        let crash = #"""
            [ $(wc -l <"$CALLS") -lt 3 ] || exit 0
            printf x >"${artifacts}crash-1"
            seq 30000
            echo "stat::number_of_executed_units: 83"
            echo "Test unit written to ${artifacts}crash-1" >&2
            exit 77
            """#
        try withPackage(playing: crash) { package in
            let unknown = try package.run(["run", "planted", "0", "--seed", "5", "--runs", "200"])
            #expect(unknown.status == 1 && package.calls() == ["5 200 1"], "\(unknown.errors)")
            // Of a long dump the beginning is shown.
            #expect(unknown.errors.contains("\n    100\n") && !unknown.errors.contains("\n    101\n"))
            #expect(unknown.errors.contains("SWIFT_DETERMINISTIC_HASHING=1 swift run cachefuzz replay planted"))
            try FileManager.default.removeItem(atPath: package.log)
            try FileManager.default.createDirectory(
                atPath: "\(package.root)/Fuzz/Known", withIntermediateDirectories: true)
            try "crash in an unknown*\n".write(
                toFile: "\(package.root)/Fuzz/Known/planted.txt", atomically: true, encoding: .utf8)
            let known = try package.run(["run", "planted", "0", "--seed", "5", "--runs", "200"])
            #expect(known.status == 0 && package.calls() == ["5 200 1", "6 117 1", "7 34 1"], "\(package.calls())")
            #expect(known.errors.contains("planted: 2 known crashes"), "\(known.errors)")
        }
    }

    @Test("an input that crashes is left out of what the next run begins with") func leftOut() throws {
        try withPackage(playing: "true") { package in
            let folder = package.root + "/seeds"
            try FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: true)
            for (name, text) in [("a", "x"), ("a.txt", "takes x"), ("b", "y"), ("crash", "x")] {
                try text.write(toFile: "\(folder)/\(name)", atomically: true, encoding: .utf8)
            }
            let crash = package.root + "/crash"
            try FileManager.default.moveItem(atPath: "\(folder)/crash", toPath: crash)
            let script = "set -euo pipefail; . Fuzz/Commands/run.sh; leave_out '\(crash)' '\(folder)'"
            let result = try Cachefuzz.run(
                URL(filePath: "/usr/bin/env"), ["bash", "-c", "cd \"$ROOT\"; \(script)"],
                environment: ["ROOT": Cachefuzz.repository.path, "PATH": "/usr/bin:/bin"])
            #expect(result.status == 0, "\(result.errors)")
            #expect(try FileManager.default.contentsOfDirectory(atPath: folder) == ["b"])
        }
    }

    @Test("a name of a target is a name, and no pattern or option", arguments: ["plante.", "-v", ""])
    func names(name: String) throws {
        try withPackage(playing: "true") { package in
            let result = try package.run(["run", name, "5"])
            #expect(
                result.status == 64 && result.errors.hasPrefix("fuzz: no target is called '\(name)'; the targets are"))
        }
    }

    @Test("a target without inputs and dictionary is packaged, with the known kinds beside it") func package() throws {
        try withPackage(playing: "true") { package in
            try FileManager.default.createDirectory(
                atPath: "\(package.root)/Fuzz/Known", withIntermediateDirectories: true)
            try "takes *\n".write(toFile: "\(package.root)/Fuzz/Known/planted.txt", atomically: true, encoding: .utf8)
            let out = package.root + "/out put"
            let result = try package.run(["package", out])
            #expect(result.status == 0, "\(result.errors)")
            #expect(
                try FileManager.default.contentsOfDirectory(atPath: out).sorted()
                    == ["planted_fuzzer", "planted_fuzzer.known", "planted_fuzzer.options"])
        }
    }

    private static let finding = #"""
        printf 'takes y\ntakes y: all of it\ninput: y\n' >"$findings/finding-a.txt"
        printf y >"$findings/finding-a"
        """#

    /// A package with the script and a binary.
    private struct Package {
        let root: String
        var work: String { root + "/work" }
        /// A line for each run: its seed, its number of runs, and whether hashes are the same in each.
        var log: String { root + "/calls" }

        func run(_ arguments: [String]) throws -> Cachefuzz.Result {
            try Cachefuzz.run(
                URL(filePath: root + "/Fuzz/fuzz"), arguments + ["--binary", root + "/binary"],
                environment: [
                    "PATH": "\(root)/bin:/usr/local/bin:/usr/bin:/bin", "FUZZ_WORK": work, "CALLS": log, "LC_ALL": "C",
                ])
        }

        func calls() -> [String] {
            ((try? String(contentsOfFile: log, encoding: .utf8)) ?? "").split(separator: "\n").map(String.init)
        }
    }

    private func withPackage(playing play: String, _ body: (Package) throws -> Void) throws {
        let root = FileManager.default.temporaryDirectory.appending(path: "fuzz package \(UUID().uuidString)")
        defer { try? FileManager.default.removeItem(at: root) }
        for folder in ["Fuzz", "bin"] {
            try FileManager.default.createDirectory(at: root.appending(path: folder), withIntermediateDirectories: true)
        }
        try FileManager.default.copyItem(
            at: Cachefuzz.repository.appending(path: "Fuzz/fuzz"), to: root.appending(path: "Fuzz/fuzz"))
        try FileManager.default.createSymbolicLink(
            at: root.appending(path: "Fuzz/Commands"),
            withDestinationURL: Cachefuzz.repository.appending(path: "Fuzz/Commands"))
        // The script looks for instrumentation in the binary.
        let symbols =
            "echo __sanitizer_cov_trace LLVMFuzzerTestOneInput __asan_report_load work_in_c_has_address_sanitizer"
        for (name, text) in [
            ("bin/llvm-nm", symbols), ("bin/swift-demangle", "cat"),
            (
                "binary",
                #"""
                case $1 in --list) echo planted; exit ;; --unpack) exit ;; esac
                for option; do
                    case $option in
                        --findings=*) findings=${option#*=} ;;
                        -artifact_prefix=*) artifacts=${option#*=} ;;
                        -seed=*) seed=${option#*=} ;;
                        -runs=*) runs=${option#*=} ;;
                        --dump=*) seq 100000; exit ;;
                    esac
                done
                echo "${seed:-} ${runs:-} ${SWIFT_DETERMINISTIC_HASHING:-}" >>"$CALLS"

                """# + play
            ),
        ] {
            let file = root.appending(path: name)
            try "#!/usr/bin/env bash\n\(text)\n".write(to: file, atomically: true, encoding: .utf8)
            try FileManager.default.setAttributes([.posixPermissions: 0o755], ofItemAtPath: file.path)
        }
        try body(Package(root: root.path))
    }
}
#endif
