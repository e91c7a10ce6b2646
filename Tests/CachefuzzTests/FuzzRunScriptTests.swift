import Foundation
import TestSupport
import Testing

/// How `Fuzz/fuzz run` takes what libFuzzer does, with a script in its place.
@Suite("Fuzz script around a run") struct FuzzRunScriptTests {
    private let scratch: ScratchDirectory

    init() throws { scratch = try ScratchDirectory() }

    /// Runs Bash code with the functions of the script, and stand-ins for those that need a build.
    ///
    /// - Parameter fuzzer: what stands for the fuzzer. It finds the directories of findings and artifacts in `kept` and
    ///   `prefix`.
    private func run(_ code: String, fuzzer: String = "") throws -> (status: Int32, output: String, errors: String) {
        let binary = "\(scratch.path)/fuzzer"
        let head = """
            #!/bin/bash
            for option; do
                case $option in
                    --findings=*) kept=${option#*=} ;;
                    -artifact_prefix=*) prefix=${option#*=} ;;
                esac
            done
            """
        try "\(head)\n\(fuzzer)\n".write(toFile: binary, atomically: true, encoding: .utf8)
        try FileManager.default.setAttributes([.posixPermissions: 0o755], ofItemAtPath: binary)
        let preparation = """
            set -euo pipefail
            root=$SCRATCH work=$SCRATCH/work scratch=$SCRATCH/scratch revision=1 interrupted= binary=$SCRATCH/fuzzer
            export FUZZ_PID=$$
            mkdir -p "$scratch/seeds" "$root/Fuzz/Known"
            for part in options run all summary corpus new; do . "$REPOSITORY/Fuzz/Commands/$part.sh"; done
            build() { :; }
            require_target() { :; }
            unpack_seeds() { seeds=$scratch/seeds; }
            longest_input() { echo 9; }
            entropic() { echo 0; }
            """
        // The threads of tests block signals, and a shell can't let through what it was started without.
        var (none, before) = (sigset_t(), sigset_t())
        sigemptyset(&none)
        pthread_sigmask(SIG_SETMASK, &none, &before)
        defer { pthread_sigmask(SIG_SETMASK, &before, nil) }
        let result = try Cachefuzz.run(
            URL(filePath: "/usr/bin/env"), ["bash", "-c", "\(preparation)\n\(code)"],
            environment: [
                "SCRATCH": scratch.path, "REPOSITORY": Cachefuzz.repository.path, "PATH": "/usr/bin:/bin",
                "LC_ALL": "C",
            ])
        return (result.status, result.output, result.errors)
    }

    @Test(
        "an interruption ends with 72 though the fuzzer ends by itself at that moment, whatever its code",
        arguments: ["run etag 5", "all 5 etag"], [0, 1, 72, 77])
    func interruption(command: String, status: Int) throws {
        let crash = "echo A >${prefix}crash-1; echo \"Test unit written to ${prefix}crash-1\""
        for (signal, more) in [("TERM", ""), ("INT", crash)] {
            let result = try run(
                "echo 'crash in *' >\"$root/Fuzz/Known/etag.txt\"; \(command)",
                fuzzer: "kill -\(signal) \"$FUZZ_PID\"; \(more)\necho stat::number_of_executed_units: 5; exit \(status)"
            )
            #expect(result.status == 72, "\(signal): \(result.errors)")
        }
    }

    @Test("a run ends with the fuzzer's own trouble where nothing interrupts it") func trouble() throws {
        let result = try run("run etag 5", fuzzer: "exit 3")
        #expect(result.status == 1 && result.errors.contains("libFuzzer ended with status 3"), "\(result.errors)")
    }

    @Test("a target whose fuzzer does not begin is left after three times, and the run fails") func noBegin() throws {
        for command in ["all 2 etag", "all --cpu-minutes 1 etag vary"] {
            let result = try run(command, fuzzer: "echo 'ParseDictionaryFile: error in line 1'; exit 1")
            #expect(result.status == 1, "\(command): \(result.errors)")
            #expect(result.errors.contains("fuzz: etag: libFuzzer ended 3 times without an input, with status 1"))
            #expect(command.contains("vary") == result.errors.contains("fuzz: vary: libFuzzer ended 3 times"))
        }
    }

    @Test("a kept input that crashes is left out, and the run goes on; one that crashes at the start ends it")
    func crashAtFirst() throws {
        let fuzzer = """
            echo A >"${prefix}crash-1"
            [ ! -f "$kept/k" ] || cp "$kept/k" "$kept/shrinking"
            echo "Test unit written to ${prefix}crash-1"
            echo stat::number_of_executed_units: 1
            exit 77
            """
        let result = try run(
            """
            echo 'crash in *' >"$root/Fuzz/Known/etag.txt"
            mkdir -p "$work/etag/findings"
            runs= seed= sanitizer=none
            echo kept >"$work/etag/findings/k"
            echo kind >"$work/etag/findings/k.txt"
            for _ in 1 2; do
                fuzz_once etag 1 "$scratch/log" 3>/dev/null
                echo "stuck '$is_stuck', $known_crashes known"
            done
            ls "$work/etag/findings"
            """, fuzzer: fuzzer)
        #expect(result.output == "stuck '', 1 known\nstuck '1', 1 known\n", "\(result.errors)")
    }

    @Test("what a run finds is kept with the input that it shows, in the place of an earlier one of the kind")
    func kept() throws {
        let result = try run(
            """
            mkdir "$work" "$work/new" "$work/old"
            echo OLD >"$work/old/k"
            echo "the parser reads 1" >"$work/old/k.txt"
            echo NEWER >"$work/new/k"
            echo "the parser reads 2" >"$work/new/k.txt"
            keep_findings "$work/new" "$work/old"
            cat "$work/old/k" "$work/old/k.txt"
            """)
        #expect(result.output == "NEWER\nthe parser reads 2\n", "\(result.errors)")
    }

    @Test("the printed dependency names a branch of the origin, or the folder where there is none")
    func dependency() throws {
        let result = try run(
            """
            git init -q "$root"
            manifest_lines Mine
            git -C "$root" remote add origin git@host.example:owner/Gauge-of-mine.git
            manifest_lines Mine
            """)
        let lines = result.output.split(separator: "\n").map { $0.drop { $0 == " " } }
        let first = try #require(lines.firstIndex { $0.hasPrefix("dependencies: [.package") })
        let last = try #require(lines.lastIndex { $0.hasPrefix("dependencies: [.package") })
        #expect(lines[first] == "dependencies: [.package(name: \"CacheGauge\", path: \"\(scratch.path)\")],")
        #expect(
            lines[last]
                == "dependencies: [.package(url: \"git@host.example:owner/Gauge-of-mine.git\", branch: \"main\")],")
        #expect(lines[first...].contains { $0.contains("package: \"CacheGauge\")") })
        #expect(lines[last...].contains { $0.contains("package: \"Gauge-of-mine\")") })
    }
}
