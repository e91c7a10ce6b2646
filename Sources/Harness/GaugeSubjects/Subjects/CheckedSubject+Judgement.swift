import GaugeMeasurement
import GaugeTraces

extension CheckedSubject {
    /// Decides the result of a lookup from the reported outcome and the returned body.
    @usableFromInline
    package func judge(
        _ outcome: Outcome, bodies: Int, fault: PayloadFault?, id: UInt64, version: UInt64, count: Int,
        mayBeOutdated: Bool
    ) -> Answer {
        MeasuredRegion.pause()
        defer { MeasuredRegion.resume() }
        switch outcome {
        case .memoryHit, .diskHit, .promotion, .hit:
            if bodies == 1, fault == nil {
                history.note(id, .answered(version: version, outcome))
                return .hit(outcome)
            }
            if bodies == 1, mayBeOutdated, case .otherVersion(let found, _) = fault {
                history.note(id, .answered(version: found, outcome))
                return .outdated
            }
        case .miss:
            if bodies == 0 {
                history.note(id, .missed)
                return .miss
            }
        default: break
        }
        if let fault { history.note(id, .wrong(fault, outcome)) }
        let got =
            if let fault { "\(outcome.rawValue) with \(fault)" } else {
                "\(outcome.rawValue) with \(bodies) bodies handed out"
            }
        return report(id: id, expected: "version \(version), \(count) bytes, or a miss", got: got)
    }

    /// Makes a body.
    @usableFromInline
    package func body(id: UInt64, version: UInt64, count: Int) -> UnsafeRawBufferPointer {
        MeasuredRegion.pause()
        defer { MeasuredRegion.resume() }
        if count > buffer.capacity { buffer = PayloadBuffer(capacity: count) }
        return buffer.body(key: id, version: version, count: count)
    }

    /// Notes a removal.
    @usableFromInline
    package func noteRemoval(of id: UInt64) {
        MeasuredRegion.pause()
        defer { MeasuredRegion.resume() }
        history.note(id, .removed)
    }

    /// Notes a store, if it is one.
    @usableFromInline
    package func note(stored outcome: Outcome, id: UInt64, version: UInt64) -> Bool {
        MeasuredRegion.pause()
        defer { MeasuredRegion.resume() }
        history.note(id, .stored(version: version, outcome))
        guard outcome == .store || outcome == .storeEvict else {
            _ = report(id: id, expected: "a store", got: "an outcome of \(outcome.rawValue)")
            return false
        }
        return true
    }

    /// Reports an error that the subject threw.
    @usableFromInline
    package func reportError(_ error: any Error, id: UInt64, expected: String) -> Answer {
        MeasuredRegion.pause()
        defer { MeasuredRegion.resume() }
        history.note(id, .failed)
        return report(id: id, expected: expected, got: "the error: \(error)")
    }

    private func report(id: UInt64, expected: String, got: String) -> Answer {
        let url = namedURL.map { QuotedText.of($0, limit: 200) } ?? urls.url(for: id)
        answers.wrong(
            key: "\(id) (\(url))", expected: expected, got: got,
            history: history.lines(of: id))
        return .wrong
    }
}
