import Foundation
import TestSupport
import Testing

@testable import GaugeMeasurement

/// Whole pages of recorded results, with figures that all differ.
@Suite("Recorded pages") struct RecordedPageTests {
    @Test(
        "a page is the recorded one, line by line",
        arguments: [
            ("run", ["first"]), ("runs", ["first", "second", "third"]),
            ("curves", ["entries", "bytes", "replay", "replay-bytes"]),
        ])
    func page(name: String, results: [String]) throws {
        let documents = try results.map {
            try ResultDocument(path: RecordedText.folder.appending(path: "Pages/\($0).json").path)
        }
        let text = HTMLReport(documents, names: results.map { "\($0).json" }).text
        // The style and the script are those of all pages.
        let page = text.replacing(/<style>[\s\S]*?<\/style>/, with: "<style></style>")
            .replacing(/<script>[\s\S]*?<\/script>/, with: "<script></script>")
        #expect(page != text)
        #expect(RecordedText.differences(of: page, from: "Pages/\(name).html") == [])
    }
}
