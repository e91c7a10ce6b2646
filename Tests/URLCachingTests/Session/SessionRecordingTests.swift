import HTTPSemantics
import Testing
import VirtualOrigin

@testable import URLCaching

/// The size with which a session records an answer, by the way in which it was asked for.
@Suite(.timeLimit(.minutes(60))) struct SessionRecordingTests {
    @Test(
        "an answer is recorded with the length of its header, or where it is read whole, with that of its body",
        arguments: [
            (["Content-Length": "5"], "hello", 5, 5), (["Content-Length": "0"], "", 0, 0), ([:], "hello", 5, nil),
            (["Content-Length": "5", "Content-Encoding": "br"], "hello", 5, nil),
        ] as [(HTTPFields, String, Int, Int?)], Way.allCases)
    func sizes(_ answer: (fields: HTTPFields, body: String, whole: Int, streamed: Int?), _ way: Way) async throws {
        let recorder = RequestRecorder(keys: .plain)
        let bench = try Self.bench(recorder, answer.fields, answer.body)
        #expect(try await way.perform(bench, bench.request()) == answer.body)
        #expect(try Self.sizes(recorder) == [way == .data ? answer.whole : answer.streamed])
    }

    @Test("a stored answer, also one to a HEAD, is recorded with its size, however it is read", arguments: Way.allCases)
    func stored(_ way: Way) async throws {
        let recorder = RequestRecorder(keys: .plain)
        let bench = try Self.bench(recorder, ["Cache-Control": "max-age=60"], "hello")
        _ = try await bench.get()
        recorder.removeAll()
        #expect(try await way.perform(bench, bench.request()) == "hello")
        #expect(try await way.perform(bench, bench.request(method: "HEAD")) == "")
        #expect(try Self.sizes(recorder) == [5, 0])
    }

    @Test("the body of an empty stored response has no part") func emptyBody() async throws {
        let bench = try Self.bench(RequestRecorder(), ["Cache-Control": "max-age=60"], "")
        for _ in 0..<2 {
            for try await part in try await bench.session.bytes(for: bench.request()).0 {
                Issue.record("a part of \(part.count) bytes")
            }
        }
        #expect(bench.isStored())
    }

    enum Way: CaseIterable {
        case data, bytes, task

        func perform(_ bench: SessionBench, _ request: URLRequest) async throws -> String {
            switch self {
            case .data: return try await bench.get(request).body
            case .bytes:
                var data = Data()
                for try await part in try await bench.session.bytes(for: request).0 { data += part }
                return String(decoding: data, as: UTF8.self)
            case .task:
                let delegate = Collecting()
                bench.session.dataTask(with: request, delegate: delegate).resume()
                return await delegate.body()
            }
        }
    }

    private static func bench(
        _ recorder: RequestRecorder, _ fields: HTTPFields, _ body: String
    ) throws -> SessionBench {
        let clock = VirtualClock(seconds: SessionBench.start)
        let origin = VirtualOrigin(clock: clock) { _ in
            .init(HTTPResponse(headerFields: fields), chunks: body.isEmpty ? [] : [Array(body.utf8)])
        }
        return try SessionBench(clock: clock, transport: origin) { $0.recorder = recorder }
    }

    private static func sizes(_ recorder: RequestRecorder) throws -> [Int?] {
        struct Line: Decodable {
            let size: Int?
        }
        return try recorder.trace().split(separator: 0x0A).map {
            try JSONDecoder().decode(Line.self, from: Data($0)).size
        }
    }
}
