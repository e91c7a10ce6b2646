import HTTPCache
import HTTPSemantics

/// Where the body of an upload comes from. It is made anew for each request that is sent, so that a redirection or a
/// challenge does not find it read.
struct UploadBody: Sendable {
    private enum Source: Sendable {
        /// The request's own body, which is in memory, so that a request that was not processed can be repeated.
        case data(Int)
        case file(URL)
        /// Asked of the delegate.
        case delegate
    }

    private let source: Source

    /// Of the request's `httpBody`.
    static func data(_ count: Int) -> Self { Self(source: .data(count)) }
    static func file(_ url: URL) -> Self { Self(source: .file(url)) }
    static let fromDelegate = Self(source: .delegate)

    /// The body for one request.
    ///
    /// - Throws: `fileDoesNotExist`, `noPermissionsToReadFile` or `requestBodyStreamExhausted`.
    typealias Making = @Sendable (URLRequest) async throws -> RequestBody?

    /// What makes the body, counted for a task.
    func of(_ core: TaskCore, _ events: TaskEvents?) -> Making? {
        switch source {
        case .data(let count):
            core.willSendBody(Int64(count))
            return nil
        case .file(let url):
            return { request in
                let length = try Self.length(of: url, request)
                core.willSendBody(length)
                guard let stream = InputStream(url: url) else { throw Self.unreadable(url, request) }
                return .stream(InputStreamBody(stream, onRead: Self.reporting(core, events)), length: length)
            }
        case .delegate:
            return { request in
                guard let body = await events?.needsBodyStream() else { return RequestBody(request) }
                let length = request.value(forHTTPHeaderField: "Content-Length").flatMap { Int64($0) }
                core.willSendBody(length)
                return .stream(
                    InputStreamBody(body.stream, onRead: Self.reporting(core, events)),
                    length: length.flatMap { $0 < 0 ? nil : $0 })
            }
        }
    }

    /// The answer has come. A body in memory is told of as a whole: what is sent of it at which moment is not known.
    func didEnd(_ core: TaskCore, _ events: TaskEvents?) async {
        guard case .data(let count) = source, count > 0 else { return }
        let counts = core.didSend(byteCount: Int64(count))
        await events?.didSend(Int64(count), of: counts)
    }

    private static func reporting(_ core: TaskCore, _ events: TaskEvents?) -> @Sendable (Int) async -> Void {
        { count in
            let counts = core.didSend(byteCount: Int64(count))
            await events?.didSend(Int64(count), of: counts)
        }
    }

    /// Bytes; `nil` for what is no plain file.
    private static func length(of url: URL, _ request: URLRequest) throws -> Int64? {
        guard FileManager.default.isReadableFile(atPath: url.path) else { throw unreadable(url, request) }
        let attributes = try? FileManager.default.attributesOfItem(atPath: url.resolvingSymlinksInPath().path)
        guard attributes?[.type] as? FileAttributeType == .typeRegular else {
            throw URLError(.fileIsDirectory, request, "\(url.path) is no file, so that it cannot be uploaded")
        }
        return (attributes?[.size] as? NSNumber)?.int64Value
    }

    private static func unreadable(_ url: URL, _ request: URLRequest) -> URLError {
        FileManager.default.fileExists(atPath: url.path)
            ? URLError(.noPermissionsToReadFile, request, "\(url.path) may not be read; change its permissions")
            : URLError(.fileDoesNotExist, request, "\(url.path), which is to be uploaded, does not exist")
    }
}
