import Testing

@testable import URLCaching

/// A download whose file cannot take what has come.
@Suite struct FullDiskDownloadTests {
    @Test("resume data names the bytes that were written, not those that came") func written() async throws {
        let session = CachingSession(configuration: .ephemeral)
        let url = try #require(URL(string: "http://a.example/"))
        let task: CachingDownloadTask = session.downloadTask(with: url)
        let file = try DownloadFile()
        try file.write(Data("writ".utf8))
        let response = HTTPURLResponse(
            url: url, statusCode: 200, httpVersion: nil, headerFields: ["ETag": "\"1\"", "Content-Length": "20"])
        task.core.withValues { $0.response = response }
        task.core.didReceive(byteCount: 10)
        await session.finish(task, file, URLError(.cannotWriteToFile), nil)
        let data = try #require((task.error as NSError?)?.userInfo[ResumeData.key] as? Data)
        #expect(try ResumeData(decoding: data).byteCount == 4)
        let part = try #require(DownloadFile(named: file.url.lastPathComponent, byteCount: 4))
        part.remove()
    }
}
