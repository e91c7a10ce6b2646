/// The transfers whose readers have to be woken once libcurl has given all that it has: one wake-up for header and
/// body.
final class CurlNews {
    private var bodies: [CurlBody] = []
    private var unfinishedHeads: [CurlTransfer] = []

    func append(_ transfer: CurlTransfer) {
        if bodies.last !== transfer.body { bodies.append(transfer.body) }
    }

    /// A line has come of a header that may not be complete yet.
    func appendHeaderLine(of transfer: CurlTransfer) {
        if unfinishedHeads.last !== transfer { unfinishedHeads.append(transfer) }
    }

    func wakeReaders() {
        for transfer in unfinishedHeads { transfer.tellProgress() }
        unfinishedHeads.removeAll(keepingCapacity: true)
        for body in bodies { body.wakeUp() }
        bodies.removeAll(keepingCapacity: true)
    }
}
