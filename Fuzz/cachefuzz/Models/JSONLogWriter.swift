import GaugeTraces

/// Writes requests as lines of Caddy's log.
enum JSONLogWriter {
    /// Whether a request has plain decimal times and names of fields that are kept whole.
    static func canWrite(_ request: TraceRequest) -> Bool {
        let exchange = request.exchange
        let fields = (exchange?.requestFields ?? []) + (exchange?.responseFields ?? [])
        let times = [request.time ?? 0, exchange?.duration ?? 0]
        return times.allSatisfy { $0 >= 0 && $0 < 1e11 && (TraceWriter.decimal($0)?.utf8.count ?? 99) <= 40 }
            && fields.allSatisfy { $0.name.count < 200 && !$0.value.contains(0x0A) }
    }

    static func line(_ request: TraceRequest) -> [UInt8] {
        let exchange = request.exchange ?? HTTPExchange(method: "GET", status: 200)
        var text = Array("{\"ts\":\(TraceWriter.decimal(request.time ?? 0) ?? "0"),\"request\":{\"method\":".utf8)
        text += quoted(Array(exchange.method.utf8)) + Array(",\"uri\":".utf8) + quoted(Array((request.url ?? "").utf8))
        text += Array(",\"headers\":".utf8) + lists(exchange.requestFields)
        let status = String(exchange.status)
        text += Array("},\"status\":\"\(String(repeating: "0", count: max(0, 3 - status.count)))\(status)\"".utf8)
        if let size = request.size { text += Array(",\"size\":\(size)".utf8) }
        if exchange.hasFields {
            text += Array(",\"duration\":\(TraceWriter.decimal(exchange.duration) ?? "0"),\"resp_headers\":".utf8)
            text += lists(exchange.responseFields)
        }
        return text + [UInt8(ascii: "}")]
    }

    private static func lists(_ fields: [HTTPExchange.Field]) -> [UInt8] {
        let members = fields.map { quoted($0.name) + Array(":[".utf8) + quoted($0.value) + [UInt8(ascii: "]")] }
        return [UInt8(ascii: "{")] + members.joined(separator: [UInt8(ascii: ",")]) + [UInt8(ascii: "}")]
    }

    private static func quoted(_ bytes: [UInt8]) -> [UInt8] {
        var text = [UInt8(ascii: "\"")]
        for byte in bytes {
            if byte < 0x20 || byte == UInt8(ascii: "\"") || byte == UInt8(ascii: "\\") {
                text += Array("\\u00\(byte < 16 ? "0" : "")\(String(byte, radix: 16))".utf8)
            } else {
                text.append(byte)
            }
        }
        return text + [UInt8(ascii: "\"")]
    }
}
