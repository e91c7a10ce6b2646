import Foundation
import Platform

extension Verification {
    /// Checks promises, several at a time, and returns their findings in the order of the promises.
    ///
    /// Most wait for files, clocks or the end of a search. Two at a time take half as long on two processors, and each
    /// search is still as long as it is alone.
    ///
    /// - Parameters:
    ///   - lanes: how many promises are checked at a time.
    ///   - next: called with the number of the promise whose finding is waited for.
    /// - Throws: ``Interrupted``; errors of `take`. No check is under way anymore then.
    package func findOut(
        _ promises: [Promise], lanes: Int = min(2, processorCount()), next: (Int) -> Void,
        take: (Finding) throws -> Void
    ) throws {
        let work = Locked(PromiseQueue(waiting: promises.indices))
        let (found, ended) = (DispatchSemaphore(value: 0), DispatchSemaphore(value: 0))
        for _ in 0..<lanes {
            Thread {
                while let number = work.withLock({ $0.waiting.popFirst() }) {
                    let finding = Result { try findOut(promises[number]) }
                    work.withLock { $0.findings[number] = finding }
                    found.signal()
                }
                ended.signal()
            }.start()
        }
        defer {
            work.withLock { $0.waiting = 0..<0 }
            for _ in 0..<lanes { ended.wait() }
        }
        for number in promises.indices {
            next(number)
            var finding: Result<Finding, any Error>?
            while finding == nil {
                finding = work.withLock { $0.findings.removeValue(forKey: number) }
                if finding == nil { found.wait() }
            }
            if let finding { try take(finding.get()) }
        }
    }
}

/// The promises that no lane has begun, and the findings not handed out.
private struct PromiseQueue {
    var waiting: Range<Int>
    var findings: [Int: Result<Verification.Finding, any Error>] = [:]
}
