import LoopbackOrigin
import URLCaching

/// The ways to use a session.
enum Use: String, CaseIterable, Sendable {
    case async, stream, refresh, completionHandler, delegate

    func perform(_ bench: SessionBench) async throws -> String {
        let request = bench.request()
        switch self {
        case .async: return try await bench.get(request).body
        case .stream:
            var data = Data()
            for try await part in try await bench.session.bytes(for: request).0 { data += part }
            return String(decoding: data, as: UTF8.self)
        case .refresh:
            var last = ""
            for try await answer in bench.session.storedThenRefreshed(for: request) {
                last = String(decoding: answer.data, as: UTF8.self)
                // Its second answer would ask the origin even where the first one is good.
                if bench.origin.count() > 0, answer.source != .offline { break }
                if answer.source == .offline, last == "hello", bench.clock.now.seconds == SessionBench.start { break }
            }
            return last
        case .completionHandler:
            return try await withCheckedThrowingContinuation { continuation in
                bench.session.dataTask(with: request) { data, _, error in
                    continuation.resume(
                        with: error.map { .failure($0) } ?? .success(String(decoding: data ?? Data(), as: UTF8.self)))
                }.resume()
            }
        case .delegate:
            let delegate = Collecting(next: bench.session.delegate)
            let task = bench.session.dataTask(with: request, delegate: delegate)
            task.resume()
            return await delegate.body()
        }
    }
}
