import Testing

@testable import GaugeMeasurement

@Suite("Pressure on disks") struct IOPressureTests {
    @Test("the time of waiting is that of any process, as a part of the time that passed") func part() throws {
        let text = """
            some avg10=0.02 avg60=0.08 avg300=0.12 total=15854689
            full avg10=0.00 avg60=0.00 avg300=0.00 total=8200303
            """
        let before = try #require(IOPressure(text: text))
        #expect(before.waited == 15_854_689)
        let after = try #require(IOPressure(text: text.replacing("total=15854689", with: "total=20854689")))
        #expect(after.part(since: before, seconds: 10) == 0.5 && after.part(since: before, seconds: 1) == 1)
        #expect(before.part(since: after, seconds: 10) == nil && after.part(since: before, seconds: 0) == nil)
        for other in ["", "some avg10=0.02", "full total=7", "some total=x"] { #expect(IOPressure(text: other) == nil) }
    }

    @Test("the noise line tells it, and much of it is a warning") func told() {
        var noise = NoiseReport()
        #expect(!noise.text.contains("disk"))
        noise.ioPressure = 0.15
        #expect(noise.text.contains("waiting for disks 15.0 % of the time") && noise.warnings([]).isEmpty)
        noise.ioPressure = 0.2
        #expect(noise.warnings([]).first?.hasPrefix("some process waited for a disk in 20.0 % of the time") == true)
    }
}
