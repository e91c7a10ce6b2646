import LoopbackOrigin
import Platform
import Testing
import TestSupport
import URLCaching

/// Uploads and downloads, from and into files.
@Suite(.timeLimit(.minutes(60))) struct TransferTaskTests {
    private static func session(_ delegate: LoggingDelegate? = nil) -> CachingSession {
        let configuration = URLSessionConfiguration.ephemeral
        configuration.urlCache = URLCache(memoryCapacity: 4 << 20, diskCapacity: 0, diskPath: nil)
        return CachingSession(configuration: configuration, delegate: delegate, delegateQueue: delegate?.queue)
    }

    private static func post(_ url: URL, _ fields: [String: String] = [:]) -> URLRequest {
        var request = URLRequest(url: url)
        request.httpMethod = "POST"
        for (name, value) in fields { request.setValue(value, forHTTPHeaderField: name) }
        return request
    }

    private static func echo() throws -> LoopbackOrigin {
        try LoopbackOrigin { request in
            switch request.path {
            case "/moved": OriginReply(status: 307, [("Location", "/a")])
            case "/elsewhere": OriginReply(status: 303, [("Location", "/a")])
            default: OriginReply(text: "\(request.method) \(request.body.count) \(request["Content-Length"] ?? "-")")
            }
        }
    }

    @Test("bytes are uploaded with their length, and told of once") func bytes() async throws {
        let origin = try Self.echo()
        let delegate = LoggingDelegate()
        let session = Self.session(delegate)
        let task = session.uploadTask(with: Self.post(origin.url("/a")), from: Data(repeating: 7, count: 1000))
        task.resume()
        await delegate.end()
        #expect(delegate.log == ["sent 1000 of 1000", "response 200", "data", "end"])
        #expect(String(decoding: delegate.body, as: UTF8.self) == "POST 1000 1000")
        #expect(task.countOfBytesSent == 1000 && task.countOfBytesExpectedToSend == 1000)
    }

    @Test("a data task reports its body, in memory and from a stream", arguments: [false, true])
    func dataTask(usesStream: Bool) async throws {
        let origin = try Self.echo()
        let delegate = LoggingDelegate()
        let session = Self.session(delegate)
        var request = Self.post(origin.url("/a"), ["Content-Length": "1000"])
        let body = Data(repeating: 7, count: 1000)
        if usesStream { request.httpBodyStream = InputStream(data: body) } else { request.httpBody = body }
        let task: URLSessionDataTask = session.dataTask(with: request)
        task.resume()
        await delegate.end()
        #expect(delegate.log == ["sent 1000 of 1000", "response 200", "data", "end"])
        #expect(task.countOfBytesSent == 1000 && task.countOfBytesExpectedToSend == 1000)
        // A stream is read once.
        if usesStream { request.httpBodyStream = InputStream(data: body) }
        let ends = AsyncStream<Int?>.makeStream()
        let handled = session.dataTask(with: request) { data, _, _ in ends.continuation.yield(data?.count) }
        handled.resume()
        for await count in ends.stream {
            #expect(count == "POST 1000 1000".utf8.count)
            break
        }
        #expect(handled.countOfBytesSent == 1000)
    }

    @Test("a file is uploaded part by part, with its length, and again where a redirection asks for it")
    func file() async throws {
        let origin = try Self.echo()
        let directory = try ScratchDirectory()
        let file = URL(fileURLWithPath: directory.path + "/upload")
        try Data(repeating: 7, count: 200_000).write(to: file)
        let delegate = LoggingDelegate()
        let session = Self.session(delegate)
        let task = session.uploadTask(with: Self.post(origin.url("/a")), fromFile: file)
        task.resume()
        await delegate.end()
        let sent = delegate.log.filter { $0.hasPrefix("sent") }
        #expect(sent.count > 1 && sent.last == "sent 200000 of 200000")
        #expect(String(decoding: delegate.body, as: UTF8.self) == "POST 200000 200000")
        let (answer, _) = try await session.upload(for: Self.post(origin.url("/moved")), fromFile: file)
        #expect(String(decoding: answer, as: UTF8.self) == "POST 200000 200000")
        let (other, _) = try await session.upload(for: Self.post(origin.url("/elsewhere")), fromFile: file)
        #expect(String(decoding: other, as: UTF8.self).hasPrefix("GET 0"))
    }

    @Test("a body that is sent again for a challenge counts from its first byte, and a data task's stream is asked for")
    func sentAgain() async throws {
        let origin = try LoopbackOrigin { request in
            request["Authorization"] == nil
                ? OriginReply(status: 401, [("WWW-Authenticate", "Basic realm=\"door\"")])
                : OriginReply(text: "\(request.body.count)")
        }
        let directory = try ScratchDirectory()
        let file = URL(fileURLWithPath: directory.path + "/upload")
        let body = Data(repeating: 7, count: 200_000)
        try body.write(to: file)
        let credential = URLCredential(user: "user", password: "word", persistence: .none)
        for usesStream in [false, true] {
            let delegate = LoggingDelegate(.init(credential: credential, stream: body))
            let session = Self.session(delegate)
            var request = Self.post(origin.url("/a"))
            if usesStream { request.httpBodyStream = InputStream(data: body) }
            let task: URLSessionTask =
                usesStream ? session.dataTask(with: request) : session.uploadTask(with: request, fromFile: file)
            task.resume()
            await delegate.end()
            #expect(String(decoding: delegate.body, as: UTF8.self) == "200000", "\(delegate.log)")
            #expect(delegate.log.contains("needs a stream") == usesStream)
            if !usesStream { #expect(task.countOfBytesSent == 200_000) }
        }
    }

    @Test(
        "a download that is just cancelled leaves no file, and one that is to be continued does",
        arguments: [false, true])
    func cancelledDownload(continues: Bool) async throws {
        // Other tests download at the same time.
        let mark = Data(UUID().uuidString.utf8)
        let head = "HTTP/1.1 200 OK\r\nETag: \"1\"\r\nContent-Length: 1000000\r\n\r\n"
        let origin = try RawOrigin { _ in
            [.send(Array(head.utf8) + mark), .send([UInt8](repeating: 7, count: 500_000)), .hang]
        }
        defer { origin.stop() }
        func files() -> [String] {
            let names = (try? FileManager.default.contentsOfDirectory(atPath: NSTemporaryDirectory())) ?? []
            return names.filter { $0.hasSuffix(".download") }.map { NSTemporaryDirectory() + "/" + $0 }
                .filter { FileManager.default.contents(atPath: $0)?.starts(with: mark) == true }
        }
        let delegate = LoggingDelegate()
        let session = Self.session(delegate)
        let task: CachingDownloadTask = session.downloadTask(with: try #require(URL(string: origin.base)))
        task.resume()
        while task.countOfBytesReceived < 400_000 { await Task.yield() }
        #expect(files().count == 1)
        if continues { task.cancel { _ in } } else { task.cancel() }
        await delegate.end()
        let resumeData = (task.error as NSError?)?.userInfo["NSURLSessionDownloadTaskResumeData"]
        #expect(task.error?.code == .cancelled && (resumeData != nil) == continues)
        #expect(files().count == (continues ? 1 : 0))
        for file in files() { try FileManager.default.removeItem(atPath: file) }
    }

    @Test("a file that is missing or a folder is an error that names it, and nothing is sent")
    func missing() async throws {
        let origin = try Self.echo()
        let session = Self.session()
        let directory = try ScratchDirectory()
        let missing = URL(fileURLWithPath: directory.path + "/missing")
        let error = await thrown {
            _ = try await session.upload(for: Self.post(origin.url("/a")), fromFile: missing)
        }
        #expect(error?.code == .fileDoesNotExist && error?.localizedDescription.contains(missing.path) == true)
        let folder = await thrown {
            _ = try await session.upload(
                for: Self.post(origin.url("/a")), fromFile: URL(fileURLWithPath: directory.path))
        }
        #expect(folder?.code == .fileIsDirectory && origin.count() == 0)
    }

    @Test("a stream comes from the delegate, anew after a redirection") func stream() async throws {
        let origin = try Self.echo()
        let delegate = LoggingDelegate(.init(stream: Data("streamed".utf8)))
        let session = Self.session(delegate)
        session.uploadTask(withStreamedRequest: Self.post(origin.url("/moved"))).resume()
        await delegate.end()
        #expect(delegate.log.filter { $0 == "needs a stream" }.count == 2)
        #expect(String(decoding: delegate.body, as: UTF8.self).hasPrefix("POST 8"))
    }

    @Test("a download is a file during the call, from the origin and out of the cache") func download() async throws {
        let origin = try LoopbackOrigin { _ in OriginReply([("Cache-Control", "max-age=1000000")], text: "hello") }
        let delegate = LoggingDelegate()
        let session = Self.session(delegate)
        for _ in 0..<2 {
            session.downloadTask(with: origin.url("/a")).resume()
            await delegate.end()
            #expect(delegate.file.withLock { $0.take() } == Data("hello".utf8))
        }
        #expect(delegate.log == Array(repeating: ["wrote 5 of 5", "file", "end"], count: 2).flatMap { $0 })
        #expect(origin.count() == 1)
        let places = Locked<[URL]>([])
        let (ends, end) = AsyncStream<Data?>.makeStream()
        session.downloadTask(with: origin.url("/a")) { file, _, _ in
            if let file { places.withLock { $0.append(file) } }
            end.yield(file.flatMap { try? Data(contentsOf: $0) })
        }.resume()
        for await data in ends {
            #expect(data == Data("hello".utf8))
            break
        }
        let (kept, _) = try await session.download(from: origin.url("/a"))
        #expect(try Data(contentsOf: kept) == Data("hello".utf8))
        try FileManager.default.removeItem(at: kept)
    }

    @Test(
        "a cancelled download is continued by its resume data, and begins again where the origin has changed",
        arguments: [60, 7.5, .infinity])
    func resumed(timeout: Double) async throws {
        let whole = Array(repeating: UInt8(ascii: "a"), count: 300_000)
        let hold = Hold()
        let origin = try LoopbackOrigin { request in
            if request["Range"] != nil {
                return request["If-Range"] == "\"1\""
                    ? OriginReply(
                        status: 206,
                        [("ETag", "\"1\""), ("Content-Range", "bytes \(request["Range"]!.dropFirst(6))299999/300000")],
                        body: Array(whole[(Int(request["Range"]!.dropFirst(6).dropLast()) ?? 0)...]))
                    : OriginReply(status: 200, [("ETag", "\"2\"")], text: "new")
            }
            var reply = OriginReply([("ETag", "\"1\""), ("Cache-Control", "no-store")], body: whole)
            reply.holdBody = (after: 100_000, hold: hold)
            return reply
        }
        defer { hold.release() }
        let delegate = LoggingDelegate()
        let session = Self.session(delegate)
        let task = session.downloadTask(with: URLRequest(url: origin.url("/a"), timeoutInterval: timeout))
        task.resume()
        while task.countOfBytesReceived < 50_000 { await Task.yield() }
        let (parts, part) = AsyncStream<Data?>.makeStream()
        task.cancel { part.yield($0) }
        var iterator = parts.makeAsyncIterator()
        let data = try #require(await iterator.next() ?? nil)
        await delegate.end()
        #expect(delegate.log.last == "failed -999")
        hold.release()
        let again = session.downloadTask(withResumeData: data)
        #expect(again.originalRequest.timeoutInterval == timeout)
        again.resume()
        await delegate.end()
        #expect(delegate.log.contains { $0.hasPrefix("resumed at ") && $0.hasSuffix("of 300000") })
        #expect(delegate.file.withLock { $0.take() } == Data(whole))
        #expect(origin.requests.last?["Range"] != nil)
        // The file has gone with the first continuation, so that the download begins again.
        session.downloadTask(withResumeData: data).resume()
        await delegate.end()
        #expect(delegate.file.withLock { $0.take() } == Data(whole))
        #expect(origin.requests.last?["Range"] == nil)
    }

    @Test("anything that is no resume data is an error with a remedy", arguments: ["", "{}", "{\"version\":1}", "x"])
    func noResumeData(text: String) async throws {
        let session = Self.session()
        let error = await thrown { _ = try await session.download(resumeFrom: Data(text.utf8)) }
        #expect(error?.code == .cannotDecodeRawData)
        #expect(error?.localizedDescription.contains("begin the download again") == true)
    }

    @Test("resume data never leads to a file outside the temporary directory") func hostile() async throws {
        let origin = try LoopbackOrigin { _ in OriginReply(text: "whole") }
        let directory = try ScratchDirectory()
        let secret = directory.path + "/secret"
        try Data("secret".utf8).write(to: URL(fileURLWithPath: secret))
        let data = try JSONSerialization.data(withJSONObject: [
            "version": 1, "url": origin.url("/a").absoluteString, "fields": [:], "fileName": "../../\(secret)",
            "byteCount": 3, "status": 200, "responseURL": origin.url("/a").absoluteString,
            "responseFields": ["ETag": "\"1\""],
        ])
        let (file, _) = try await Self.session().download(resumeFrom: data)
        #expect(try Data(contentsOf: file) == Data("whole".utf8))
        #expect(try Data(contentsOf: URL(fileURLWithPath: secret)) == Data("secret".utf8))
        try FileManager.default.removeItem(at: file)
    }
}
