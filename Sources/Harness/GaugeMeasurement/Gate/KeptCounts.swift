import Foundation
import GaugeSupport
import Platform

/// The instructions of a kept base's benchmarks, so that the next gate only counts the working tree.
///
/// They are in a file beside the kept executable, and disappear with it. A count is used only if all that it depends on
/// is the same: what a baseline's key holds, the settings, and the numbers of operations.
package final class KeptCounts: Sendable {
    package struct Count: Codable, Equatable, Sendable {
        package let whole: InstructionCount
        package let each: SequenceCount?
    }

    /// What is counted in one process.
    package struct Job: Sendable {
        package let benchmark: String
        /// From 0; repetitions differ if a count doesn't repeat.
        package let repetition: Int
        package let operations: Int
        /// Operations counted one by one.
        package let sequence: Int

        package init(_ benchmark: String, repetition: Int, operations: Int, sequence: Int = 0) {
            (self.benchmark, self.repetition, self.operations) = (benchmark, repetition, operations)
            self.sequence = sequence
        }

        fileprivate var name: String { "\(benchmark) \(repetition) \(operations) \(sequence) on demand" }
    }

    private struct Document: Codable {
        var surroundings: String
        var counts: [String: Count] = [:]
    }

    private let file: String
    private let state: Locked<(document: Document, isChanged: Bool)>

    /// A longer file isn't read, bytes.
    private static let longestFile = 256 << 20

    /// - Parameter folder: that of the kept executable. Its counts from other surroundings are dropped.
    package init(beside folder: String, key: BaselineKey = .current, settings: RunSettings) {
        file = "\(folder)/counts.json"
        let surroundings = "\(key); seed \(settings.seed), memory \(settings.memory.bytes), disk \(settings.disk.bytes)"
        let size = (try? FileManager.default.attributesOfItem(atPath: file))?[.size] as? Int ?? 0
        // An unreadable file is made anew.
        let kept =
            size <= Self.longestFile
            ? FileManager.default.contents(atPath: file).flatMap { try? JSONDecoder().decode(Document.self, from: $0) }
            : nil
        let document = kept?.surroundings == surroundings ? kept : nil
        state = Locked((document ?? Document(surroundings: surroundings), false))
    }

    /// A job's count, which is kept if it has to be taken.
    package func count(_ job: Job, otherwise: () throws -> Count) rethrows -> Count {
        if let kept = state.withLock({ $0.document.counts[job.name] }) { return kept }
        let count = try otherwise()
        state.withLock {
            $0.document.counts[job.name] = count
            $0.isChanged = true
        }
        return count
    }

    /// Writes what is new. If that fails, the next gate counts again.
    package func save() {
        let document = state.withLock { state in state.isChanged ? state.document : nil }
        guard let document, let data = try? JSONEncoder().encode(document) else { return }
        try? data.write(to: URL(fileURLWithPath: file), options: .atomic)
    }
}
