import Testing

@testable import GaugeMeasurement

@Suite("Wrong answers") struct AnswersTests {
    @Test("all wrong answers are counted and only the first are kept")
    func allWrongAnswersAreCountedAndOnlyTheFirstAreKept() {
        let answers = Answers()
        var histories = 0
        func history() -> [String] {
            histories += 1
            return ["stored version 1"]
        }
        for number in 0..<1_000 {
            answers.wrong(key: "key \(number)", expected: "version 1", got: "version 0", history: history())
        }
        #expect(answers.count == 1_000)
        #expect(answers.first.count == Answers.kept)
        #expect(histories == Answers.kept)
        #expect(answers.first.first?.key == "key 0")
    }
}
