/// Changes exchanges as ``ExchangeInput`` reads them.
struct ExchangeMutation: StructuredMutation {
    private var maker: MessageMaker

    init(seed: UInt32) { maker = MessageMaker(seed: seed) }

    private struct Parts {
        /// METHOD POLICY STATUS DELAY RESIDENT AMOUNT URL
        var head: [String]
        var request: FieldLines
        var response: FieldLines

        static let standardHead = ["GET", "0", "200", "0", "0", "5", "https://example.org/"]

        init(_ bytes: [UInt8]) {
            let lines = bytes.split(separator: 0x0A, omittingEmptySubsequences: false).map(Array.init)
            head = (lines.first ?? []).split(separator: 0x20).prefix(7).map { String(decoding: $0, as: UTF8.self) }
            head += Self.standardHead.dropFirst(head.count)
            let fields = lines.dropFirst()
            let end = fields.firstIndex(of: []) ?? fields.endIndex
            func hasName(_ line: [UInt8]) -> Bool { line.contains(0x3A) }
            request = FieldLines(lines: fields[..<end].filter(hasName))
            response = FieldLines(lines: fields[end...].dropFirst().prefix { !$0.isEmpty }.filter(hasName))
        }

        /// The input, without the last fields that do not fit.
        func bytes(limit: Int) -> [UInt8] {
            var (request, response) = (request.lines, response.lines)
            while true {
                let lines = [Array(head.joined(separator: " ").utf8)] + request + [[]] + response
                let bytes = Array(lines.joined(separator: [0x0A]))
                if bytes.count <= limit { return bytes }
                if response.count > request.count {
                    response.removeLast()
                } else if request.popLast() == nil {
                    return Array(bytes.prefix(limit))
                }
            }
        }
    }

    mutating func change(_ bytes: [UInt8], limit: Int) -> [UInt8] {
        var parts = Parts(bytes)
        for _ in 0...maker.below(4) { changeOnce(&parts) }
        return parts.bytes(limit: limit)
    }

    private mutating func changeOnce(_ parts: inout Parts) {
        switch maker.below(10) {
        case 0:
            parts.response.lines = maker.response()
            parts.request.lines = maker.fields(about: parts.response.lines)
        case 1, 2, 3: parts.response.change(.response, with: &maker)
        case 4, 5: parts.request.change(.request(to: parts.response.lines), with: &maker)
        case 6: parts.request.lines += maker.fields(about: parts.response.lines)
        case 7, 8: parts.head[4] = "\(fittingTime(parts))"
        default: changeHead(&parts)
        }
    }

    private mutating func changeHead(_ parts: inout Parts) {
        let request = maker.exchanges.request()
        switch maker.below(7) {
        case 0: if !request.method.isEmpty { parts.head[0] = request.method }
        case 1: parts.head[1] = "\(maker.below(6))"
        case 2: parts.head[2] = "\(maker.exchanges.response().status)"
        case 3: parts.head[3] = "\(maker.pick([0, 1, 10, 100, -3]))"
        case 4: parts.head[5] = "\(maker.pick([0, 1, 5, 60, 86_400]))"
        case 5:
            parts.head[0] = maker.pick(["POST", "PUT", "DELETE"])
            parts.response.lines.append(maker.place())
        default: parts.head[6] = maker.url()
        }
    }

    /// A time in the store at whose end one of the lifetimes or limits in the fields is reached, give or take a second.
    private mutating func fittingTime(_ parts: Parts) -> Int64 {
        let numbers = MessageMaker.numbers(in: parts.response.lines + parts.request.lines)
        let age = MessageMaker.value("age", in: parts.response.lines).flatMap { Int64($0) } ?? 0
        let delay = maker.chance(50) ? Int64(parts.head[3]) ?? 0 : 0
        let sum = maker.pick(numbers + [60]) + (maker.chance(30) ? maker.pick(numbers + [0]) : 0)
        return (sum + maker.pick([0, 0, 1, -1])).subtractingReportingOverflow(age &+ delay).partialValue
    }

    mutating func join(_ one: [UInt8], _ other: [UInt8], limit: Int) -> [UInt8] {
        var parts = Parts(one)
        let second = Parts(other)
        switch maker.below(3) {
        case 0: parts.response = second.response
        case 1: parts.request = second.request
        default:
            if !second.response.lines.isEmpty { parts.response.lines.append(maker.pick(second.response.lines)) }
            if !second.request.lines.isEmpty { parts.request.lines.append(maker.pick(second.request.lines)) }
            let word = maker.below(7)
            parts.head[word] = second.head[word]
        }
        return parts.bytes(limit: limit)
    }
}
