import GaugeTraces

/// Lines of each trace format, archives, and workloads.
enum TraceInputs {
    static let all: [HostileInput] =
        TraceFormat.allCases.flatMap { format in
            lines.map { line in
                HostileInput("a trace, \(format.rawValue)", line.name, 4_000) { count in
                    let text = Array(line.text(format, count).utf8)
                    return { read(text, format) }
                }
            }
        } + workloads + bounds

    /// What stands in a line again and again, or how often the line.
    private static let lines: [(name: String, text: @Sendable (TraceFormat, Int) -> String)] = [
        ("commas", { header($0) + String(repeating: ",", count: $1) + "\n" }),
        ("blanks", { header($0) + "1" + String(repeating: " ", count: $1) + "1\n" }),
        ("quotes", { header($0) + String(repeating: "\"", count: $1) + "\n" }),
        ("escapes", { header($0) + "\"" + String(repeating: "\\\"", count: $1) + "\n" }),
        ("brackets", { header($0) + String(repeating: "[", count: $1) + "\n" }),
        ("braces", { header($0) + String(repeating: "{\"a\":", count: $1) + "\n" }),
        ("equal members", { header($0) + "{" + String(repeating: "\"a\":1,", count: $1) + "\"b\":1}\n" }),
        ("pairs", { header($0) + String(repeating: "a=1 ", count: $1) + "\n" }),
        ("blank lines", { header($0) + String(repeating: "\n", count: $1) }),
        ("short lines", { header($0) + String(repeating: "1\n", count: $1) }),
        ("columns", { "#Fields:" + String(repeating: " a", count: $1) + "\n" + String(repeating: "1 ", count: $1) }),
        (
            "equal columns",
            { "key" + String(repeating: ",size", count: $1) + "\n" + String(repeating: "1,", count: $1) }
        ),
    ]

    private static func header(_ format: TraceFormat) -> String {
        switch format {
        case .csv: "key,size\n"
        case .w3c: "#Fields: date time cs-method cs-uri-stem sc-status\n"
        case .har: "{\"log\":{\"entries\":["
        default: ""
        }
    }

    private static func read(_ text: [UInt8], _ format: TraceFormat) {
        do {
            var reader = try TraceReader(
                TraceInput(name: "hostile", bytes: text), format: format, layout: format == .textLog ? layout : nil,
                skipping: .damage)
            while try reader.next() != nil {}
        } catch {}
    }

    private static let layout = try? TraceLayout(logFormat: "%h %^[%d:%t %^] \"%r\" %s %b \"%R\" \"%u\"")

    /// Objects that are all requested again at the end, so that a cache holds them until then.
    private static let bounds = [
        HostileInput("a bound", "what is held for long", 2_000) { count in
            var log = ReuseLog()
            var pasts = [ReuseLog.Past](repeating: ReuseLog.Past(), count: count)
            for request in 0..<2 * count {
                let object = request % count
                log.note(&pasts[object], object: object, size: 100)
            }
            let noted = log
            return { _ = noted.turned().hitsOfBeladyBySize(capacity: 100 * count) }
        }
    ]

    private static let workloads: [HostileInput] = [
        workload("brackets") { String(repeating: "[", count: $0) },
        workload("equal members") { "{" + String(repeating: "\"objects\":1,", count: $0) + "\"a\":1}" },
        workload("escapes") { "{\"" + String(repeating: "\\n", count: $0) + "\":1}" },
        workload("lines") { String(repeating: "\n", count: $0) + "{" + String(repeating: "\n", count: $0) },
        workload("classes") { "{\"headers\":[" + String(repeating: "{\"weight\":1},", count: $0) + "{}]}" },
    ]

    private static func workload(_ name: String, _ text: @escaping @Sendable (Int) -> String) -> HostileInput {
        HostileInput("a workload", name, 4_000) { count in
            let text = Array(text(count).utf8)
            return { _ = try? WorkloadPlan(json: text) }
        }
    }
}
