import HTTPAgreement
import HTTPSemantics
import Testing

/// Conditions and ranges of requests, evaluated by both readings.
@Suite struct PreconditionsAgreementTests {
    @Test("both readings agree on conditions and ranges many times") func conditionsAndRanges() {
        expectAgreement(on: "preconditions", seed: 0x9C0D, make: { _ in [] }) { maker, _ in
            var request = HTTPFields()
            if maker.chance(25) { add("If-None-Match", Self.tags, to: &request, &maker) }
            if maker.chance(25) { add("If-Modified-Since", Self.dates, to: &request, &maker) }
            if maker.chance(60) { add("Range", Self.ranges, to: &request, &maker) }
            if maker.chance(30) { add("If-Range", Self.tags + Self.dates, to: &request, &maker) }
            var stored = HTTPFields()
            if maker.chance(60) { add("ETag", Self.tags, to: &stored, &maker) }
            if maker.chance(60) { add("Last-Modified", Self.dates, to: &stored, &maker) }
            if maker.chance(60) { add("Date", Self.dates, to: &stored, &maker) }
            if maker.chance(10) {
                add("Content-Encoding", ["gzip", "identity", "", "Identity, br"], to: &stored, &maker)
            }
            if maker.chance(10) { add("Accept-Ranges", ["none", "bytes", "bytes, NONE", ""], to: &stored, &maker) }
            let response = HTTPResponse(status: maker.chance(95) ? 200 : 404, headerFields: stored)
            let length = [0, 1, 10, 500, 1_000_000][maker.below(5)]
            let agreement = Agreement.preconditions(
                request, method: maker.chance(90) ? "GET" : "HEAD", response, receivedAt: Self.moment,
                length: Int64(length))
            guard case .broken(let difference) = agreement else { return agreement }
            return .broken("\(request)\n\(response)\n\(length) bytes: \(difference)")
        }
    }

    private func add(
        _ name: HTTPFields.Name, _ values: [String], to fields: inout HTTPFields, _ maker: inout InputMaker
    ) {
        for _ in 0...(maker.chance(5) ? 1 : 0) {
            var value = Array(values[maker.below(values.count)].utf8)
            if maker.chance(5) { maker.mutate(&value) }
            fields.fields.append(.init(name: name, value: String(decoding: value, as: UTF8.self)))
        }
    }

    private static let moment: Int64 = 1_800_000_000
    private static let tags = ["\"a\"", "W/\"a\"", "\"b\"", "*", "\"b\", W/\"a\"", "bare", "", " \"a\" "]
    private static let dates =
        [-200, -100, -60, -59, 0, 5].map { HTTPDate.format(moment + $0) } + [
            "Friday, 15-Jan-27 08:00:00 GMT", "Fri Jan 15 07:58:20 2027", "soon", "0",
        ]
    private static let ranges = [
        "bytes=0-0", "bytes=0-", "bytes=1-4", "bytes=9-", "bytes=10-", "bytes=-1", "bytes=-0", "bytes=-600",
        "bytes=5-2",
        "bytes=0-1,3-4", "bytes=0-1, x", "lines=0-1", "BYTES= 2-3 ", "bytes=", "bytes=499-9223372036854775807",
        "bytes=9223372036854775808-",
    ]
}
