// swift-format-ignore-file
import Foundation
import URLCaching

#if canImport(FoundationNetworking)
import FoundationNetworking
#endif

// Benchmarks/Guides/use-the-cache.md, recording.
func record(_ request: URLRequest) async throws {
    let recorder = RequestRecorder()  // hashed keys; RequestRecorder(keys: .plain) writes URLs
    let session = CachingSession(configuration: .init(recorder: recorder))
    _ = try await session.data(for: request)
    try recorder.write(to: URL(filePath: "session.jsonl"))
}

// Benchmarks/Guides/use-the-cache.md, recordings that join.
func joiningRecorder() -> RequestRecorder {
    let key = RecordingKey()  // once; key.bytes are its 16 bytes, and RecordingKey(bytes) is the kept one
    let recorder = RequestRecorder(keys: .hashedUnder(key))
    return recorder
}
