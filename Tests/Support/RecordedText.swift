import Foundation

/// Texts that are kept in `Tests/Fixtures/Recorded`, as they were when a reader had looked at them.
///
/// To record one again, delete its file and run the test, which writes it and fails once; then read it.
public enum RecordedText {
    /// Where they are.
    public static let folder = URL(filePath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
        .appending(path: "Fixtures/Recorded")

    /// The lines in which a text differs from the recorded one, three of them at most.
    public static func differences(of text: String, from name: String) -> [String] {
        let file = folder.appending(path: name)
        guard let recorded = try? String(contentsOf: file, encoding: .utf8) else {
            try? FileManager.default.createDirectory(
                at: file.deletingLastPathComponent(), withIntermediateDirectories: true)
            try? text.write(to: file, atomically: true, encoding: .utf8)
            return ["\(name) was missing and is written anew; read it"]
        }
        guard text != recorded else { return [] }
        func lines(_ text: String) -> [Substring] { text.split(separator: "\n", omittingEmptySubsequences: false) }
        let (now, before) = (lines(text), lines(recorded))
        let pairs = (0..<max(now.count, before.count)).map { number in
            (number, number < now.count ? now[number] : "no line", number < before.count ? before[number] : "no line")
        }
        return pairs.filter { $0.1 != $0.2 }.prefix(3).map { "line \($0.0 + 1) of \(name): \($0.1), recorded: \($0.2)" }
    }
}
