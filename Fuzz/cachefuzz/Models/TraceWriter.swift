import GaugeKit

/// Writes requests in the format in which they were read, plainly.
enum TraceWriter {
    /// - Returns: the trace, and the requests that are in it: those whose time has no plain decimal form are left out.
    ///   `nil` for a format that is judged otherwise.
    static func write(_ requests: [TraceRequest], _ format: TraceFormat) -> (text: [UInt8], expected: [TraceRequest])? {
        func isWritable(_ request: TraceRequest) -> Bool {
            let time = request.time ?? 0
            return format == .combined ? hasDate(time) : Int(exactly: time) != nil || decimal(time) != nil
        }
        // Most are, and need no copy.
        let expected = requests.allSatisfy(isWritable) ? requests : requests.filter(isWritable)
        guard let first = expected.first else { return nil }
        switch format {
        case .har: return nil
        case .be32: return (records(expected) { $0.append(UInt32(truncatingIfNeeded: $1.id).byteSwapped) }, expected)
        case .oracleGeneral: return (records(expected, oracleRecord), expected)
        case .webcachesim:
            return (lines(expected) { "\(time($0)) \($0.id) \($0.size ?? 0)" }, expected)
        case .libcachesimCSV, .csv:
            var header = first.url == nil ? "key" : "url"
            if first.size != nil { header += ",size" }
            if first.time != nil { header += ",time" }
            let rows = lines(expected, header) { request in
                var row = request.url.map(quoted) ?? "\(request.id)"
                if let size = request.size { row += ",\(size)" }
                if request.time != nil { row += "," + time(request) }
                return row
            }
            return (rows, expected)
        case .squid: return (lines(expected, line: squid), expected)
        case .combined: return (lines(expected, line: combined), expected)
        }
    }

    /// In quotes, those inside written twice. A mark behind a quote makes one character with it, and is left alone.
    private static func quoted(_ text: String) -> String {
        let doubled = text.unicodeScalars.flatMap { $0 == "\"" ? [$0, $0] : [$0] }
        return "\"" + String(String.UnicodeScalarView(doubled)) + "\""
    }

    private static func lines(
        _ requests: [TraceRequest], _ header: String? = nil, line: (TraceRequest) -> String
    ) -> [UInt8] {
        var text = header.map { $0 + "\n" } ?? ""
        for request in requests {
            text += line(request)
            text += "\n"
        }
        return Array(text.utf8)
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
            "h - - [\(date(request.time ?? 0))] \"\(exchange.method) \(request.url ?? "") HTTP/1.1\" \(status) "
            + (request.size.map { "\($0)" } ?? "-")
    }

    private static func records(
        _ requests: [TraceRequest], _ append: (inout LittleEndianBytes, TraceRequest) -> Void
    ) -> [UInt8] {
        var records = LittleEndianBytes()
        records.bytes.reserveCapacity(24 * requests.count)
        for request in requests { append(&records, request) }
        return records.bytes
    }

    private static func oracleRecord(_ record: inout LittleEndianBytes, _ request: TraceRequest) {
        record.append(UInt32(truncatingIfNeeded: UInt64(request.time ?? 0)))
        record.append(request.id)
        record.append(UInt32(truncatingIfNeeded: request.size ?? 0))
        record.append(UInt64.max)
    }

    /// Numbers one after the other, their lowest bytes first.
    private struct LittleEndianBytes {
        var bytes: [UInt8] = []

        mutating func append(_ value: some FixedWidthInteger) {
            for place in stride(from: 0, to: value.bitWidth, by: 8) {
                bytes.append(UInt8(truncatingIfNeeded: value >> place))
            }
        }
    }

    private static func time(_ request: TraceRequest) -> String { decimal(request.time ?? 0) ?? "0" }

    /// Digits and at most one point.
    private static func decimal(_ time: Double) -> String? {
        if let whole = Int(exactly: time) { return "\(whole)" }
        let text = "\(time)"
        return text.utf8.allSatisfy { 0x30...0x39 ~= $0 || $0 == UInt8(ascii: ".") } ? text : nil
    }

    /// Seconds from the year 0 to 1970.
    private static let epoch = 62_167_219_200.0
    /// Seconds of 400 years, which all are alike.
    private static let period = 146_097 * 86_400

    /// Whether a time is a second of the years of four digits.
    private static func hasDate(_ time: Double) -> Bool {
        Int(exactly: time + epoch).map { (0..<25 * period).contains($0) } ?? false
    }

    /// `10/Oct/2000:13:55:36 +0000`, of what ``hasDate(_:)``.
    private static func date(_ time: Double) -> String {
        var seconds = Int(time + epoch)
        var year = seconds / period * 400
        seconds %= period
        func days(_ year: Int) -> Int { year % 4 == 0 && (year % 100 != 0 || year % 400 == 0) ? 366 : 365 }
        while seconds >= days(year) * 86_400 {
            seconds -= days(year) * 86_400
            year += 1
        }
        var month = 0
        while true {
            let length = (month == 1 ? days(year) - 337 : lengths[month]) * 86_400
            if seconds < length { break }
            seconds -= length
            month += 1
        }
        let time = [seconds / 3600 % 24, seconds / 60 % 60, seconds % 60].map { digits($0, 2) }.joined(separator: ":")
        return "\(digits(seconds / 86_400 + 1, 2))/\(months[month])/\(digits(year, 4)):\(time) +0000"
    }

    private static let months = ["Jan", "Feb", "Mar", "Apr", "May", "Jun", "Jul", "Aug", "Sep", "Oct", "Nov", "Dec"]
    private static let lengths = [31, 28, 31, 30, 31, 30, 31, 31, 30, 31, 30, 31]

    private static func digits(_ number: Int, _ count: Int) -> String {
        let text = String(number)
        return String(repeating: "0", count: max(0, count - text.utf8.count)) + text
    }
}
