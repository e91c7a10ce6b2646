import Testing

@testable import GaugeTraces
@testable import URLCaching

@Suite("Recorded traces") struct RecordedTraceTests {
    @Test("what a cache's recorder writes is recognised, and read with sizes, statuses, fields and times")
    func read() throws {
        let recorder = RequestRecorder()
        let cache = ResponseCache(memoryCapacity: 1 << 20, diskCapacity: 0, diskPath: nil, recorder: recorder)
        for number in [0, 1, 0, 2, 0] {
            guard let url = URL(string: "https://a.example/\(number)"),
                let response = HTTPURLResponse(
                    url: url, statusCode: 200, httpVersion: nil, headerFields: ["Cache-Control": "max-age=60"])
            else { continue }
            guard cache.cachedResponse(for: URLRequest(url: url)) == nil else { continue }
            cache.storeCachedResponse(
                CachedURLResponse(response: response, data: Data(count: 100 + number)), for: URLRequest(url: url))
        }
        var reader = try TraceReader(TraceInput(name: "t", bytes: recorder.trace()), skipping: .nothing)
        var requests: [TraceRequest] = []
        while let request = try reader.next() { requests.append(request) }
        #expect(reader.format == .jsonLog && requests.map(\.size) == [100, 101, 100, 102, 100])
        #expect(Set(requests.map(\.id)).count == 3 && requests[0].id == requests[4].id)
        #expect(requests.allSatisfy { $0.exchange?.status == 200 && $0.exchange?.responseFields.count == 1 })
        #expect(requests.allSatisfy { abs(($0.time ?? 0) - Date().timeIntervalSince1970) < 3600 })
    }
}
