/// Changes an origin's bytes as the target `transport` sends them: a byte that says how they are cut, interim answers,
/// a header, and a body whose framing the header states.
struct TransportMutation: StructuredMutation {
    private var maker: MessageMaker

    init(seed: UInt32) { maker = MessageMaker(seed: seed) }

    private struct Head {
        var status: [UInt8]
        var fields: FieldLines
    }

    private struct Parts {
        var control: UInt8
        /// The last one is the final answer's.
        var heads: [Head] = []
        var body: [UInt8] = []

        init(_ bytes: [UInt8]) {
            control = bytes.first ?? 0
            var rest = bytes.dropFirst()
            while let end = Self.end(of: rest) {
                let lines = Self.lines(rest[..<end])
                heads.append(Head(status: lines.first ?? [], fields: FieldLines(lines: Array(lines.dropFirst()))))
                rest = rest[(end + 4)...]
                guard lines.first?.dropFirst(9).first == UInt8(ascii: "1") else { break }
            }
            body = Array(rest)
        }

        private static func end(of bytes: ArraySlice<UInt8>) -> Int? {
            let blank: [UInt8] = [13, 10, 13, 10]
            return bytes.indices.first { bytes[$0...].starts(with: blank) }
        }

        private static func lines(_ head: ArraySlice<UInt8>) -> [[UInt8]] {
            head.split(separator: 10, omittingEmptySubsequences: false).map {
                $0.last == 13 ? Array($0.dropLast()) : Array($0)
            }
        }

        func bytes(limit: Int) -> [UInt8] {
            var bytes = [control]
            for head in heads {
                for line in [head.status] + head.fields.lines { bytes += line + [13, 10] }
                bytes += [13, 10]
            }
            return Array((bytes + body).prefix(limit))
        }
    }

    mutating func change(_ bytes: [UInt8], limit: Int) -> [UInt8] {
        var parts = Parts(bytes)
        if parts.heads.isEmpty { parts = Parts([parts.control] + Self.plain) }
        for _ in 0...maker.below(3) { changeOnce(&parts) }
        return parts.bytes(limit: limit)
    }

    mutating func join(_ one: [UInt8], _ other: [UInt8], limit: Int) -> [UInt8] {
        var parts = Parts(one)
        let second = Parts(other)
        if maker.chance(50) {
            parts.body = second.body
        } else {
            parts.heads = Array(parts.heads.dropLast()) + second.heads
        }
        return parts.bytes(limit: limit)
    }

    private mutating func changeOnce(_ parts: inout Parts) {
        let last = parts.heads.count - 1
        switch maker.below(10) {
        case 0: parts.control = UInt8(maker.below(256))
        case 1: parts.heads[last].status = Array("HTTP/1.1 \(maker.pick(Self.statuses))".utf8)
        case 2:
            let fields = FieldLines(lines: Array(maker.response().prefix(2)))
            parts.heads.insert(Head(status: Array(maker.pick(Self.interim).utf8), fields: fields), at: 0)
        case 3, 4, 5: setBody(&parts)
        case 6: parts.heads[maker.below(parts.heads.count)].fields.change(.response, with: &maker)
        case 7:
            parts.heads[last].fields.lines = maker.response() + parts.heads[last].fields.lines.filter(Self.isFraming)
        case 8: fold(&parts.heads[last].fields)
        default:
            guard !parts.body.isEmpty else { return setBody(&parts) }
            // A body that is cut, goes on, or has a wrong chunk.
            maker.exchanges.maker.mutate(&parts.body)
        }
    }

    /// A new body, and the field that says where it ends.
    private mutating func setBody(_ parts: inout Parts) {
        let last = parts.heads.count - 1
        let body = (0..<maker.below(24)).map { _ in UInt8(maker.below(256)) }
        parts.heads[last].fields.lines.removeAll(where: Self.isFraming)
        switch maker.below(4) {
        case 0: parts.body = body
        case 1, 2:
            parts.body = body
            let length = max(0, body.count + maker.pick([0, 0, 0, 1, -1]))
            parts.heads[last].fields.lines.append(Array("Content-Length: \(length)".utf8))
            if maker.chance(20) { parts.heads[last].fields.lines.append(Array("content-length: \(body.count)".utf8)) }
        default:
            parts.heads[last].fields.lines.append(Array("Transfer-Encoding: chunked".utf8))
            if maker.chance(10) { parts.heads[last].fields.lines.append(Array("Content-Length: 3".utf8)) }
            parts.body = chunked(body)
        }
    }

    private mutating func chunked(_ body: [UInt8]) -> [UInt8] {
        var (bytes, rest) = ([UInt8](), body[...])
        while !rest.isEmpty {
            let chunk = rest.prefix(1 + maker.below(rest.count))
            bytes +=
                Array("\(String(chunk.count, radix: 16, uppercase: maker.chance(50)))\r\n".utf8) + chunk + [13, 10]
            rest = rest[chunk.endIndex...]
        }
        return bytes + Array(maker.pick(["0\r\n\r\n", "0\r\n\r\n", "0\r\nTrailer: x\r\n\r\n", "0\r\n", ""]).utf8)
    }

    /// Goes on with a field's value on another line (RFC 9112, section 5.2).
    private mutating func fold(_ fields: inout FieldLines) {
        guard !fields.lines.isEmpty else { return fields.lines = maker.response() }
        let place = maker.below(fields.lines.count)
        fields.lines.insert(Array(maker.pick([" more", "\tmore", "  ", " a: b"]).utf8), at: place + 1)
    }

    private static func isFraming(_ line: [UInt8]) -> Bool {
        ["content-length", "transfer-encoding"].contains { MessageMaker.name(of: line).elementsEqual($0.utf8) }
    }

    private static let plain = Array("HTTP/1.1 200 OK\r\nContent-Length: 5\r\n\r\nhello".utf8)
    private static let statuses = [
        "200 OK", "200", "204 No Content", "304 Not Modified", "206 Partial Content", "404 Not Found", "500 x", "599 ",
        "100 Continue", "101 Switching Protocols", "20 x", "2000 x",
    ]
    private static let interim = ["HTTP/1.1 103 Early Hints", "HTTP/1.1 100 Continue", "HTTP/1.1 102 Processing"]
}
