import HTTPCache
import Platform
import Testing

@testable import CurlTransport

@Suite(.timeLimit(.minutes(60))) struct CurlUploadTests {
    /// Gives parts, and then its end.
    private final class Parts: RequestBodyStream, Sendable {
        private let parts: Locked<[[UInt8]]>

        init(_ parts: [[UInt8]]) { self.parts = Locked(parts) }

        func next() async throws -> [UInt8]? { parts.withLock { $0.isEmpty ? nil : $0.removeFirst() } }
    }

    /// Reads at most `count` bytes, however long they take to come.
    private static func read(_ upload: CurlUpload, _ count: Int) async throws -> [UInt8] {
        var buffer = [UInt8](repeating: 0, count: count)
        while true {
            switch buffer.withUnsafeMutableBytes({ upload.read(into: $0) }) {
            case .bytes(let count): return Array(buffer[..<count])
            case .wait: await Task.yield()
            case .failed(let error): throw error
            }
        }
    }

    @Test("a stream whose bytes have gone cannot begin again, and goes on only where it is")
    func stream() async throws {
        let upload = CurlUpload(.stream(Parts([[1, 2, 3], [], [4, 5]]), length: 5)) {}
        #expect(upload.seek(to: 0) && upload.byteCount == 5)
        #expect(try await Self.read(upload, 2) == [1, 2])
        #expect(!upload.seek(to: 0) && upload.seek(to: 2))
        #expect(try await Self.read(upload, 10) == [3])
        #expect(try await Self.read(upload, 10) == [4, 5])
        #expect(try await Self.read(upload, 10) == [])
        #expect(!upload.seek(to: 0) && upload.seek(to: 5))
    }

    @Test(
        "a stream that is not as long as announced fails, before the origin takes its rest for a request",
        arguments: [
            (4, [[1, 2, 3], [4, 5]], true), (4, [[1, 2, 3, 4, 5]], true), (0, [[1]], true),
            (6, [[1, 2, 3], [4, 5]], false),
            (1, [], false),
        ] as [(Int64, [[UInt8]], Bool)])
    func wrongLength(announced: Int64, parts: [[UInt8]], isLonger: Bool) async throws {
        let upload = CurlUpload(.stream(Parts(parts), length: announced)) {}
        var read: [UInt8] = []
        let error = await #expect(throws: CurlUpload.WrongLength.self) {
            while true {
                let part = try await Self.read(upload, 10)
                read += part
                if part.isEmpty { break }
            }
        }
        #expect(error?.isLonger == isLonger && error?.description.contains("\(announced) bytes") == true)
        #expect(read.count <= announced)
    }

    @Test("a negative length is none")
    func negativeLength() { #expect(CurlUpload(.stream(Parts([]), length: -2)) {}.byteCount == nil) }

    @Test("bytes in memory begin again anywhere within them") func bytes() async throws {
        let upload = CurlUpload(.bytes([1, 2, 3])) {}
        #expect(try await Self.read(upload, 10) == [1, 2, 3] && upload.byteCount == 3)
        #expect(upload.seek(to: 1))
        #expect(try await Self.read(upload, 10) == [2, 3])
        #expect(upload.seek(to: 3) && !upload.seek(to: 4) && !upload.seek(to: -1))
    }
}
