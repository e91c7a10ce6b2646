import LoopbackOrigin
import Platform
import Testing
import URLCaching

/// What `Configuration.rewrite` is shown of a request's body, and what becomes of it.
@Suite(.timeLimit(.minutes(60))) struct RewritingTests {
    enum Edit: CaseIterable, Sendable {
        case nothing, field, replace, remove
    }

    @Test("rewriting is shown the body, and leaves, replaces or removes it", arguments: Edit.allCases)
    func body(_ edit: Edit) async throws {
        let shown = Locked<[Data?]>([])
        let bench = try SessionBench { configuration in
            configuration.rewrite = { request in
                var request = request
                shown.withLock { [body = request.httpBody] in $0.append(body) }
                switch edit {
                case .nothing: break
                case .field: request.setValue("1", forHTTPHeaderField: "X-Edited")
                case .replace: request.httpBody = Data("other".utf8)
                case .remove: request.httpBody = nil
                }
                return request
            }
        }
        bench.origin.reply { OriginReply([("X-Was-Edited", $0["X-Edited"] ?? "0")], body: $0.body) }
        var request = bench.request(method: "POST")
        request.httpBody = Data("text".utf8)
        let got = try await bench.get(request)
        #expect(shown.withLock { $0 } == [Data("text".utf8)])
        #expect(got.body == (edit == .replace ? "other" : edit == .remove ? "" : "text"))
        #expect(got["X-Was-Edited"] == (edit == .field ? "1" : "0"))
    }
}
