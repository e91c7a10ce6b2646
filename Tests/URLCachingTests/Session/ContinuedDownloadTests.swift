import LoopbackOrigin
import Platform
import Testing
import TestSupport
import URLCaching

/// Download tasks that are continued by resume data, where that fails or brings less than the rest (C11, E9).
@Suite(.timeLimit(.minutes(60))) struct ContinuedDownloadTests {
    private static let whole = (0..<300_000).map { UInt8(truncatingIfNeeded: $0 &* 31 >> 3) }
    private static let key = "NSURLSessionDownloadTaskResumeData"

    private let resource = OriginResource(
        body: whole, [("Accept-Ranges", "bytes"), ("Cache-Control", "no-store")], entityTag: "\"1\"")
    private let delegate = LoggingDelegate()
    private let session: CachingSession
    private let origin: LoopbackOrigin

    init() throws {
        let configuration = URLSessionConfiguration.patient
        configuration.urlCache = URLCache(memoryCapacity: 1 << 20, diskCapacity: 0, diskPath: nil)
        session = CachingSession(configuration: configuration, delegate: delegate, delegateQueue: delegate.queue)
        origin = try LoopbackOrigin()
    }

    /// The resume data of a download that broke off after 100,000 bytes.
    private func brokenOff() async throws -> Data {
        origin.reply { [resource] request in
            var reply = resource.reply(to: request)
            reply.cut = .closed(after: 100_000)
            return reply
        }
        let task: CachingDownloadTask = session.downloadTask(with: origin.url("/a"))
        task.resume()
        await delegate.end()
        return try resumeData(of: task)
    }

    private func resumeData(of task: CachingDownloadTask) throws -> Data {
        try #require((task.error as NSError?)?.userInfo[Self.key] as? Data)
    }

    private func continued(_ data: Data) async -> CachingDownloadTask {
        delegate.file.withLock { $0 = nil }
        let task = session.downloadTask(withResumeData: data)
        task.resume()
        await delegate.end()
        return task
    }

    private var received: Data? { delegate.file.withLock { $0 } }

    private static func fileName(_ data: Data) throws -> String {
        let object = try #require(try JSONSerialization.jsonObject(with: data) as? [String: Any])
        return NSTemporaryDirectory() + "/" + (try #require(object["fileName"] as? String))
    }

    /// Sends at most `count` bytes of what is asked for.
    private static func part(_ resource: OriginResource, _ request: OriginRequest, atMost count: Int) -> OriginReply {
        var reply = resource.reply(to: request)
        guard reply.status == 206, let first = request["Range"].flatMap({ Int($0.dropFirst(6).dropLast()) }) else {
            return reply
        }
        reply.body = Array(reply.body.prefix(count))
        reply.fields.removeAll { $0.0 == "Content-Range" }
        reply.fields.append(("Content-Range", "bytes \(first)-\(first + reply.body.count - 1)/\(whole.count)"))
        return reply
    }

    @Test("where the origin sends less than the rest, it is asked for what is missing") func less() async throws {
        let data = try await brokenOff()
        origin.reply { [resource] in Self.part(resource, $0, atMost: 70_000) }
        let task = await continued(data)
        #expect(task.error == nil && received == Data(Self.whole))
        #expect(task.countOfBytesReceived == 300_000 && task.countOfBytesExpectedToReceive == 300_000)
        #expect(
            origin.requests.compactMap { $0["Range"] } == ["bytes=100000-", "bytes=170000-", "bytes=240000-"])
        #expect(delegate.log.filter { $0.hasPrefix("resumed") } == ["resumed at 100000 of 300000"])
    }

    @Test("a representation that changes between two parts of the rest starts over") func changedBetween() async throws
    {
        let data = try await brokenOff()
        origin.reply { [resource] request in
            request["Range"] == "bytes=100000-"
                ? Self.part(resource, request, atMost: 70_000) : OriginReply([("ETag", "\"2\"")], text: "new")
        }
        let task = await continued(data)
        #expect(task.error == nil && received == Data("new".utf8) && task.countOfBytesReceived == 3)
    }

    @Test("a rest whose missing bytes are refused is an error, and is continued from where it was")
    func refusedBetween() async throws {
        let data = try await brokenOff()
        origin.reply { [resource] request in
            request["Range"] == "bytes=100000-"
                ? Self.part(resource, request, atMost: 70_000) : OriginReply(status: 503, text: "later")
        }
        let task = await continued(data)
        #expect((task.error as URLError?)?.code == .networkConnectionLost && received == nil)
        origin.reply { [resource] in resource.reply(to: $0) }
        #expect(try await continued(resumeData(of: task)).error == nil)
        #expect(received == Data(Self.whole) && origin.requests.last?["Range"] == "bytes=170000-")
    }

    @Test("a continuation that fails before its answer leaves the part, with resume data") func noAnswer() async throws
    {
        let data = try await brokenOff()
        origin.reply { _ in OriginReply(cut: .withoutAnswer) }
        let task = await continued(data)
        #expect((task.error as URLError?)?.code == .networkConnectionLost)
        origin.reply { [resource] in resource.reply(to: $0) }
        #expect(try await continued(resumeData(of: task)).error == nil)
        #expect(received == Data(Self.whole) && origin.requests.last?["Range"] == "bytes=100000-")
    }

    @Test(
        "cancelled before its answer, a continuation leaves the part only with resume data", arguments: [false, true])
    func cancelled(continues: Bool) async throws {
        let data = try await brokenOff()
        let hold = Hold()
        origin.reply { [resource] request in
            var reply = resource.reply(to: request)
            reply.holdHead = hold
            return reply
        }
        let task = session.downloadTask(withResumeData: data)
        task.resume()
        await hold.reached()
        if continues { task.cancel { _ in } } else { task.cancel() }
        await delegate.end()
        hold.release()
        #expect(FileManager.default.fileExists(atPath: try Self.fileName(data)) == continues)
        guard continues else { return }
        origin.reply { [resource] in resource.reply(to: $0) }
        #expect(try await continued(resumeData(of: task)).error == nil && received == Data(Self.whole))
        #expect(origin.requests.last?["Range"] == "bytes=100000-")
    }

    @Test("a part whose continuation an invalidated session refuses is continued in another one")
    func invalidated() async throws {
        let data = try await brokenOff()
        let old = CachingSession(configuration: .patient)
        old.finishTasksAndInvalidate()
        let error = await thrown { _ = try await old.download(resumeFrom: data) }
        #expect(error?.code == .cancelled)
        origin.reply { [resource] in resource.reply(to: $0) }
        let again = try #require((error as NSError?)?.userInfo[Self.key] as? Data)
        #expect(await continued(again).error == nil && received == Data(Self.whole))
        #expect(origin.requests.last?["Range"] == "bytes=100000-")
    }

    @Test("an error page is the answer, and the part is continued afterwards", arguments: [401, 403, 404, 503])
    func errorPage(status: Int) async throws {
        let data = try await brokenOff()
        origin.reply { _ in OriginReply(status: status, text: "page") }
        let task = await continued(data)
        #expect(task.error == nil && received == Data("page".utf8))
        #expect((task.response as? HTTPURLResponse)?.statusCode == status && task.countOfBytesReceived == 4)
        origin.reply { [resource] in resource.reply(to: $0) }
        #expect(await continued(data).error == nil)
        #expect(received == Data(Self.whole) && origin.requests.last?["Range"] == "bytes=100000-")
    }

    @Test("a part that is shorter than its resume data says is removed, and the download starts over")
    func shortPart() async throws {
        let data = try await brokenOff()
        let file = try Self.fileName(data)
        try Data("short".utf8).write(to: URL(fileURLWithPath: file))
        origin.reply { [resource] in resource.reply(to: $0) }
        #expect(await continued(data).error == nil && received == Data(Self.whole))
        #expect(origin.requests.last?["Range"] == nil)
        #expect(!FileManager.default.fileExists(atPath: file))
    }
}
