import HTTPCache
import HTTPSemantics

/// A transport that answers with the request itself: everything that it needs is public.
struct EchoTransport: Transport {
    func send(_ outgoing: OutgoingRequest) async throws -> IncomingResponse {
        var text = Array("\(outgoing.request.method) ".utf8)
        switch outgoing.body {
        case nil: break
        case .bytes(let bytes): text += bytes
        case .stream(let stream, _): while let part = try await stream.next() { text += part }
        }
        let fields = outgoing.request.headerFields.fields.map {
            HTTPFields.Field(name: HTTPFields.Name("X-\($0.name.rawName)"), valueBytes: $0.valueBytes)
        }
        return IncomingResponse(
            HTTPResponse(status: 200, headerFields: HTTPFields(fields)), body: EchoBody(parts: [text]))
    }
}

/// A body whose parts are known.
actor EchoBody: IncomingBody {
    private var parts: [[UInt8]]

    init(parts: [[UInt8]]) { self.parts = parts }

    func next() async throws -> [UInt8]? { parts.isEmpty ? nil : parts.removeFirst() }

    nonisolated func cancel() {}
}
