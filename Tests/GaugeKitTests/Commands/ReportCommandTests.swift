import Foundation
import TestSupport
import Testing

@Suite("Command report") struct ReportCommandTests {
    private let scratch: ScratchDirectory

    init() throws { scratch = try ScratchDirectory() }

    private func report(_ arguments: String...) throws -> ChildRun {
        try ChildRun("PlantedGauge", ["report"] + arguments)
    }

    private func results() throws -> String {
        let file = "\(scratch.path)/results.json"
        let run = try ChildRun(
            "PlantedGauge",
            [
                "run", "--suite=full", "--filter=^planted/figures/", "--sets=1", "--samples=1", "--format=csv",
                "--json=\(file)",
            ])
        try #require(run.status == 0, "\(run.errors)")
        return file
    }

    @Test("the page of a run goes to standard output or into a file, and is the same") func page() throws {
        let file = try results()
        let shown = try report(file)
        #expect(shown.status == 0, "\(shown.errors)")
        #expect(shown.output.hasPrefix("<!DOCTYPE html>") && shown.output.contains("figures"))
        let page = "\(scratch.path)/page.html"
        let written = try report(file, "--output", page)
        #expect(written.status == 0 && written.output.isEmpty, "\(written.errors)")
        #expect(try String(contentsOfFile: page, encoding: .utf8) == shown.output)
        let text = try String(contentsOfFile: file, encoding: .utf8)
        let other = "\(scratch.path)/other.json"
        try text.replacing(/"date": "[^"]*"/, with: "\"date\": \"once\"").write(
            toFile: other, atomically: true, encoding: .utf8)
        let both = try report(other, file).output.matches(of: /<summary>([AB]: [a-z.]+), [^<]*<\/summary>/)
        #expect(both.map(\.output.1) == ["A: other.json", "B: results.json"] && both[0].output.0.contains(", once<"))
    }

    @Test("a folder is a trend by the dates of its files, and so are the versions of a file that git keeps")
    func history() throws {
        let text = try String(contentsOfFile: try results(), encoding: .utf8)
        let folder = "\(scratch.path)/records"
        try FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: true)
        func write(_ name: String, _ date: String) throws {
            try text.replacing(/"date": "[^"]*"/, with: "\"date\": \"\(date)\"").write(
                toFile: "\(folder)/\(name)", atomically: true, encoding: .utf8)
        }
        try write("a.json", "2026-03-01T00:00:00Z")
        try write("b.json", "2026-02-01T00:00:00Z")
        // Of one date the first name comes first.
        for name in ["d.json", "e.json"] { try write(name, "2026-02-01T00:00:00Z") }
        try "no result".write(toFile: "\(folder)/readme.txt", atomically: true, encoding: .utf8)
        let trend = try report(folder)
        #expect(trend.status == 0, "\(trend.errors)")
        let names = trend.output.matches(of: #/<summary>([A-D]: [a-z.]+), /#).map(\.output.1)
        #expect(names == ["A: b.json", "B: d.json", "C: e.json", "D: a.json"])
        func git(_ arguments: String...) throws {
            let line = "git -C \(folder) -c user.name=a -c user.email=a@b.c \(arguments.joined(separator: " "))"
            let run = try ChildRun("sh", ["-c", line])
            try #require(run.status == 0, "\(run.errors)")
        }
        #expect(try report("--history", "\(folder)/a.json").errors.contains("git knows no version of"))
        try git("init", "--quiet")
        for date in ["2026-03-01", "2026-04-01", "2026-05-01"] {
            try write("a.json", "\(date)T00:00:00Z")
            try git("add", "a.json")
            try git("commit", "--quiet", "--message=\(date)")
        }
        let versions = try report("--history", "\(folder)/a.json")
        #expect(versions.status == 0, "\(versions.errors)")
        let dates = versions.output.matches(of: /<summary>[ABC]: [0-9-]+ [0-9a-f]{8}, [^<]*(2026-0[0-9]-01)T00/).map(
            \.output.1)
        #expect(dates == ["2026-03-01", "2026-04-01", "2026-05-01"], "\(versions.output.prefix(3_000))")
        // A version that is no result is left out, as long as there is another.
        for name in ["a", "c"] {
            try "<<<<<<< HEAD".write(toFile: "\(folder)/\(name).json", atomically: true, encoding: .utf8)
            try git("add", "\(name).json")
            try git("commit", "--quiet", "--message=broken")
        }
        let others = try report("--history", "\(folder)/a.json")
        #expect(others.status == 0 && others.output.matches(of: #/<summary>[A-D]: /#).count == 3, "\(others.errors)")
        #expect(others.errors.contains("warning: left out: ") && others.errors.contains("is not JSON"))
        let none = try report("--history", "\(folder)/c.json")
        #expect(none.status == 1 && none.output.isEmpty && none.errors.contains("is not JSON"), "\(none.errors)")
    }

    @Test("a file of results that is missing or is none, and a page that cannot be written, are one line each")
    func refused() throws {
        let file = try results()
        let page = try report(file, "--output=\(scratch.path)/missing/page.html")
        #expect(page.status == 1)
        #expect(page.errors.contains("page.html cannot be written: No such file or directory; name another file"))
        let missing = try report("\(scratch.path)/missing.json")
        #expect(missing.status != 0 && missing.errors.contains("missing.json"), "\(missing.errors)")
        try "{".write(toFile: "\(scratch.path)/broken.json", atomically: true, encoding: .utf8)
        let broken = try report("\(scratch.path)/broken.json")
        #expect(broken.status != 0 && broken.errors.contains("broken.json"), "\(broken.errors)")
        for run in [page, missing, broken] { #expect(run.errors.split(separator: "\n").count == 1, "\(run.errors)") }
        #expect(try report().status == 64)
    }
}
