import HTTPSemantics

/// The steps of the target `engine`, read from text. A line is a step, or a field of the step before (`Name: value`);
/// invalid lines are skipped.
///
///     < STATUS MODE DELAY from now on the origin answers like this, after DELAY seconds; the fields follow
///     > METHOD POLICY PATH a request, run to its end; the fields follow; POLICY is 0 to 5, PATH 0 to 3
///     ) METHOD POLICY PATH the same, with the answer held back
///     ] METHOD POLICY PATH the same, with each piece of the body held back, too
///     ! delivers everything that is held back
///     ? N delivers only the N-th answer held back, counted from the last
///     + SECONDS advances the clock
///     x N cancels the N-th request held back
///     ~ PATH the application removes a URL, or everything without PATH
///
/// MODE is a set of letters: `b` the body breaks off, `n` no answer, `v` a 304 if the request has the validators, `l` a
/// body too long to be stored, `e` an empty body, `p` the part that a GET asks for, of a body that depends on URL and
/// entity tag alone.
struct EngineScript {
    enum Step {
        case origin(EngineReply)
        case request(HTTPRequest, RequestPolicy, hold: Hold)
        case release
        case releaseOne(Int)
        case wait(Int64)
        case cancel(Int)
        case remove(String?)
    }

    enum Hold { case nothing, answer, body }

    private(set) var steps: [Step] = []

    /// The most steps of one input; more would take long and find little.
    static let longest = 64
    private static let mostFields = 8
    private static let methods = ["GET", "HEAD", "POST", "OPTIONS", "DELETE"]

    init(_ buffer: UnsafeRawBufferPointer) {
        let text = String(decoding: buffer.prefix(4_096), as: UTF8.self)
        for line in text.utf8.split(separator: 0x0A) where steps.count < Self.longest {
            let words = line.split(separator: 0x20).map { String(Substring($0)) }
            guard let first = words.first else { continue }
            func word(_ index: Int) -> String { index < words.count ? words[index] : "" }
            func number(_ index: Int) -> Int { Int(word(index)).map { abs($0 % 1_000_000) } ?? 0 }
            switch first {
            case "<":
                let status = 200 + (number(1) + 600) % 800
                steps.append(
                    .origin(EngineReply(status: status, mode: word(2), delay: Int64(number(3) % 1_000))))
            case ">", ")", "]":
                let policies = RequestPolicy.allCases
                let method = Self.methods.contains(word(1)) ? word(1) : "GET"
                steps.append(
                    .request(
                        HTTPRequest(method: method, url: Self.url(number(3))), policies[number(2) % policies.count],
                        hold: first == ")" ? .answer : first == "]" ? .body : .nothing))
            case "!": steps.append(.release)
            case "?": steps.append(.releaseOne(number(1)))
            case "+": steps.append(.wait(Int64(number(1))))
            case "x": steps.append(.cancel(number(1)))
            case "~": steps.append(.remove(words.count > 1 ? Self.url(number(1)) : nil))
            default: addField(line)
            }
        }
    }

    private static func url(_ path: Int) -> String { "https://example.org/\(path % 4)" }

    private mutating func addField(_ line: Substring.UTF8View) {
        let parts = line.split(separator: 0x3A, maxSplits: 1, omittingEmptySubsequences: false)
        guard parts.count == 2, !parts[0].isEmpty, let last = steps.popLast() else { return }
        let name = HTTPFields.Name(String(Substring(parts[0])))
        // The origin's own, by which answers are judged.
        guard name != EngineReply.representationField, name != EngineReply.numberField else {
            return steps.append(last)
        }
        let value = String(Substring(parts[1].drop { $0 == 0x20 }))
        func added(_ fields: HTTPFields) -> HTTPFields {
            fields.fields.count < Self.mostFields
                ? HTTPFields(fields.fields + [.init(name: name, value: value)]) : fields
        }
        switch last {
        case .origin(var reply):
            reply.fields = added(reply.fields)
            steps.append(.origin(reply))
        case .request(var request, let policy, let hold):
            request.headerFields = added(request.headerFields)
            steps.append(.request(request, policy, hold: hold))
        default: steps.append(last)
        }
    }
}

/// How the origin answers.
struct EngineReply {
    var status: Int
    var mode: String
    var delay: Int64
    var fields = HTTPFields()

    /// The field in which each reply has its number: an empty body has no room for it.
    static let numberField: HTTPFields.Name = "Reply"
    /// Marks what is said in mode `p`.
    static let representationField: HTTPFields.Name = "Representation"

    /// The reply of this number, and its body.
    func response(to request: HTTPRequest, number: Int) -> (HTTPResponse, [UInt8]) {
        var fields = fields
        if mode.contains("v"), hasValidator(request) {
            fields["Content-Length"] = nil
            return (HTTPResponse(status: 304, headerFields: fields), [])
        }
        if mode.contains("p"), request.method == "GET" { return part(of: request) }
        let body = mode.contains("e") ? [] : Array("reply \(number).".utf8)
        return (HTTPResponse(status: status, headerFields: fields), body)
    }

    private func part(of request: HTTPRequest) -> (HTTPResponse, [UInt8]) {
        var fields = fields
        let whole = Self.representation(request.url, fields)
        fields[Self.representationField] = "1"
        fields["Content-Range"] = nil
        fields["Content-Length"] = nil
        guard let range = request.headerFields["Range"].flatMap({ ByteRange.parse($0) }) else {
            return (HTTPResponse(status: 200, headerFields: fields), whole)
        }
        let last = Int64(whole.count - 1)
        let positions =
            switch range {
            case .from(let first): (first, last)
            case .closed(let first, let end): (first, min(end, last))
            case .suffix(let count): (max(0, last + 1 - count), last)
            }
        guard positions.0 <= positions.1 else { return (HTTPResponse(status: 416, headerFields: fields), []) }
        fields["Content-Range"] = "bytes \(positions.0)-\(positions.1)/\(whole.count)"
        return (
            HTTPResponse(status: 206, headerFields: fields), Array(whole[Int(positions.0)...Int(positions.1)])
        )
    }

    /// Eight bytes, each another one under another URL or tag. Of several tags the first counts, and a weak one is of
    /// the same bytes as the strong one.
    static func representation(_ url: String, _ fields: HTTPFields) -> [UInt8] {
        var tag = fields.fields.first { $0.name == "ETag" }?.value.filter { !" \t".contains($0) }
        if tag?.hasPrefix("W/") == true { tag?.removeFirst(2) }
        let seed = (url + (tag ?? "")).utf8.reduce(UInt8(7)) { $0 &* 31 &+ $1 }
        return (0..<8).map { $0 << 5 ^ seed }
    }

    private func hasValidator(_ request: HTTPRequest) -> Bool {
        if let tag = fields["ETag"] { return request.headerFields["If-None-Match"] == tag }
        guard let date = fields["Last-Modified"] else { return false }
        return request.headerFields["If-Modified-Since"] == date
    }
}
