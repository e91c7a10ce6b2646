import LoopbackOrigin
import Platform
import Testing
import URLCaching

/// Requests that libcurl would send again, and those that it may send again.
@Suite(.timeLimit(.minutes(60))) struct RepeatedRequestTests {
    @Test(
        "on a kept connection that breaks, an idempotent request is sent again, and another is not (RFC 9110, 9.2.2)",
        arguments: [("GET", true), ("PUT", true), ("DELETE", true), ("POST", false), ("PATCH", false), ("FOO", false)])
    func brokenConnection(method: String, isIdempotent: Bool) async throws {
        for body in method == "GET" ? [nil] : [nil, Data("body".utf8)] {
            let bench = try SessionBench()
            let answers = Locked(0)
            bench.origin.reply { _ in
                let isSecond = answers.withLock { count in
                    count += 1
                    return count == 2
                }
                return isSecond ? OriginReply(cut: .withoutAnswer) : OriginReply(text: "hello")
            }
            _ = try await bench.get("/first")
            var request = bench.request("/second", method: method)
            request.httpBody = body
            let sent = request
            if isIdempotent {
                #expect(try await bench.get(sent).body == "hello")
            } else {
                let error = await thrown { _ = try await bench.get(sent) }
                #expect(error?.code == .networkConnectionLost)
                #expect(error?.localizedDescription.contains("not sent again") == true)
            }
            #expect(bench.origin.count("/second") == (isIdempotent ? 2 : 1))
            bench.origin.stop()
        }
    }

    @Test("a request that is sent again has its time-out as before") func unansweredRepetition() async throws {
        let origin = try RawOrigin { path in
            let answer = "HTTP/1.1 200 OK\r\nContent-Length: 5\r\n\r\nhello"
            // To the second request on the kept connection: it has been idle (RFC 9110, section 15.5.9).
            let refusal = "HTTP/1.1 408 Request Timeout\r\nContent-Length: 0\r\nConnection: close\r\n\r\n"
            return path == "/first" ? [.send(Array(answer.utf8)), .hang, .send(Array(refusal.utf8))] : [.hang]
        }
        defer { origin.stop() }
        let session = CachingSession(configuration: .patient, cache: nil)
        _ = try await session.data(from: try #require(URL(string: origin.base + "/first")))
        var request = URLRequest(url: try #require(URL(string: origin.base + "/second")))
        request.httpMethod = "PUT"
        request.timeoutInterval = 0.5
        let sent = request
        #expect(await thrown { _ = try await session.data(for: sent) }?.code == .timedOut)
        #expect(origin.connectionCount == 2)
    }

    @Test("after a 417 to Expect the request is sent without it, and header and body are those of one answer")
    func refusedExpectation() async throws {
        let origin = try RawOrigin { path in
            let refusal = "HTTP/1.1 417 No\r\nContent-Length: 3\r\nX-Refusal: yes\r\n"
            return path == "/kept"
                ? [
                    .send(Array("\(refusal)\r\nbad".utf8)), .hang,
                    .send(Array("HTTP/1.1 200 OK\r\nContent-Length: 5\r\nConnection: close\r\n\r\nhello".utf8)), .hang,
                ] : [.send(Array("\(refusal)Connection: close\r\n\r\nbad".utf8)), .hang]
        }
        defer { origin.stop() }
        let session = CachingSession(configuration: .patient, cache: nil)
        for (path, status) in [("/kept", 200), ("/closed", 417)] {
            var request = URLRequest(url: try #require(URL(string: origin.base + path)))
            request.httpMethod = "POST"
            request.httpBody = Data("0123456789".utf8)
            request.setValue("100-continue", forHTTPHeaderField: "Expect")
            var statuses: [Int] = []
            // libcurl sends the body after a second without an answer, and then 417 is the last word.
            while statuses.last != status, statuses.count < 10 {
                let got = Got(try await session.data(for: request))
                let isRefused = got.status == 417
                #expect(got.body == (isRefused ? "bad" : "hello") && (got["X-Refusal"] != nil) == isRefused)
                statuses.append(got.status)
            }
            #expect(statuses.last == status)
        }
    }
}
