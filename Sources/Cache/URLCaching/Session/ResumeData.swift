import HTTPCache

/// What continues a download, in the form that an application may keep: as `URLSession`'s, opaque.
///
/// It names a file in the temporary directory, and what the origin said of the part that is in it. It comes from
/// outside, so that nothing in it is taken on trust: the file is one of that directory with a name of this package's, and
/// is as long as it is said to be.
struct ResumeData: Codable {
    /// Its key among the values of an error. The constants of Foundation have different names on Linux and elsewhere.
    static let key = "NSURLSessionDownloadTaskResumeData"

    private var version = 1
    let url: String
    let fields: [String: String]
    let fileName: String
    let byteCount: Int64
    let status: Int
    let responseURL: String
    let responseFields: [String: String]

    /// - Returns: `nil` where the download could only begin again: no GET, no validator, or nothing was received.
    init?(_ request: URLRequest, _ response: HTTPURLResponse?, _ file: DownloadFile, byteCount: Int64) {
        guard let response, byteCount > 0, request.method == "GET", [200, 206].contains(response.statusCode),
            response.value(forHTTPHeaderField: "ETag") != nil
                || response.value(forHTTPHeaderField: "Last-Modified") != nil,
            let url = request.url
        else { return nil }
        self.url = url.absoluteString
        fields = request.allHTTPHeaderFields ?? [:]
        fileName = file.url.lastPathComponent
        self.byteCount = byteCount
        status = response.statusCode
        responseURL = (response.url ?? url).absoluteString
        responseFields = [String: String](
            response.allHeaderFields.compactMap { name, value in
                guard let name = name as? String, let value = value as? String else { return nil }
                return (name, value)
            }, uniquingKeysWith: { first, _ in first })
    }

    /// Reads what `encoded` has written.
    ///
    /// - Throws: `cannotDecodeRawData`.
    init(decoding data: Data) throws {
        guard data.count < 1 << 20, let decoded = try? JSONDecoder().decode(Self.self, from: data),
            decoded.version == 1, decoded.byteCount > 0
        else {
            throw URLError(
                .cannotDecodeRawData, url: "",
                "this is no resume data of a CachingSession; begin the download again")
        }
        self = decoded
    }

    var encoded: Data? { try? JSONEncoder().encode(self) }

    /// The request to send.
    var request: URLRequest? {
        guard let url = URL(string: url) else { return nil }
        var request = URLRequest(url: url)
        for (name, value) in fields { request.setValue(value, forHTTPHeaderField: name) }
        return request
    }

    /// The answer that the beginning came with.
    var response: HTTPURLResponse? {
        guard let url = URL(string: responseURL), 100...599 ~= status else { return nil }
        return HTTPURLResponse(url: url, statusCode: status, httpVersion: "HTTP/1.1", headerFields: responseFields)
    }
}
