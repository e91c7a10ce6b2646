/// Logs in W3C's extended format, from IIS, CloudFront and many proxies. A line `#Fields:` names the fields of the
/// lines after it, which are separated by tabs or spaces; `-` stands for none. Sizes (`sc-bytes`) count the header.
/// Zeek's logs are alike, with `#fields` and their own names.
package struct W3CLog: LineDecoder {
    package let input: TraceInput
    package var line = 0
    package var envelope = LogEnvelope.none
    private var columns: [(member: LogMember, rank: Int)?] = []
    /// The day of a log without the field `date`.
    private var date: ArraySlice<UInt8> = []

    package init(_ input: TraceInput) { self.input = input }

    package var isLog: Bool { true }

    /// Whether a trace begins with a line of this kind.
    package static func hasSignature(_ beginning: ArraySlice<UInt8>) -> Bool {
        for line in beginning.split(separator: UInt8(ascii: "\n")) {
            guard line.first == UInt8(ascii: "#") else { return false }
            if line.starts(with: fields) || line.starts(with: zeekFields) { return true }
        }
        return false
    }

    private static let fields = Array("#Fields:".utf8)
    private static let zeekFields = Array("#fields\t".utf8)
    private static let day = Array("#Date:".utf8)

    /// Reads directives and skips them.
    package mutating func directive(_ line: ArraySlice<UInt8>) -> Bool {
        guard line.first == UInt8(ascii: "#") else { return false }
        if line.starts(with: Self.fields) {
            columns = []
            var fields = TextFields(line.dropFirst(Self.fields.count))
            while let field = fields.next() { columns.append(Self.column(String(decoding: field, as: UTF8.self))) }
        } else if line.starts(with: Self.zeekFields) {
            columns = line.dropFirst(Self.zeekFields.count).split(separator: 0x09).map {
                LogMember.named(String(decoding: $0, as: UTF8.self))
            }
        } else if line.starts(with: Self.day) {
            var fields = TextFields(line.dropFirst(Self.day.count))
            date = fields.next() ?? []
        }
        return true
    }

    package func request(_ line: ArraySlice<UInt8>) throws(LineFault) -> TraceRequest {
        guard !columns.isEmpty else { throw LineFault("no line #Fields: before it names its fields") }
        var record = LogRecord()
        record.absent = absent
        if !columns.contains(where: { $0?.member == .date }) { record.note(date, .date) }
        var place = 0
        func take(_ field: ArraySlice<UInt8>) {
            if place < columns.count, let column = columns[place] {
                record.note(field, column.member, rank: column.rank)
            }
            place += 1
        }
        if line.contains(0x09) {
            for field in line.split(separator: 0x09, omittingEmptySubsequences: false) { take(field) }
        } else {
            var fields = TextFields(line)
            while let field = fields.next(from: "\"", to: "\"") ?? fields.next() { take(field) }
        }
        let (found, named) = (place, columns.count)
        guard found >= named else { throw LineFault("\(found) fields, where #Fields: names \(named)") }
        return try record.request()
    }

    private var absent: Set<LogMember> {
        let named = Set(columns.compactMap { $0?.member })
        return Set([.method, .status].filter { !named.contains($0) })
            .union(named.isDisjoint(with: [.time, .date]) && date.isEmpty ? [.time] : [])
    }

    private static func column(_ name: String) -> (LogMember, Int)? {
        switch name.lowercased() {
        case "date": (.date, 0)
        case "time": (.clock, 0)
        case "cs-method": (.method, 0)
        case "cs-uri": (.url, 0)
        case "cs-uri-stem", "cs-uri-path": (.url, 1)
        case "cs-uri-query": (.query, 0)
        // CloudFront's `cs(Host)` is the distribution's name; the viewer's is beside it.
        case "x-host-header", "cs-host": (.host, 0)
        case "cs(host)": (.host, 1)
        case "cs-protocol", "cs-uri-scheme": (.scheme, 0)
        case "s-port", "cs-uri-port": (.port, 0)
        case "sc-status": (.status, 0)
        case "sc-bytes": (.response, 0)
        default: nil
        }
    }
}
