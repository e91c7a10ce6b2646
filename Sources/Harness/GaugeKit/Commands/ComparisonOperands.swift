import Foundation

/// The two sides that `compare` was given.
struct ComparisonOperands: Equatable {
    /// Both sides, of the same kind.
    enum Sides: Equatable {
        case files(String, String)
        case subjects(String, String)
        case builds(ComparedBuild.Source, ComparedBuild.Source)
    }

    private enum Operand {
        case file(String)
        case subject(String)
        case build(ComparedBuild.Source)

        var kind: String {
            switch self {
            case .file: "a file of results"
            case .subject: "a subject"
            case .build: "a build"
            }
        }
    }

    let a: String
    let b: String

    init(_ a: String, _ b: String) throws(UsageError) {
        guard !a.isEmpty, !b.isEmpty else { throw UsageError("a side of the comparison is empty; write compare A B") }
        (self.a, self.b) = (a, b)
    }

    /// Whether an operand means a benchmark, by its whole name or its subject.
    static func names(_ operand: String, _ name: BenchmarkName) -> Bool {
        operand == name.subject || operand == name.description
    }

    /// Finds out what the sides are. A file is preferred to a subject, and a subject to a revision.
    ///
    /// - Throws: `UsageError` for sides of different kinds, and for a whole name beside a subject of another case.
    func resolved(in gauge: Gauge) throws(UsageError) -> Sides {
        switch (Self.operand(a, gauge), Self.operand(b, gauge)) {
        case (.file(let a), .file(let b)): return .files(a, b)
        case (.subject(let a), .subject(let b)): return .subjects(a, b)
        case (.build(let a), .build(let b)): return .builds(a, b)
        case (.subject, .build(.revision)):
            throw Self.neither(b, beside: a, gauge)
        case (.build(.revision), .subject):
            throw Self.neither(a, beside: b, gauge)
        case (let first, let second):
            let names = Set(gauge.benchmarks.map(\.name.subject)).sorted()
            throw UsageError(
                "\(a) is \(first.kind) and \(b) is \(second.kind)\(NearNames.question(b, among: names)); compare two of "
                    + "the same kind: subjects, executables or revisions, or files of results")
        }
    }

    private static func neither(_ text: String, beside subject: String, _ gauge: Gauge) -> UsageError {
        let names = Set(gauge.benchmarks.map(\.name.subject)).sorted()
        return UsageError(
            "\(subject) is a subject, and \(text) is none\(NearNames.question(text, among: names)); compare two of the same "
                + "kind: subjects, executables or revisions, or files of results")
    }

    private static func operand(_ text: String, _ gauge: Gauge) -> Operand {
        var isDirectory: ObjCBool = false
        if text == "." { return .build(.workingTree) }
        if FileManager.default.fileExists(atPath: text, isDirectory: &isDirectory), !isDirectory.boolValue {
            return FileManager.default.isExecutableFile(atPath: text)
                ? .build(.executable(path: text)) : .file(text)
        }
        if gauge.benchmarks.contains(where: { names(text, $0.name) }) { return .subject(text) }
        if text.hasSuffix(".json") { return .file(text) }
        return .build(.revision(text))
    }
}
