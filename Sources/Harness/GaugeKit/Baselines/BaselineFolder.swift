import Foundation
import Platform

/// The folder of the baselines, each a file `NAME.json`.
package struct BaselineFolder {
    package let path: String

    /// The default folder, relative to the package.
    package static let usual = "results/baselines"
    private static let ending = ".json"

    /// The names, sorted; empty if the folder doesn't exist.
    package func names() -> [String] {
        let files = (try? FileManager.default.contentsOfDirectory(atPath: path)) ?? []
        return files.filter { $0.hasSuffix(Self.ending) }.map { String($0.dropLast(Self.ending.count)) }
            .filter { (try? Self.checked($0)) != nil }.sorted()
    }

    /// Checks that a name is safe as a file name.
    ///
    /// - Throws: `UsageError` if it isn't.
    package static func checked(_ name: String) throws -> String {
        let isSafe = name.utf8.allSatisfy { byte in
            switch UnicodeScalar(byte) {
            case "a"..."z", "A"..."Z", "0"..."9", ".", "-", "_": true
            default: false
            }
        }
        guard isSafe, (1...100).contains(name.utf8.count), !name.hasPrefix("."), !name.hasPrefix("-") else {
            throw UsageError(
                "'\(name.prefix(80))' is not a baseline's name; use up to 100 letters, digits, '.', '-' and '_'")
        }
        return name
    }

    package func file(_ name: String) -> String { "\(path)/\(name)\(Self.ending)" }

    /// Reads a baseline; `nil` if there's none with this name.
    ///
    /// - Throws: `GaugeError` for a file that is unreadable or invalid.
    package func load(_ name: String) throws -> Baseline? {
        let file = file(try Self.checked(name))
        // Non-blocking, in case the file is a pipe without a writer.
        let descriptor = open(file, O_RDONLY | O_CLOEXEC | O_NONBLOCK)
        guard descriptor >= 0 else {
            if errno == ENOENT { return nil }
            throw GaugeError("\(file) cannot be opened: \(SystemError.last)")
        }
        defer { close(descriptor) }
        var information = stat()
        guard fstat(descriptor, &information) == 0, information.st_mode & S_IFMT == S_IFREG else {
            throw GaugeError("\(file) is no file; remove it")
        }
        let bytes: [UInt8]
        do {
            bytes = try contents(of: descriptor, atMost: Baseline.longestFile)
        } catch { throw GaugeError("\(file) cannot be read: \(error)") }
        guard bytes.count <= Baseline.longestFile else {
            throw GaugeError("\(file) is longer than \(Baseline.longestFile) bytes; it is no baseline")
        }
        do {
            return try Baseline(reading: bytes)
        } catch {
            let remedy = "; restore the file, or remove it with baseline delete and count again"
            throw GaugeError("\(file): \(error)\(error.reason.hasPrefix("not JSON") ? remedy : "")")
        }
    }

    /// Makes the folder, and checks that a baseline can be saved in it.
    package func prepare(for name: String) throws {
        do {
            try FileManager.default.createDirectory(atPath: path, withIntermediateDirectories: true)
        } catch {
            throw GaugeError("\(path) cannot be made: \(error.localizedDescription); name a folder with --baselines")
        }
        _ = try OutputFile(file(try Self.checked(name)), remedy: "name another folder with --baselines")
    }

    /// Writes the file atomically.
    package func save(_ baseline: Baseline, as name: String) throws {
        try prepare(for: name)
        let file = file(try Self.checked(name))
        do {
            try Data(try baseline.text().utf8).write(to: URL(fileURLWithPath: file), options: .atomic)
        } catch {
            throw GaugeError("\(file) cannot be written: \(error.localizedDescription)")
        }
    }

    /// - Returns: whether the baseline existed.
    package func delete(_ name: String) throws -> Bool {
        let file = file(try Self.checked(name))
        if unlink(file) == 0 { return true }
        guard errno == ENOENT else { throw GaugeError("\(file) cannot be removed: \(SystemError.last)") }
        return false
    }
}

/// The output of `baseline list` and `baseline read`.
package enum BaselineReport {
    /// The list of the baselines that can be read, and why the others can't.
    package static func list(_ folder: BaselineFolder, width: Int = .max) -> (text: String, faults: [String]) {
        var (text, faults) = ("", [String]())
        for name in folder.names() {
            do {
                guard let baseline = try folder.load(name) else { continue }
                text += "\(name)\n" + baseline.entries.map { heading($0, margin: 4, width: width) }.joined()
            } catch {
                faults.append("\(error)")
            }
        }
        return (text.isEmpty && faults.isEmpty ? "no baselines in \(folder.path)\n" : text, faults)
    }

    package static func text(_ baseline: Baseline, width: Int = .max) -> String {
        baseline.entries.map { entry in
            let rows = entry.figures.sorted { $0.key < $1.key }.flatMap { benchmark, values in
                Metric.all.compactMap { metric in
                    values[metric.name].map { (benchmark, metric.name, GateTable.count($0, metric)) }
                }
            }
            let first = rows.reduce(0) { max($0, $1.0.count) }
            let second = rows.reduce(0) { max($0, $1.1.count) }
            return heading(entry, margin: 0, width: width)
                + rows.map { benchmark, metric, value in
                    "\(benchmark.padded(to: first))  \(metric.padded(to: second))  \(value)\n"
                }.joined()
        }.joined(separator: "\n")
    }

    private static func heading(_ entry: Baseline.Entry, margin: Int, width: Int) -> String {
        let figures = Quantity.counted(entry.count, "figure")
        return [
            shown(entry.key.description),
            "\(figures), \(shown(entry.date)), revision \(shown(entry.revision)): \(shown(entry.reason))",
        ].map { Table.labelled("", $0, column: margin, to: width) }.joined()
    }

    /// The text without terminal control characters.
    private static func shown(_ text: String) -> String {
        String(
            String.UnicodeScalarView(text.unicodeScalars.map { $0.properties.generalCategory == .control ? " " : $0 }))
    }
}
