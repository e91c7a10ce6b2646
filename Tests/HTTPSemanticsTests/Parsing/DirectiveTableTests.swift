import Foundation
import HTTPSemantics
import Testing

/// `CacheControlTable.swift`, which the script `generate-directives` writes.
@Suite("Table of directives") struct DirectiveTableTests {
    private static let folder = Sources.root.appending(path: "Sources/Cache/HTTPSemantics/Parsing")

    @Test("the table of directives is the one that the declarations give")
    func isCurrent() throws {
        let table = DirectiveTable(
            declarations: try Sources.text(Self.folder.appending(path: "CacheControl.swift")))
        let file = Self.folder.appending(path: "CacheControlTable.swift")
        let source = try table.source()
        if ProcessInfo.processInfo.environment["GENERATE_DIRECTIVES"] != nil {
            try source.write(to: file, atomically: true, encoding: .utf8)
        }
        #expect(try Sources.text(file) == source, "run Sources/Cache/HTTPSemantics/Parsing/generate-directives")
        #expect(table.unnamed == ["malformed"], "begin the doc comment of each directive with its name")
    }

    @Test("the table has room for 32 names")
    func room() throws {
        let names = (0..<32).map { "x\($0 * 7_919)-directive" }
        #expect(throws: Never.self) { try DirectiveTable.multiplier(names.map { DirectiveTable.words(of: $0)[0] }) }
    }

    @Test("two names with the same first eight bytes are refused")
    func collision() {
        #expect(throws: DirectiveTable.Failure.self) {
            try DirectiveTable.multiplier(["max-stale", "max-stalemate"].map { DirectiveTable.words(of: $0)[0] })
        }
    }

    @Test("every name in the table is read as its directive, whatever its case")
    func everyName() {
        for (name, _) in CacheControl().numbersByName {
            let control = CacheControl.parse("\(name.uppercased())=7, x")
            #expect(control.numbersByName.filter { $0.seconds == .seconds(7) }.map(\.name) == [name])
        }
        for (name, _) in CacheControl().flagsByName {
            #expect(CacheControl.parse("\(name.uppercased()), x").flagsByName.filter(\.isSet).map(\.name) == [name])
        }
    }
}
