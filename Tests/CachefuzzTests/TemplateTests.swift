#if os(Linux)
import Foundation
import Testing

/// What `Fuzz/fuzz new` writes for somebody else's parser.
@Suite("Fuzz templates") struct TemplateTests {
    @Test("a target compiles beside a parser whose types and functions have the obvious names") func compile() throws {
        let folder = FileManager.default.temporaryDirectory.appending(path: "templates-\(UUID().uuidString)")
        defer { try? FileManager.default.removeItem(at: folder) }
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
        try """
        public struct HTTPDateParser {}
        public struct CacheControlParser {}
        public struct EntityTagParser {}
        public struct RangeParser {}
        public struct VaryParser {}
        public struct FieldBlockParser {}
        public struct Reference {}
        public enum Parser { public static func date(_ bytes: [UInt8]) -> Int64? { nil } }
        public func parse<Value>(_ bytes: [UInt8]) -> Value? { nil }
        """.write(to: folder.appending(path: "Mine.swift"), atomically: true, encoding: .utf8)
        // What the harness gives to a target.
        var texts = [
            """
            struct FuzzTarget: Sendable {
                init(_ name: String, run: @escaping @Sendable (UnsafeRawBufferPointer) -> Void) {}
            }
            func disagree(_ kind: String, _ message: @autoclosure () -> String) {}
            func showingComparisons<Value>(_ read: () -> Value) -> Value { read() }
            """
        ]
        let templates = Cachefuzz.repository.appending(path: "Fuzz/Templates")
        let names = try FileManager.default.contentsOfDirectory(atPath: templates.path)
        #expect(names.count == 6)
        for name in names {
            let text = try String(contentsOf: templates.appending(path: name), encoding: .utf8)
            let call = name == "http_date.swift" ? "parse(bytes) ?? Parser.date(bytes)" : "parse(bytes)!"
            texts.append(text.replacing("MODULE", with: "Mine").replacing("CALL", with: call))
        }
        for (number, text) in texts.enumerated() {
            try text.write(to: folder.appending(path: "\(number).swift"), atomically: true, encoding: .utf8)
        }
        let modules = Cachefuzz.executable.deletingLastPathComponent().appending(path: "Modules").path
        func compile(_ arguments: [String]) throws {
            let result = try Cachefuzz.run(
                URL(filePath: "/usr/bin/env"), ["swiftc", "-swift-version", "6", "-parse-as-library"] + arguments,
                environment: ProcessInfo.processInfo.environment)
            #expect(result.status == 0, "\(result.errors)")
        }
        try compile([
            "-emit-module", "-module-name", "Mine", folder.path + "/Mine.swift",
            "-emit-module-path", folder.path + "/Mine.swiftmodule",
        ])
        try compile(
            ["-typecheck", "-module-name", "parserfuzz", "-I", folder.path, "-I", modules]
                + texts.indices.map { "\(folder.path)/\($0).swift" })
    }
}
#endif
