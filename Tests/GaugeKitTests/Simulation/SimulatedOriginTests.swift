import Testing

@testable import GaugeKit
@testable import GaugeTraces

@Suite("Origin of a simulation") struct SimulatedOriginTests {
    /// An origin whose only class has these validators, and the answer of its object 5 to a plain request.
    private static func origin(
        etag: Bool, lastModified: Bool
    ) -> (origin: SimulatedOrigin, url: String, first: SimulatedResponse) {
        var plan = WorkloadPlan()
        plan.objects = 20
        plan.sizes = .constant(200)
        plan.headers = [HeaderClass(maxAge: 60, etag: etag, lastModified: lastModified ? 86_400 : nil)]
        let origin = SimulatedOrigin(Workload(plan, seed: 1), start: Simulation.start)
        let url = origin.url(of: 5)
        return (origin, url, origin.answer(SimulatedRequest(url: url), at: Simulation.start))
    }

    private enum Validator: String, CaseIterable { case none, right, wrong }

    /// The value of a condition: the one of the response, or another.
    private static func field(
        _ name: String, _ validator: Validator, _ value: String?, other: String
    ) -> [HeaderField] {
        switch validator {
        case .none: []
        case .right: [HeaderField(name, value ?? other)]
        case .wrong: [HeaderField(name, other)]
        }
    }

    @Test(
        "a tag decides where one is sent, whatever the date says (RFC 9110, 13.1.3)", arguments: [true, false],
        [true, false])
    func precedence(etag: Bool, lastModified: Bool) {
        let (origin, url, first) = Self.origin(etag: etag, lastModified: lastModified)
        func value(_ name: String) -> String? { first.fields.first { $0.name == name }?.value }
        #expect(first.status == 200 && (value("ETag") != nil) == etag)
        #expect((value("Last-Modified") != nil) == lastModified)
        for tag in Validator.allCases {
            for date in Validator.allCases {
                let tagFields = Self.field("If-None-Match", tag, value("ETag"), other: "\"another\"")
                let dateFields = Self.field(
                    "If-Modified-Since", date, value("Last-Modified"), other: "Thu, 01 Jan 1970 00:00:00 GMT")
                let isUnchanged = tag == .none ? date == .right && lastModified : tag == .right && etag
                // In either order of the fields.
                for fields in [tagFields + dateFields, dateFields + tagFields] {
                    let answer = origin.answer(SimulatedRequest(url: url, fields: fields), at: Simulation.start + 1)
                    #expect(answer.status == (isUnchanged ? 304 : 200), "tag \(tag), date \(date)")
                    #expect(answer.body.count == (isUnchanged ? 0 : 200))
                }
            }
        }
        #expect(origin.totals.requests == 19)
    }
}
