import LoopbackOrigin
import Platform
import Testing
import URLCaching

/// Downloads that broke off, and are resumed.
@Suite(.timeLimit(.minutes(60))) struct ResumedDownloadTests {
    @Test("a download that broke off is resumed by If-Range: 206 continues, 200 starts over", arguments: [true, false])
    func resumedDownload(isUnchanged: Bool) async throws {
        let bench = try SessionBench()
        let body = (0..<100_000).map { UInt8(truncatingIfNeeded: $0 &* 31) }
        let resource = OriginResource(body: body, [("Accept-Ranges", "bytes")], entityTag: "\"v1\"")
        bench.origin.reply { request in
            var reply = resource.reply(to: request)
            reply.cut = .closed(after: 40_000)
            return reply
        }
        let (stream, response) = try await bench.session.bytes(for: bench.request("/big"))
        var received = Data()
        let error = await thrown { for try await part in stream { received += part } }
        #expect(error?.code == .networkConnectionLost)
        #expect(received == Data(body[..<40_000]))
        #expect(!bench.isStored("/big"))

        var current = resource
        if !isUnchanged {
            current.body = [UInt8](repeating: 7, count: 1_000)
            current.entityTag = "\"v2\""
        }
        bench.serve(current)
        let resumed = try await bench.session.resume(
            bench.request("/big"), after: Int64(received.count), of: #require(response as? HTTPURLResponse))
        #expect(bench.origin.requests.last?["If-Range"] == "\"v1\"")
        #expect(bench.origin.requests.last?["Range"] == "bytes=40000-")
        #expect(resumed.continues == isUnchanged)
        #expect(resumed.response.statusCode == 200)
        #expect(resumed.response.value(forHTTPHeaderField: "ETag") == current.entityTag)
        if !resumed.continues { received = Data() }
        for try await part in resumed.body { received += part }
        #expect(received == Data(current.body))
    }

    @Test("a download is resumed with the configuration's additional fields")
    func resumedWithAdditionalFields() async throws {
        let bench = try SessionBench { $0 = $0.with { $0.httpAdditionalHeaders = ["X-Additional": "yes"] } }
        bench.serve(OriginResource("0123456789", [("Accept-Ranges", "bytes")], entityTag: "\"1\""))
        let response = try await bench.get().response
        let resumed = try await bench.session.resume(bench.request(), after: 4, of: response)
        #expect(resumed.continues)
        #expect(bench.origin.requests.map { $0["X-Additional"] } == ["yes", "yes"])
    }

    @Test("a download behind redirections is resumed where its response came from")
    func resumedAfterRedirection() async throws {
        let bench = try SessionBench()
        let resource = OriginResource("0123456789", [("Accept-Ranges", "bytes")], entityTag: "\"1\"")
        bench.origin.reply { request in
            request.path == "/a" ? OriginReply(status: 302, [("Location", "/b")]) : resource.reply(to: request)
        }
        let response = try await bench.get("/a#part").response
        let resumed = try await bench.session.resume(bench.request("/a#part"), after: 4, of: response)
        #expect(resumed.continues && resumed.response.statusCode == 200)
        #expect(resumed.response.url == bench.origin.url("/b#part"))
        #expect(try await Self.text(of: resumed.body) == "456789")
        #expect(bench.origin.requests.map { $0["Range"] } == [nil, nil, nil, "bytes=4-"])
        let again = try await bench.session.resume(bench.request("/a"), after: 8, of: resumed.response)
        #expect(try await Self.text(of: again.body) == "89" && again.continues)
    }

    @Test("an origin that sends less than the rest is asked for the whole") func lessThanTheRest() async throws {
        let bench = try SessionBench()
        let resource = OriginResource("0123456789", [("Accept-Ranges", "bytes")], entityTag: "\"1\"")
        bench.origin.reply { request in
            guard request["Range"] != nil else { return resource.reply(to: request) }
            return OriginReply(status: 206, [("ETag", "\"1\""), ("Content-Range", "bytes 4-6/10")], text: "456")
        }
        let response = try await bench.get().response
        let resumed = try await bench.session.resume(bench.request(), after: 4, of: response)
        #expect(!resumed.continues && resumed.response.statusCode == 200)
        #expect(try await Self.text(of: resumed.body) == "0123456789")
    }

    @Test("a rest that is not as long as announced fails, also where only its framing ends it", arguments: [3, 7])
    func wrongLength(count: Int) async throws {
        let bench = try SessionBench()
        let resource = OriginResource("0123456789", [("Accept-Ranges", "bytes")], entityTag: "\"1\"")
        bench.origin.reply { request in
            guard request["Range"] != nil else { return resource.reply(to: request) }
            var reply = OriginReply(
                status: 206, [("ETag", "\"1\""), ("Content-Range", "bytes 4-9/10")],
                text: String("456789xx".prefix(count)))
            reply.framing = .chunked
            return reply
        }
        let response = try await bench.get().response
        let resumed = try await bench.session.resume(bench.request(), after: 4, of: response)
        #expect(resumed.continues)
        #expect(await thrown { _ = try await Self.text(of: resumed.body) }?.code == .networkConnectionLost)
    }

    @Test("a redirection that leads elsewhere than before starts over, even with the same entity tag")
    func otherTarget() async throws {
        let bench = try SessionBench()
        let target = Locked("/b")
        bench.origin.reply { request in
            request.path == "/a"
                ? OriginReply(status: 302, [("Location", target.withLock { $0 })])
                : OriginResource("body \(request.path)", [("Accept-Ranges", "bytes")], entityTag: "\"1\"")
                    .reply(to: request)
        }
        let response = try await bench.get("/a").response
        target.withLock { $0 = "/c" }
        let resumed = try await bench.session.resume(bench.request("/a"), after: 4, of: response)
        #expect(!resumed.continues && resumed.response.url == bench.origin.url("/c"))
        #expect(try await Self.text(of: resumed.body) == "body /c")
        #expect(bench.origin.requests.allSatisfy { $0["Range"] == nil })
    }

    @Test("a challenge is met, with the credentials of the delegate") func challenged() async throws {
        let credential = URLCredential(user: "me", password: "secret", persistence: .none)
        let bench = try SessionBench(delegate: Answering(.useCredential, credential))
        let resource = OriginResource("0123456789", [("Accept-Ranges", "bytes")], entityTag: "\"1\"")
        bench.origin.reply { request in
            request["Authorization"] == nil
                ? OriginReply(status: 401, [("WWW-Authenticate", "Basic realm=\"r\"")])
                : resource.reply(to: request)
        }
        let response = try await bench.get().response
        let resumed = try await bench.session.resume(bench.request(), after: 4, of: response)
        #expect(resumed.continues && resumed.response.statusCode == 200)
        #expect(try await Self.text(of: resumed.body) == "456789")
    }

    private static func text(of body: ResponseBody) async throws -> String {
        var data = Data()
        for try await part in body { data += part }
        return String(decoding: data, as: UTF8.self)
    }
}
