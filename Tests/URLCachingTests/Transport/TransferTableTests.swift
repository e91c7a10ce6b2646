import LoopbackOrigin
import Platform
import Testing
import URLCaching

/// Each state of a transfer with each event.
@Suite(.timeLimit(.minutes(60)), .enabled(if: HTTP2Bench.isPossible, "libcurl has no HTTP/2, or OpenSSL is missing"))
struct TransferTableTests {
    @Test(
        "each event in each state has the one outcome that is right, and nothing is left behind",
        arguments: TransferCell.all)
    func cell(_ cell: TransferCell) async throws {
        let origin = try TransferOrigin(cell)
        defer { origin.stop() }
        let released = try await run(cell, origin)
        // With the session its thread, its connections and its task are gone.
        while released.value.withLock({ $0() }) != nil { await Task.yield() }
    }

    private func run(_ cell: TransferCell, _ origin: TransferOrigin) async throws -> Released {
        var session: CachingSession? = CachingSession(configuration: .overLibcurl, cache: SessionBench.memoryCache())
        let released = Released(session)
        if cell.event == .earlyBytes {
            let first = try #require(URL(string: origin.base + "/first"))
            _ = try await session?.data(from: first)
            await origin.sendEarly()
        }
        let reader = Reader(cell, try #require(URL(string: origin.base + "/a")), try #require(session))
        if cell.event == .endOfSession { session = nil }
        // A time-out may come before the state is reached, on a busy machine.
        if cell.event != .timeOut || cell.state == .paused { await origin.isReached.wait(cancelled: ()) }
        if cell.state == .resumed {
            reader.mayGoOn.provide(())
            if cell.event != .timeOut { await reader.hasCaughtUp.wait(cancelled: ()) }
        }
        switch cell.event {
        case .cancel: reader.task.cancel()
        case .timeOut where cell.state == .paused:
            // Longer than the reader's own time-out.
            let other = try RawOrigin { _ in [.hang] }
            var request = URLRequest(url: try #require(URL(string: other.base)))
            request.timeoutInterval = Reader.timeout * 1.2
            let late = request
            #expect(await thrown { _ = try await session?.data(for: late) }?.code == .timedOut)
            other.stop()
            origin.goOn()
        case .timeOut: break
        default: origin.goOn()
        }
        reader.mayGoOn.provide(())
        let outcome = await reader.task.value
        #expect(outcome == cell.outcome)
        // Cells in which the origin would wait for ever.
        origin.goOn()
        return released
    }

    /// Reads an answer, and stops on the way where the state wants it.
    private struct Reader {
        static let timeout = 1.0

        let mayGoOn = OneShot<Void>()
        let hasCaughtUp = OneShot<Void>()
        let task: Task<TransferCell.Outcome, Never>

        init(_ cell: TransferCell, _ url: URL, _ session: CachingSession) {
            var request = URLRequest(url: url)
            request.timeoutInterval = cell.event == .timeOut ? Self.timeout : 1e6
            let sent = request
            let (mayGoOn, hasCaughtUp) = (mayGoOn, hasCaughtUp)
            task = Task { [session] in
                do {
                    let (body, _) = try await session.bytes(for: sent)
                    var count = 0
                    for try await part in body {
                        if count == 0, cell.isLong { await mayGoOn.wait(cancelled: ()) }
                        count += part.count
                        if count >= 2 << 20 { hasCaughtUp.provide(()) }
                    }
                    return count == cell.byteCount ? .answer : .lost
                } catch {
                    switch (error as? URLError)?.code {
                    case .cancelled: return .cancelled
                    case .timedOut: return .timedOut
                    default:
                        #expect((error as? URLError)?.code == .networkConnectionLost, "\(error)")
                        return .lost
                    }
                }
            }
        }
    }

    /// Tells whether a session is gone.
    private final class Released: Sendable {
        let value: Locked<() -> CachingSession?>

        init(_ session: CachingSession?) {
            weak let released = session
            value = Locked { released }
        }
    }
}
