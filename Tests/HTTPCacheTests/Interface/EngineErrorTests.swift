import HTTPCache
import Testing

/// The texts of the engine's errors.
@Suite struct EngineErrorTests {
    @Test("an error names the reason and the remedy, and none has the text of another") func texts() {
        let cause = Cause()
        let expected: [(EngineError, [String])] = [
            (.notStored(url: "https://a/"), ["nothing is stored for https://a/", "use returnCacheDataElseLoad"]),
            (.noAnswer(cause), ["the origin gave no answer: cable cut", "try again"]),
            (.brokenOff(cause), ["the body broke off: cable cut", "resume where it stopped"]),
            (.timedOut(seconds: 2.5), ["the answer did not come within 2.5 s", "allow more time"]),
            (.tookTooLong(seconds: 9), ["the request took longer than 9.0 s", "raise timeoutIntervalForResource"]),
            (.cancelled, ["the request was cancelled"]),
        ]
        for (error, parts) in expected {
            for part in parts { #expect(error.description.contains(part)) }
        }
        #expect(Set(expected.map(\.0.description)).count == expected.count)
    }

    private struct Cause: Error, CustomStringConvertible {
        let description = "cable cut"
    }
}
