import CacheTiers
import CurlTransport
import Dispatch
import Foundation
import HTTPCache
import HTTPSemantics
import LoopbackOrigin
import Platform

extension FuzzTarget {
    /// The first byte says how the rest, an origin's bytes, is cut into pieces, and with its highest bit whether the
    /// request is a HEAD. Each piece goes over loopback separately; then the connection is closed.
    ///
    /// Oracle: a model reads all bytes at once. If it finds an answer, an engine over libcurl returns the same status,
    /// fields and body; if not, the engine fails with a `URLError`, stores nothing, and doesn't wait for its time-out.
    static let transport = FuzzTarget("transport", mutation: .structured(TransportMutation.self)) { buffer in
        guard let control = buffer.first else { return }
        let bytes = Array(buffer.dropFirst())
        let isHead = control & 0x80 != 0
        let outcome = TransportBench.shared.ask(bytes, pieces: Int(control & 0x7F), isHead: isHead)
        switch (AnswerModel(bytes, isHead: isHead), outcome) {
        case (.answer(let status, let fields, let body), .answer(let response, let received)):
            require(response.status == status, "\(bytes.quoted): \(response.status) for \(status)")
            require(received == body, "\(bytes.quoted): \(received.quoted) for \(body.quoted)")
            require(
                compared(response.headerFields.fields.map { ($0.name.rawName.lowercased(), $0.valueBytes) })
                    == compared(fields), "\(bytes.quoted): other fields, \(response.headerFields)")
            checkLength(response.headerFields["Content-Length"], of: bytes, fields)
        case (.answer, .failure(let error)): fuzzFailure("\(bytes.quoted) failed: \(error)")
        case (.failure, .answer(let response, _)): fuzzFailure("\(bytes.quoted) gave \(response.status)")
        case (_, .failure(let error)): require(error.code != .timedOut, "\(bytes.quoted) hung")
        case (.open, .answer): break
        }
    }

    /// A length beside a coding says nothing, and nobody behind the transport may believe it (RFC 9112, section 6.3).
    private static func checkLength(_ told: String?, of bytes: [UInt8], _ fields: [(name: String, value: [UInt8])]) {
        let isCoded = fields.contains { $0.name == "transfer-encoding" }
        let stated = fields.first { $0.name == "content-length" }.map {
            Int64(String(decoding: $0.value, as: UTF8.self))
        }
        // One that no Int64 holds is as good as any.
        if !isCoded, let stated, stated == nil { return }
        let expected = isCoded ? nil : stated ?? nil
        require(told.flatMap { Int64($0) } == expected, "\(bytes.quoted): a length of \(told ?? "nothing")")
    }

    /// The fields, without those that the transport handles.
    private static func compared(_ fields: [(name: String, value: [UInt8])]) -> [String] {
        fields.filter { !["content-length", "transfer-encoding"].contains($0.name) }
            .map { "\($0.name): \($0.value)" }
    }
}

/// One engine and one origin for all inputs.
private final class TransportBench: Sendable {
    enum Outcome: Sendable {
        case answer(HTTPResponse, [UInt8])
        case failure(URLError)
    }

    static let shared = TransportBench()

    private let steps = Locked<[RawOrigin.Step]>([])
    private let outcome = Locked<Outcome?>(nil)
    private let origin: RawOrigin
    private let engine: CacheEngine

    private init() {
        do {
            origin = try RawOrigin { _ in Self.shared.steps.withLock { $0 } }
            let tiers = TwoTierCache(memory: MemoryTier(clamping: 1 << 20), disk: nil, hasher: KeyHasher())
            var settings = TransportSettings()
            // Bytes after one answer would be the beginning of the next.
            settings.keepsConnections = false
            engine = CacheEngine(responses: ResponseStore(tiers: tiers), transport: try CurlTransport(settings))
        } catch {
            fuzzFailure("\(error)")
        }
    }

    func ask(_ bytes: [UInt8], pieces: Int, isHead: Bool) -> Outcome {
        let length = pieces == 0 ? max(bytes.count, 1) : max(pieces, bytes.count / 32)
        steps.withLock { steps in
            steps = stride(from: 0, to: bytes.count, by: length).map {
                .send(Array(bytes[$0..<min($0 + length, bytes.count)]))
            }
        }
        let message = HTTPRequest(method: isHead ? "HEAD" : "GET", url: origin.base + "/")
        let request = CacheRequest(message, timeout: 5)
        let done = DispatchSemaphore(value: 0)
        Task { [self] in
            let found: Outcome
            do {
                let answer = try await engine.respond(to: request)
                found = .answer(answer.response, try await answer.body.collect())
            } catch {
                found = .failure(Self.cause(of: error))
            }
            outcome.withLock { $0 = found }
            done.signal()
        }
        done.wait()
        let found = outcome.withLock { $0 } ?? .failure(URLError(.unknown))
        if case .failure(let error) = found {
            require(error.code != .unknown, "\(bytes.quoted): an error without a reason")
            require(engine.responses.lookup(message) == nil, "\(bytes.quoted): a fragment is stored")
        }
        try? engine.responses.removeAll()
        return found
    }

    private static func cause(of error: any Error) -> URLError {
        switch error as? EngineError {
        case .noAnswer(let cause), .brokenOff(let cause): cause as? URLError ?? URLError(.unknown)
        default: URLError(.unknown)
        }
    }
}
