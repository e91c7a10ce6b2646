import HTTPCache

/// What continues a download, in a form that an application may keep: opaque, like `URLSession`'s.
///
/// It names a file in the temporary directory, and what the origin said about the part in it. It comes from outside, so
/// it is not trusted: the file must be in that directory, have a name of this package's, and be as long as claimed.
struct ResumeData: Codable {
    /// Its key among an error's values. Foundation's constants have different names on Linux and elsewhere.
    static let key = "NSURLSessionDownloadTaskResumeData"

    private var version = 1
    let url: String
    let fields: [String: String]
    let fileName: String
    let byteCount: Int64
    let status: Int
    let responseURL: String
    let responseFields: [String: String]
    private var handlesCookies: Bool?
    private var timeout: Double?
    private var policy: UInt?

    /// - Returns: `nil` if the download could only start over: no GET, no validator, or nothing received.
    init?(_ request: URLRequest, _ response: HTTPURLResponse?, _ file: DownloadFile, byteCount: Int64) {
        guard let response, byteCount > 0, request.method == "GET", [200, 206].contains(response.statusCode),
            response.value(forHTTPHeaderField: "ETag") != nil
                || response.value(forHTTPHeaderField: "Last-Modified") != nil,
            let url = request.url
        else { return nil }
        self.url = url.absoluteString
        fields = request.allHTTPHeaderFields ?? [:]
        handlesCookies = request.httpShouldHandleCookies
        timeout = request.timeoutInterval
        policy = request.cachePolicy.rawValue
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

    /// Reads what `encoded` wrote.
    ///
    /// - Throws: `cannotDecodeRawData`.
    init(decoding data: Data) throws {
        let decoder = JSONDecoder()
        decoder.nonConformingFloatDecodingStrategy = .convertFromString(
            positiveInfinity: "inf", negativeInfinity: "-inf", nan: "nan")
        guard data.count < 1 << 20, let decoded = try? decoder.decode(Self.self, from: data),
            decoded.version == 1, decoded.byteCount > 0
        else {
            throw URLError(
                .cannotDecodeRawData, url: "",
                "this is no resume data of a CachingSession; begin the download again")
        }
        self = decoded
    }

    var encoded: Data? {
        let encoder = JSONEncoder()
        // An endless time-out is a number that JSON does not have.
        encoder.nonConformingFloatEncodingStrategy = .convertToString(
            positiveInfinity: "inf", negativeInfinity: "-inf", nan: "nan")
        return try? encoder.encode(self)
    }

    var request: URLRequest? {
        guard let url = URL(string: url) else { return nil }
        var request = URLRequest(url: url)
        for (name, value) in fields { request.setValue(value, forHTTPHeaderField: name) }
        if let handlesCookies { request.httpShouldHandleCookies = handlesCookies }
        if let timeout { request.timeoutInterval = timeout }
        if let policy = policy.flatMap(URLRequest.CachePolicy.init) { request.cachePolicy = policy }
        return request
    }

    /// Removes the part, if it is there.
    func removeFile() { DownloadFile(named: fileName, byteCount: 0)?.remove() }

    /// The answer that the received part came with.
    var response: HTTPURLResponse? {
        guard let url = URL(string: responseURL), 100...599 ~= status else { return nil }
        return HTTPURLResponse(url: url, statusCode: status, httpVersion: "HTTP/1.1", headerFields: responseFields)
    }
}
