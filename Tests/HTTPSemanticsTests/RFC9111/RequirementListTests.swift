import Foundation
import Testing

/// Checks that the tests that `RFC9111.md` names for the requirements exist.
@Suite("List of RFC 9111 requirements") struct RequirementListTests {
    @Test("every requirement names a test that exists") func everyRequirementIsHeld() throws {
        let list = RequirementList(
            try Sources.text(Sources.root.appending(path: "Tests/HTTPSemanticsTests/RFC9111.md")))
        #expect(list.requirements.count >= 45)
        var names: [String: Set<String>] = [:]
        for requirement in list.requirements {
            #expect(!requirement.tests.isEmpty, "§ \(requirement.section), “\(requirement.text)”, names no test")
            for test in requirement.tests {
                let exists = try test.exists(among: &names)
                #expect(exists, "§ \(requirement.section): \(test.target) has no test “\(test.name)”")
            }
        }
    }

    @Test("the list covers sections 3, 4 and 5 point 2") func theListCoversSections34() throws {
        let list = RequirementList(
            try Sources.text(Sources.root.appending(path: "Tests/HTTPSemanticsTests/RFC9111.md")))
        let covered = Set(list.requirements.map(\.section))
        let sections = [
            "3", "3.1", "3.2", "3.3", "3.4", "4", "4.1", "4.2", "4.2.2", "4.2.3", "4.2.4", "4.3.1", "4.3.2", "4.3.3",
            "4.3.4", "4.3.5", "4.4", "5.2.1", "5.2.1.5", "5.2.2", "5.2.2.1", "5.2.2.2", "5.2.2.3", "5.2.2.4", "5.2.2.5",
            "5.2.3",
        ]
        #expect(covered.isSuperset(of: sections), "missing: \(Set(sections).subtracting(covered))")
    }

    @Test("nothing in the module knows a clock or a time zone") func nothingInTheModuleKnows() throws {
        let sources = try Sources.of("Sources/Cache/HTTPSemantics")
        #expect(sources.count > 30)
        for (name, text) in sources {
            let imports = text.split(separator: "\n").filter { $0.contains(#/^\s*(@\w+ )*import /#) }
            #expect(imports.isEmpty, "\(name) imports \(imports)")
        }
    }

    @Test(
        "a name that no test has is noticed",
        arguments: [
            "no test has this name", "every requirement names a test", "func",
            "NobodyTests: tells keys apart that have one hash",
        ])
    func aNameThatNoTestHas(name: String) throws {
        let list = RequirementList("| § | requirement | test |\n|---|---|---|\n| 3 | MUST do | `\(name)` |")
        #expect(list.requirements.map(\.section) == ["3"])
        let tests = list.requirements.flatMap(\.tests)
        #expect(tests.count == 1)
        var names: [String: Set<String>] = [:]
        for test in tests {
            let exists = try test.exists(among: &names)
            #expect(!exists)
        }
    }
}

/// The rows of the table: section, requirement, and in backquotes the names of tests. A test of another target has the
/// name of the target and a colon before it.
private struct RequirementList {
    struct Requirement {
        var section: String
        var text: String
        var tests: [NamedTest]
    }

    var requirements: [Requirement]

    init(_ markdown: String) {
        requirements = markdown.split(separator: "\n").compactMap { line in
            let cells = line.split(separator: "|").map { $0.trimmingCharacters(in: .whitespaces) }
            guard line.hasPrefix("| "), cells.count == 3, cells[0] != "§" else { return nil }
            let tests = cells[2].matches(of: #/`([^`]+)`/#).map { NamedTest(String($0.1)) }
            return Requirement(section: cells[0], text: cells[1], tests: tests)
        }
    }
}

private struct NamedTest {
    var target = "HTTPSemanticsTests"
    var name: String

    init(_ text: String) {
        name = text
        if let prefix = text.firstMatch(of: #/^(\w+Tests): /#) {
            target = String(prefix.1)
            name = String(text[prefix.range.upperBound...])
        }
    }

    /// Whether its target has a test that is displayed under that name.
    func exists(among names: inout [String: Set<String>]) throws -> Bool {
        if let known = names[target] { return known.contains(name) }
        var found: Set<String> = []
        for source in try Sources.of("Tests/\(target)").values {
            found.formUnion(source.matches(of: #/@Test\(\s*"([^"]+)"/#).map { String($0.1) })
        }
        names[target] = found
        return found.contains(name)
    }
}
