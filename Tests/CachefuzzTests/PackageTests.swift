#if os(Linux)
import Foundation
import Testing

@testable import cachefuzz

/// The files that `.clusterfuzzlite/build.sh` makes for the engine, with a small libFuzzer binary in place of the real
/// one, which takes minutes to build.
@Suite("Package for ClusterFuzz") struct PackageTests {
    private static let isBuildFolderWritable = access(Cachefuzz.repository.path + "/.build", W_OK) == 0

    @Test(
        "build.sh leaves a fuzzer, a dictionary, options and a seed corpus for every target, and nothing else",
        .enabled(if: isBuildFolderWritable, "the folder .build cannot be written to"))
    func contents() throws {
        let directory = FileManager.default.temporaryDirectory.appending(path: "package-\(UUID().uuidString)")
        // Relative to the repository, in which build.sh works.
        let relative = ".build/\(directory.lastPathComponent)"
        let (source, out) = (directory.appending(path: "src"), Cachefuzz.repository.appending(path: relative))
        defer { for folder in [directory, out] { try? FileManager.default.removeItem(at: folder) } }
        for folder in [source, out] {
            try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
        }
        try FileManager.default.createSymbolicLink(
            at: source.appending(path: "cachegauge"), withDestinationURL: Cachefuzz.repository)
        let stub = try makeStub(in: directory)

        let result = try Cachefuzz.runScript(
            [], script: ".clusterfuzzlite/build.sh",
            environment: ["SRC": source.path, "OUT": relative, "SANITIZER": "address", "FUZZ_BINARY": stub.path])
        try #require(result.status == 0, "\(result.errors)")

        let targets = FuzzTarget.all.map(\.name).filter { $0 != "canary" }
        let expected = targets.flatMap { target in
            ["", ".dict", ".options", "_seed_corpus.zip"].map { "\(target)_fuzzer\($0)" }
        }
        #expect(Set(try FileManager.default.contentsOfDirectory(atPath: out.path)) == Set(expected))
        for target in targets {
            let fuzzer = out.appending(path: "\(target)_fuzzer").path
            #expect(FileManager.default.isExecutableFile(atPath: fuzzer))
            // The engine recognises a fuzzer by this text in the executable.
            let bytes = try Data(contentsOf: URL(filePath: fuzzer), options: .alwaysMapped)
            #expect(bytes.range(of: Data("LLVMFuzzerTestOneInput".utf8)) != nil, "\(target)")
            let dictionary = try String(contentsOfFile: fuzzer + ".dict", encoding: .utf8)
            #expect(dictionary.contains("\""), "\(target)")
            let options = try String(contentsOfFile: fuzzer + ".options", encoding: .utf8)
            #expect(options.hasPrefix("[libfuzzer]\n"))
            let longest = try #require(
                options.split(separator: "\n").first { $0.hasPrefix("max_len = ") }.flatMap { Int($0.dropFirst(10)) })
            let corpus = try Data(contentsOf: URL(filePath: fuzzer + "_seed_corpus.zip"))
            #expect(corpus.starts(with: Data("PK".utf8)))
            for input in try Corpus.pack(at: Cachefuzz.pack(of: target)).inputs {
                // The engine would cut a longer one, and it would no longer reach the same code.
                #expect(input.bytes.count <= longest, "\(input.name) is longer than inputs of \(target)")
                #expect(corpus.range(of: Data(input.name.utf8)) != nil, "\(target) lacks \(input.name)")
            }
        }
    }

    @Test("what the engine reads of the project says what is built") func project() throws {
        func text(_ path: String) throws -> String {
            try String(contentsOf: Cachefuzz.repository.appending(path: path), encoding: .utf8)
        }
        let project = try text(".clusterfuzzlite/project.yaml")
        for line in ["language: swift\n", "  - libfuzzer\n", "  - address\n", "base_os_version: ubuntu-24-04\n"] {
            #expect(project.contains(line))
        }
        // A library of one system does not run on the other.
        #expect(try text(".clusterfuzzlite/Dockerfile").contains("base-builder-swift:ubuntu-24-04\n"))
        #expect(try text(".github/workflows/cflite_pr.yml").contains("language: swift\n"))
    }

    /// A libFuzzer binary that names the targets, and leaves packs to the ordinary executable.
    private func makeStub(in directory: URL) throws -> URL {
        let (source, stub) = (directory.appending(path: "stub.c"), directory.appending(path: "stub"))
        let names = FuzzTarget.all.map(\.name).joined(separator: "\\n")
        try """
        #include <stdint.h>
        #include <stdio.h>
        #include <string.h>
        #include <unistd.h>

        int LLVMFuzzerInitialize(int *count, char ***values) {
            if (*count < 2) return 0;
            if (strcmp((*values)[1], "--unpack") == 0) {
                (*values)[1] += 2;
                execv("\(Cachefuzz.executable.path)", *values);
            }
            if (strcmp((*values)[1], "--list") != 0) return 0;
            puts("\(names)");
            fflush(stdout);
            _exit(0);
        }

        void work_in_c_has_address_sanitizer(void) {}
        int LLVMFuzzerTestOneInput(const uint8_t *bytes, size_t count) { return count > 1 && bytes[0] > bytes[1] ? -1 : 0; }
        """.write(to: source, atomically: true, encoding: .utf8)
        let compiler = try Cachefuzz.run(
            URL(filePath: "/usr/bin/env"),
            ["clang", "-O1", "-fsanitize=fuzzer,address", source.path, "-o", stub.path],
            environment: ProcessInfo.processInfo.environment)
        try #require(compiler.status == 0, "\(compiler.errors)")
        return stub
    }
}
#endif
