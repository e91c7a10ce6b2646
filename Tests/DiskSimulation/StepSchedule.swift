import Dispatch
import Platform

/// Runs threads one at a time, and lets a list of bytes say at each pause which goes on: so what happened between them
/// happens again with the same list.
///
/// `@unchecked Sendable`: the stored variables belong to the one thread that runs, and pass from one to the next
/// through a semaphore.
package final class StepSchedule: @unchecked Sendable {
    private var choices: ArraySlice<UInt8>
    private var unfinished: [Int]
    /// The thread that runs.
    package private(set) var running = 0
    private let turns: [DispatchSemaphore]
    private let end = DispatchSemaphore(value: 0)

    /// - Parameter choices: at each pause the next byte, modulo the threads that are not finished, is the one that goes
    ///   on. When they are used up the threads take turns.
    package init(threads: Int, choices: ArraySlice<UInt8>) {
        self.choices = choices
        unfinished = Array(0..<threads)
        turns = (0..<threads).map { _ in DispatchSemaphore(value: 0) }
    }

    /// Runs `body` with the number of each thread, and returns when all are finished. One schedule runs at a time.
    package func run(_ body: @escaping @Sendable (_ thread: Int) -> Void) {
        StepThreads.use.lock()
        defer { StepThreads.use.unlock() }
        for thread in unfinished {
            StepThreads.run(thread) {
                self.turns[thread].wait()
                body(thread)
                self.finish()
            }
        }
        goOn(next(after: 0))
        end.wait()
    }

    /// Lets another thread go on, or the calling one.
    package func pause() {
        let own = running
        let chosen = next(after: own)
        guard chosen != own else { return }
        goOn(chosen)
        turns[own].wait()
    }

    private func finish() {
        let own = running
        unfinished.removeAll { $0 == own }
        if unfinished.isEmpty { end.signal() } else { goOn(next(after: own)) }
    }

    private func goOn(_ thread: Int) {
        running = thread
        turns[thread].signal()
    }

    private func next(after thread: Int) -> Int {
        if let choice = choices.popFirst() { return unfinished[Int(choice) % unfinished.count] }
        return unfinished.first { $0 > thread } ?? unfinished[0]
    }
}

/// Threads that are kept from one schedule to the next, since a fuzzer runs thousands a second.
private enum StepThreads {
    static let use = Lock()
    private static let queues = (0..<8).map { DispatchQueue(label: "step \($0)") }

    static func run(_ thread: Int, _ body: @escaping @Sendable () -> Void) { queues[thread].async(execute: body) }
}
