import GaugeKit

/// Writes requests in the format in which they were read, plainly.
enum TraceWriter {
    /// - Returns: the trace, and the requests that are in it: those whose time has no plain decimal form are left out.
    ///   `nil` for a format that is judged otherwise.
    static func write(_ requests: [TraceRequest], _ format: TraceFormat) -> (text: [UInt8], expected: [TraceRequest])? {
        let expected = requests.filter { $0.time.map { decimal($0) != nil } ?? true }
        guard let first = expected.first else { return nil }
        switch format {
        case .har: return nil
        case .be32: return (expected.flatMap { bigEndian(UInt32(truncatingIfNeeded: $0.id)) }, expected)
        case .oracleGeneral: return (expected.flatMap(oracleRecord), expected)
        case .webcachesim:
            return (lines(expected) { "\(time($0)) \($0.id) \($0.size ?? 0)" }, expected)
        case .libcachesimCSV, .csv:
            var columns = [first.url == nil ? "key" : "url"]
            if first.size != nil { columns.append("size") }
            if first.time != nil { columns.append("time") }
            let header = Array((columns.joined(separator: ",") + "\n").utf8)
            let rows = lines(expected) { request in
                let key = request.url.map(quoted) ?? "\(request.id)"
                return [key, request.size.map { "\($0)" }, request.time == nil ? nil : time(request)]
                    .compactMap(\.self).joined(separator: ",")
            }
            return (header + rows, expected)
        case .squid:
            return (lines(expected) { squid($0) }, expected)
        case .combined:
            let dated = expected.filter { date($0.time ?? 0) != nil }
            return (lines(dated) { combined($0) }, dated)
        }
    }

    /// In quotes, those inside written twice. A mark behind a quote makes one character with it, and is left alone.
    private static func quoted(_ text: String) -> String {
        let doubled = text.unicodeScalars.flatMap { $0 == "\"" ? [$0, $0] : [$0] }
        return "\"" + String(String.UnicodeScalarView(doubled)) + "\""
    }

    private static func lines(_ requests: [TraceRequest], _ line: (TraceRequest) -> String) -> [UInt8] {
        requests.flatMap { Array((line($0) + "\n").utf8) }
    }

    private static func squid(_ request: TraceRequest) -> String {
        let exchange = request.exchange ?? HTTPExchange(method: "GET", status: 200)
        return "\(time(request)) 0 c T/\(exchange.status == 0 ? "000" : "\(exchange.status)") \(request.size ?? 0) "
            + "\(exchange.method) \(request.url ?? "") - D/- t"
    }

    private static func combined(_ request: TraceRequest) -> String {
        let exchange = request.exchange ?? HTTPExchange(method: "GET", status: 200)
        let status = exchange.status == 0 ? "000" : "\(exchange.status)"
        return
            "h - - [\(date(request.time ?? 0) ?? "")] \"\(exchange.method) \(request.url ?? "") HTTP/1.1\" \(status) "
            + (request.size.map { "\($0)" } ?? "-")
    }

    private static func bigEndian(_ value: UInt32) -> [UInt8] {
        [24, 16, 8, 0].map { UInt8(truncatingIfNeeded: value >> UInt32($0)) }
    }

    private static func littleEndian(_ value: UInt64, _ count: Int) -> [UInt8] {
        (0..<count).map { UInt8(truncatingIfNeeded: value >> UInt64(8 * $0)) }
    }

    private static func oracleRecord(_ request: TraceRequest) -> [UInt8] {
        littleEndian(UInt64(request.time ?? 0), 4) + littleEndian(request.id, 8)
            + littleEndian(UInt64(request.size ?? 0), 4) + littleEndian(.max, 8)
    }

    private static func time(_ request: TraceRequest) -> String { decimal(request.time ?? 0) ?? "0" }

    /// Digits and at most one point.
    private static func decimal(_ time: Double) -> String? {
        if let whole = Int(exactly: time) { return "\(whole)" }
        let text = "\(time)"
        return text.allSatisfy { $0.isNumber || $0 == "." } ? text : nil
    }

    /// `10/Oct/2000:13:55:36 +0000`; `nil` outside the years of four digits.
    private static func date(_ time: Double) -> String? {
        guard var seconds = Int(exactly: time + 62_167_219_200), seconds >= 0 else { return nil }
        var year = seconds / (146_097 * 86_400) * 400
        seconds %= 146_097 * 86_400
        func days(_ year: Int) -> Int { year % 4 == 0 && (year % 100 != 0 || year % 400 == 0) ? 366 : 365 }
        while seconds >= days(year) * 86_400 {
            seconds -= days(year) * 86_400
            year += 1
        }
        guard year <= 9999 else { return nil }
        let months = [
            ("Jan", 31), ("Feb", days(year) - 337), ("Mar", 31), ("Apr", 30), ("May", 31), ("Jun", 30), ("Jul", 31),
            ("Aug", 31), ("Sep", 30), ("Oct", 31), ("Nov", 30), ("Dec", 31),
        ]
        for (name, length) in months {
            if seconds < length * 86_400 {
                func digits(_ number: Int, _ count: Int) -> String {
                    String(String(number + 100_000).suffix(count))
                }
                return "\(digits(seconds / 86_400 + 1, 2))/\(name)/\(digits(year, 4)):\(digits(seconds / 3600 % 24, 2))"
                    + ":\(digits(seconds / 60 % 60, 2)):\(digits(seconds % 60, 2)) +0000"
            }
            seconds -= length * 86_400
        }
        return nil
    }
}
