import HTTPSemantics

/// The time at which the responses of the tables are received: Fri, 15 Jan 2027 08:00:00 GMT.
let receipt: Int64 = 1_800_000_000

/// Header fields, one on each line. `{-5}` in a value stands for the IMF-fixdate five seconds before `receipt`.
func header(_ text: String) -> HTTPFields {
    HTTPFields(
        text.split(separator: "\n").map { line in
            let colon = line.firstIndex(of: ":") ?? line.endIndex
            let value = line[colon...].dropFirst().drop { $0 == " " }
            return .init(name: .init(String(line[..<colon])), value: withDates(String(value)))
        })
}

private func withDates(_ value: String) -> String {
    guard let open = value.firstIndex(of: "{"), let close = value.firstIndex(of: "}"), open < close,
        let offset = Int64(value[open...].dropFirst().prefix { $0 != "}" })
    else { return value }
    return value[..<open] + HTTPDate.format(receipt + offset) + withDates(String(value[close...].dropFirst()))
}

func response(_ text: String = "", status: Int = 200) -> HTTPResponse {
    HTTPResponse(status: status, headerFields: header(text))
}

func request(_ text: String = "", method: String = "GET", url: String = "https://example.org/a") -> HTTPRequest {
    HTTPRequest(method: method, url: url, headerFields: header(text))
}

func facts(_ text: String = "", method: String = "GET", policy: RequestPolicy = .useProtocolCachePolicy) -> RequestFacts
{
    RequestFacts(request(text, method: method), policy: policy)
}

/// The facts of a response requested and received at `receipt`.
func stored(_ text: String, status: Int = 200, delay: Int64 = 0) -> StoredFacts {
    StoredFacts(response(text, status: status), requestTime: receipt - delay, responseTime: receipt)
}

/// The decision about a request `seconds` after the stored response was received.
func decide(_ stored: StoredFacts, _ request: RequestFacts = facts(), after seconds: Int64) -> ReuseDecision {
    Reuse.decide(request, stored, now: receipt + seconds)
}

func storability(_ response: HTTPResponse, _ request: RequestFacts = facts()) -> Storability.Decision {
    Storability.decide(request, ResponseValues(response, responseTime: receipt))
}
