import HTTPCache
import HTTPSemantics
import Platform
import Testing
import URLCaching
import VirtualOrigin

/// Files of awaited downloads, which are the caller's, if it is still there.
@Suite(.timeLimit(.minutes(60))) struct AwaitedDownloadTests {
    @Test(
        "a download that is cancelled as it ends leaves no file, and one that is not leaves it",
        arguments: [true, false])
    func atTheEnd(isCancelled: Bool) async throws {
        // Other tests download at the same time.
        let mark = UUID().uuidString
        let origin = VirtualOrigin { _ in .init(HTTPResponse(), chunks: [Array(mark.utf8)]) }
        let configuration = URLSessionConfiguration.ephemeral
        configuration.urlCache = nil
        let queue = OperationQueue()
        queue.maxConcurrentOperationCount = 1
        let session = CachingSession(
            configuration: configuration, delegate: nil, delegateQueue: queue, transport: origin, clock: SystemClock())
        let url = try #require(URL(string: "http://origin.test/a"))
        queue.isSuspended = true
        let download = Task { try await session.download(from: url) }
        while queue.operationCount == 0 { await Task.yield() }
        #expect(Self.files(of: mark).count == 1)
        if isCancelled {
            download.cancel()
            #expect(await thrown { _ = try await download.value }?.code == .cancelled)
        }
        queue.isSuspended = false
        await withCheckedContinuation { continuation in queue.addOperation { continuation.resume() } }
        #expect(Self.files(of: mark).count == (isCancelled ? 0 : 1))
        if !isCancelled { try await FileManager.default.removeItem(at: download.value.0) }
    }

    private static func files(of text: String) -> [String] {
        let directory = NSTemporaryDirectory()
        let names = (try? FileManager.default.contentsOfDirectory(atPath: directory)) ?? []
        return names.filter {
            $0.hasSuffix(".download") && FileManager.default.contents(atPath: directory + "/" + $0) == Data(text.utf8)
        }
    }
}
