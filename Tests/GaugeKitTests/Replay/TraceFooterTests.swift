import GaugeTraces
import Testing

@testable import GaugeKit

@Suite("Lines below the results of a trace") struct TraceFooterTests {
    @Test("a trace's footer has its digest, or says that it has none") func footer() throws {
        let environment = RunEnvironment(settings: RunSettings(seed: 9), directory: nil)
        let read = environment.footer(TraceDigest(text: "crc32c:00000001", count: 7), width: .max)
        #expect(read.hasPrefix("trace hash      crc32c:00000001 over 7 bytes\nmeasured on     "))
        let none = environment.footer(nil, width: .max)
        #expect(none.hasPrefix("trace hash      none, since the trace was not read to its end\nmeasured on     "))
        #expect(none.contains("\nmeasured with   \(environment.build); seed 9\n"))
    }
}
