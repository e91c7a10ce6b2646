import Foundation

#if canImport(FoundationNetworking)
import FoundationNetworking
#endif

/// Fills the directory of FoundationNetworking's URLCache without asking it to store.
///
/// Each of its stores lists the directory, so that filling 20 MB of 4 KB entries by storing takes half an hour. One
/// entry is stored for real, and its archive file written again under the names of the others, with URL and body
/// replaced in place: a binary property list keeps its offsets when both have the length they had. The name of a file
/// is `DATE.KEY.storedcachedurlresponse`, its key the base64 of host, port (-1) and path, each ended by a NUL: the query
/// is in neither.
struct FoundationArchive {
    /// Why no archive could be made.
    struct Failure: Error, CustomStringConvertible {
        let description: String
    }

    /// The file that URLCache wrote.
    private let template: Data
    private let urlRange: Range<Data.Index>
    private let bodyRange: Range<Data.Index>
    private let datePart: Substring

    /// Stores one entry in an empty directory of its own and takes its file as the template.
    init(like key: RequestAndResponse, body: Data) throws {
        let scratch = FileManager.default.temporaryDirectory.appending(path: "archive-\(UUID().uuidString)")
        try FileManager.default.createDirectory(at: scratch, withIntermediateDirectories: true)
        defer { try? FileManager.default.removeItem(at: scratch) }
        let cache = URLCache(memoryCapacity: 0, diskCapacity: 1 << 30, diskPath: scratch.path)
        cache.storeCachedResponse(CachedURLResponse(response: key.response, data: body), for: key.request)

        let names = try FileManager.default.contentsOfDirectory(atPath: scratch.path)
        guard let name = names.first(where: { $0.hasSuffix(Self.suffix) }) else {
            throw Failure(description: "URLCache stored nothing in \(scratch.path)")
        }
        template = try Data(contentsOf: scratch.appending(path: name))
        guard let url = key.request.url, let urlRange = template.range(of: Data(url.absoluteString.utf8)),
            let bodyRange = template.range(of: body)
        else { throw Failure(description: "URLCache's archive holds URL or body in a form this harness does not know") }
        self.urlRange = urlRange
        self.bodyRange = bodyRange
        datePart = name.prefix { $0 != "." }
    }

    /// Writes the file of another entry, whose URL and body are as long as the template's.
    func write(url text: String, body: Data, into directory: URL) throws {
        guard let url = URL(string: text), let host = url.host(), text.utf8.count == urlRange.count,
            body.count == bodyRange.count
        else { throw Failure(description: "'\(text)' or its body is not as long as the template's") }
        var archive = template
        archive.replaceSubrange(urlRange, with: Data(text.utf8))
        archive.replaceSubrange(bodyRange, with: body)
        let key = Data("\(host)\0-1\0\(url.path(percentEncoded: false))\0".utf8).base64EncodedString()
        // URLCache never stores an entry whose name holds a slash, and so neither does this.
        guard !key.contains("/") else { return }
        try archive.write(to: directory.appending(path: "\(datePart).\(key)\(Self.suffix)"))
    }

    private static let suffix = ".storedcachedurlresponse"
}
