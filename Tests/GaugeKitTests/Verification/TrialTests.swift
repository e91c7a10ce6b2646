import TestSupport
import Testing

@testable import GaugeMeasurement
@testable import GaugeKit

@Suite("Trial of a promise") struct TrialTests {
    @Test("a trial knows the capacities of the subject that it made last, however that was made") func capacities()
        throws
    {
        let scratch = try ScratchDirectory()
        let trial = Trial(HonestSubject.self, parent: scratch.path) { _ in }
        func expect(_ memory: Int, _ disk: Int) { #expect(trial.memory == memory && trial.disk == disk) }
        expect(0, 0)
        try trial.begin(memory: 1_000, disk: 2_000)
        expect(1_000, 2_000)
        try trial.begin(memory: 3_000)
        expect(3_000, 0)
        try trial.open(memory: 4_000, disk: 5_000)
        expect(4_000, 5_000)
        try trial.reopen(memory: 6_000, disk: 7_000)
        expect(6_000, 7_000)
        try trial.replace(memory: 8_000, disk: 9_000)
        expect(8_000, 9_000)
        try trial.open(memory: 10_000, disk: 11_000, in: trial.directory)
        expect(10_000, 11_000)
        _ = try trial.openSecond(memory: 12_000, disk: 13_000)
        expect(12_000, 13_000)
    }

    @Test("each subject of a trial has a directory of its own, and a trial that is over leaves none")
    func directories() throws {
        let scratch = try ScratchDirectory()
        let trial = Trial(HonestSubject.self, parent: scratch.path) { _ in }
        for number in 1...3 {
            try trial.begin()
            #expect(trial.directory == "\(scratch.path)/\(number)")
        }
        trial.clean()
        #expect(scratch.contents.sorted() == ["1", "2"])
        #expect(throws: (any Error).self) { try trial.driven() }
    }

    @Test("the steps of a silent part are not noted, those after it are") func silence() throws {
        let scratch = try ScratchDirectory()
        var notes: [String?] = []
        let trial = Trial(HonestSubject.self, parent: scratch.path) { notes.append($0) }
        try trial.begin(memory: 1 << 20, disk: 0)
        trial.silently(true) {
            trial.note("unheard")
            trial.silently(false) { trial.note("heard") }
            trial.note("unheard again")
        }
        trial.note("after")
        #expect(notes == [nil, "open with 1 MiB of memory and 0 B of disk", "heard", "after"])
    }
}
