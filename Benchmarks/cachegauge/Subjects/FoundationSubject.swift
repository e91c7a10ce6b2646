import Foundation
import GaugeKit

#if canImport(FoundationNetworking)
import FoundationNetworking
#endif

/// The toolchain's own URLCache, driven as by an application: a `URLRequest` in, a `CachedURLResponse` out.
final class FoundationSubject: CacheSubject {
    static let name = "foundation"
    static let title = "Foundation's URLCache"
    static let limits = SubjectLimits.urlCache
    static let capabilities: SubjectCapabilities = [
        .memory, .disk, .capacity, .persistence, .requests, .userInfo, .resize, .threads, .removalSince, .removalOfAll,
        .storagePolicy,
    ]

    private let cache: URLCache
    private let directory: URL
    private let diskCapacity: Int
    private let hit: Outcome

    init(_ configuration: SubjectConfiguration) {
        directory = URL(filePath: configuration.directory)
        hit = configuration.hitOfUnknownTier
        diskCapacity = configuration.diskCapacity
        cache = URLCache(
            memoryCapacity: configuration.memoryCapacity, diskCapacity: configuration.diskCapacity,
            diskPath: configuration.directory)
    }

    func key(for url: String) throws -> RequestAndResponse { try RequestAndResponse(url: url) }

    func lookUp(_ key: RequestAndResponse, _ read: (UnsafeRawBufferPointer) -> Void) -> Outcome {
        guard let found = cache.cachedResponse(for: key.request) else { return .miss }
        found.data.withUnsafeBytes(read)
        // The interface doesn't report the tier.
        return hit
    }

    func changeBody(for key: RequestAndResponse) -> [UInt8]? {
        guard let other = cache.cachedResponse(for: key.request),
            var mine = cache.cachedResponse(for: key.request)?.data
        else { return nil }
        for index in mine.indices { mine[index] ^= 0xFF }
        return Array(other.data)
    }

    func store(_ body: UnsafeRawBufferPointer, for key: RequestAndResponse) -> Outcome {
        cache.storeCachedResponse(CachedURLResponse(response: key.response, data: Data(body)), for: key.request)
        return .store
    }

    func key(for request: SubjectRequest) throws -> RequestAndResponse { try RequestAndResponse(request) }

    func store(_ body: UnsafeRawBufferPointer, for key: RequestAndResponse, userInfo: [String: PropertyValue]) {
        cache.storeCachedResponse(key.stored(Data(body), userInfo: userInfo), for: key.request)
    }

    func userInfo(for key: RequestAndResponse) -> [String: PropertyValue]? {
        cache.cachedResponse(for: key.request)?.userInfo.flatMap(PropertyValue.table)
    }

    func store(_ body: UnsafeRawBufferPointer, for key: RequestAndResponse, policy: SubjectStoragePolicy) {
        cache.storeCachedResponse(key.stored(Data(body), policy: policy), for: key.request)
    }

    func removeAll() { cache.removeAllCachedResponses() }

    func removeAll(since moment: Double) {
        cache.removeCachedResponses(since: Date(timeIntervalSince1970: moment))
    }

    func resize(memory: Int, disk: Int) {
        cache.memoryCapacity = memory
        cache.diskCapacity = disk
    }

    func remove(_ key: RequestAndResponse) { cache.removeCachedResponse(for: key.request) }

    var usage: SubjectUsage {
        // `currentDiskUsage` reads every file (0.6 s for 5,000 entries), so it isn't used.
        SubjectUsage(memoryBytes: cache.currentMemoryUsage)
    }

    func fill(with entries: FillEntries) throws {
        guard diskCapacity > 0 else {
            return try entries.forEach { url, body in _ = try store(body, for: key(for: url)) }
        }
        let archive = try FoundationArchive(in: directory)
        // Fill it exactly: the first timed store would evict the excess, and list the directory for each entry.
        let newest = entries.newest(within: diskCapacity, overhead: FoundationArchive.overhead)
        try newest.forEach { url, body in try archive.write(key(for: url), body: Data(body), into: directory) }
    }
}

/// Fills the directory of FoundationNetworking's URLCache without its store method.
///
/// Each of its stores lists the directory, so filling 20 MB with 4 KB entries would take half an hour. For each pair of
/// lengths this stores one entry in an empty directory, then writes its archive file again under the other entries'
/// names, with URL and body replaced in place. A binary property list keeps its offsets if both keep their lengths. A
/// file's name is `DATE.KEY.storedcachedurlresponse`; the key is the base64 of host, port (-1) and path, each followed
/// by a NUL byte, without the query.
final class FoundationArchive {
    /// Why no archive could be made.
    struct Failure: Error, CustomStringConvertible {
        let description: String
    }

    /// The approximate size of an archive without its body, bytes, to compute how many fit.
    static let overhead = 1_400

    /// A file that URLCache wrote, with the offsets of URL and body.
    private struct Template {
        let bytes: Data
        let url: Range<Data.Index>
        let body: Range<Data.Index>
        let date: Substring
    }

    private let scratch: URL
    private let cache: URLCache
    private var templates: [Int: Template] = [:]

    /// - Parameter directory: a folder beside it is used meanwhile, so that it is removed with it if nobody else does.
    init(in directory: URL) throws {
        scratch = directory.deletingLastPathComponent().appending(path: "archive-\(UUID().uuidString)")
        try FileManager.default.createDirectory(at: scratch, withIntermediateDirectories: true)
        cache = URLCache(memoryCapacity: 0, diskCapacity: 1 << 30, diskPath: scratch.path)
    }

    deinit { try? FileManager.default.removeItem(at: scratch) }

    /// Writes the file of an entry.
    func write(_ key: RequestAndResponse, body: Data, into directory: URL) throws {
        guard let url = key.request.url, let host = url.host() else { throw Failure(description: "a URL has no host") }
        let text = Data(url.absoluteString.utf8)
        let template = try template(like: key, text: text, body: body)
        var archive = template.bytes
        archive.replaceSubrange(template.url, with: text)
        archive.replaceSubrange(template.body, with: body)
        let name = Data("\(host)\0-1\0\(url.path(percentEncoded: false))\0".utf8).base64EncodedString()
        // URLCache never stores an entry whose name contains a slash, so skip it here too.
        guard !name.contains("/") else { return }
        try archive.write(to: directory.appending(path: "\(template.date).\(name)\(Self.suffix)"))
    }

    private func template(like key: RequestAndResponse, text: Data, body: Data) throws -> Template {
        let lengths = text.count << 32 | body.count
        if let template = templates[lengths] { return template }
        cache.storeCachedResponse(CachedURLResponse(response: key.response, data: body), for: key.request)
        let names = try FileManager.default.contentsOfDirectory(atPath: scratch.path)
        guard let name = names.first(where: { $0.hasSuffix(Self.suffix) }) else {
            throw Failure(description: "URLCache stored nothing in \(scratch.path)")
        }
        let file = scratch.appending(path: name)
        let bytes = try Data(contentsOf: file)
        try FileManager.default.removeItem(at: file)
        guard let url = bytes.range(of: text), let place = bytes.range(of: body) else {
            throw Failure(description: "URLCache's archive holds URL or body in a form this harness does not know")
        }
        let template = Template(bytes: bytes, url: url, body: place, date: name.prefix { $0 != "." })
        templates[lengths] = template
        return template
    }

    private static let suffix = ".storedcachedurlresponse"
}
