import Platform

/// The inputs on which a target disagrees with its oracle: the smallest of each kind, while fuzzing goes on.
struct Findings {
    struct Finding {
        let kind: String
        let message: String
        let input: [UInt8]
    }

    /// By kind.
    private(set) var found: [String: Finding] = [:]
    /// Kinds that aren't reported; one that ends with `*` stands for all that begin so.
    private var known: [String] = []
    /// Where each finding is kept, as the input and a text of the same name; `nil` for memory only.
    private let directory: String?
    /// Whether a disagreement ends the process: an engine sees crashes alone.
    private let isFatal: Bool
    /// Whether the findings of earlier runs have run again.
    private var isRechecked = false

    /// - Parameters:
    ///   - known: the file of the known kinds, one a line, with comments after `#`. It may be missing.
    ///   - directory: for the findings of earlier runs and this one.
    ///   - isFatal: whether a disagreement of an unknown kind ends the process.
    init(known path: String, directory: String? = nil, isFatal: Bool = false) throws(CorpusError) {
        self.directory = directory
        self.isFatal = isFatal
        if access(path, F_OK) == 0 {
            // Blanks and CR at its end are no part of a kind.
            known = Self.lines(try Corpus.contents(of: path)).map { line in
                String(line.reversed().drop { $0.isWhitespace }.reversed())
            }
            known.removeAll { $0.isEmpty || $0.hasPrefix("#") }
        }
        guard let directory else { return }
        guard mkdir(directory, 0o755) == 0 || errno == EEXIST else { throw .system(directory) }
        for path in try Corpus.files(at: directory) where path.hasSuffix(".txt") {
            let lines = Self.lines(try Corpus.contents(of: path))
            guard let kind = lines.first, let input = try? Corpus.contents(of: String(path.dropLast(4))) else {
                continue
            }
            found[kind] = Finding(kind: kind, message: "", input: input)
        }
    }

    private static func lines(_ bytes: [UInt8]) -> [String] {
        bytes.split(separator: 0x0A, omittingEmptySubsequences: false).map { String(decoding: $0, as: UTF8.self) }
    }

    func isKnown(_ kind: String) -> Bool {
        known.contains { $0.hasSuffix("*") ? kind.hasPrefix($0.dropLast()) : kind == $0 }
    }

    /// Runs one input. Reports a disagreement of a new kind, with its input made as small as the kind allows.
    ///
    /// Before the first input, the findings of earlier runs run again, and those that have been mended are removed.
    mutating func run(_ target: FuzzTarget, _ bytes: UnsafeRawBufferPointer) {
        if !isRechecked { recheck(target) }
        for (kind, message) in target.disagreements(on: bytes) where !isKnown(kind) {
            if isFatal { fuzzFailure("\(kind)\n\(message)") }
            let isNew = found[kind] == nil
            guard isNew || bytes.count < found[kind]?.input.count ?? 0 else { continue }
            var finding = Finding(kind: kind, message: message, input: [UInt8](bytes))
            finding = target.smaller(finding) { blame($0) }
            if let blamed { unlink(blamed) }
            found[kind] = finding
            if isNew { printError("fuzz: finding of \(target.name): \(kind)") }
            do throws(CorpusError) { try save(finding) } catch { printError("cachefuzz: \(error.description)") }
        }
    }

    private mutating func recheck(_ target: FuzzTarget) {
        isRechecked = true
        for finding in found.values.sorted(by: { $0.kind < $1.kind }) {
            blame(finding.input)
            let told = finding.input.withUnsafeBytes { target.disagreements(on: $0) }
            if let blamed { unlink(blamed) }
            guard told.allSatisfy({ $0.kind != finding.kind }) else { continue }
            printError("fuzz: no longer a finding of \(target.name): \(finding.kind)")
            found[finding.kind] = nil
            guard let path = path(of: finding) else { continue }
            unlink(path)
            unlink(path + ".txt")
        }
    }

    /// Notes which input runs next: if it ends the process, libFuzzer keeps the one that it came from.
    private func blame(_ input: [UInt8]) {
        if let blamed { try? Corpus.save(input, to: blamed) }
    }

    /// The input that runs at present, if libFuzzer doesn't know it; left there by a crash, and then `Fuzz/fuzz` blames
    /// it.
    private var blamed: String? { directory.map { "\($0)/shrinking" } }

    private func path(of finding: Finding) -> String? {
        let kind = Array(finding.kind.utf8)
        return directory.map {
            "\($0)/" + CorpusNames.name(kind: "finding", slug: CorpusNames.slug(of: kind), of: kind)
        }
    }

    /// How many bytes of an input are shown.
    private static let shown = 256

    private func save(_ finding: Finding) throws(CorpusError) {
        guard let path = path(of: finding) else { return }
        let rest = finding.input.count > Self.shown ? "…" : ""
        let input = ByteDump.escaped(Array(finding.input.prefix(Self.shown))) + rest
        try Corpus.save(finding.input, to: path)
        try Corpus.save(Array("\(finding.kind)\n\(finding.message)\ninput: \(input)\n".utf8), to: path + ".txt")
    }
}

/// The present input's disagreements.
private nonisolated(unsafe) var told: [(kind: String, message: String)] = []

/// Notes that the input is read differently from the oracle, and goes on; `require` ends the process instead.
///
/// - Parameters:
///   - kind: what differs, in a few words that all inputs of one defect share.
///   - message: the whole, for this input.
func disagree(_ kind: String, _ message: @autoclosure () -> String) {
    if told.allSatisfy({ $0.kind != kind }) { told.append((kind, message())) }
}

extension FuzzTarget {
    /// The most runs in search of a smaller input.
    private static let mostTries = 2_000

    fileprivate func disagreements(on bytes: UnsafeRawBufferPointer) -> [(kind: String, message: String)] {
        told = []
        run(bytes)
        return told
    }

    /// Leaves out parts of the input, halves first and single bytes last, as long as the kind of disagreement stays.
    ///
    /// - Parameter begin: called with each shortened input before it runs.
    fileprivate func smaller(_ finding: Findings.Finding, begin: ([UInt8]) -> Void) -> Findings.Finding {
        var smallest = finding
        var length = max(1, finding.input.count / 2)
        var tries = 0
        while tries < Self.mostTries {
            var start = 0
            var isSmaller = false
            while start < smallest.input.count, tries < Self.mostTries {
                var input = smallest.input
                input.removeSubrange(start..<min(start + length, input.count))
                tries += 1
                begin(input)
                if let same = input.withUnsafeBytes({ disagreements(on: $0) }).first(where: { $0.kind == finding.kind })
                {
                    smallest = Findings.Finding(kind: same.kind, message: same.message, input: input)
                    isSmaller = true
                } else {
                    start += length
                }
            }
            if length == 1 && !isSmaller { break }
            length = max(1, length / 2)
        }
        return smallest
    }
}
