import HTTPSemantics

/// HTTP archives whose entries' requests, answers and times belong together.
enum ArchiveDocuments: DocumentMaker {
    static func tree(_ text: [UInt8]) -> JSONModel? {
        HARModel.document(text.starts(with: mark) ? Array(text.dropFirst(mark.count)) : text)
    }

    private static let mark: [UInt8] = [0xEF, 0xBB, 0xBF]

    static func wrapped(_ text: [UInt8], _ maker: inout MessageMaker) -> [UInt8] {
        switch maker.below(24) {
        case 0: mark + text
        case 1: Array("f(".utf8) + text + Array(");".utf8)
        default: text
        }
    }

    static func document(_ maker: inout MessageMaker) -> JSONModel {
        let entries = (0...maker.below(3)).map { _ in entry(&maker) }
        return .made(["log": .made(["entries": .array(entries)])])
    }

    private static func entry(_ maker: inout MessageMaker) -> JSONModel {
        let response = maker.response().prefix(maker.below(3))
        let request = maker.fields(about: Array(response)).prefix(maker.below(2))
        return .made([
            "startedDateTime": maker.chance(90) ? .text(date(&maker)) : nil,
            "time": maker.chance(30) ? value(of: "time", &maker) : nil,
            "request": .made([
                "method": value(of: "method", &maker), "url": value(of: "url", &maker), "headers": fields(request),
            ]),
            "response": .made([
                "status": value(of: "status", &maker), "headers": fields(response),
                "content": maker.chance(70) ? .made(["size": value(of: "size", &maker)]) : nil,
                "bodySize": maker.chance(50) ? value(of: "bodySize", &maker) : nil,
            ]),
        ])
    }

    static func value(of name: String, _ maker: inout MessageMaker) -> JSONModel? {
        switch name {
        case "log": .made(["entries": .array([entry(&maker)])])
        case "entries": entry(&maker)
        case "startedDateTime": .text(date(&maker))
        case "time": .digits(maker.pick(["0", "-1", "20.5", "1e3", "1e12", "999999999999"]))
        case "method": .text(maker.pick(["GET", "GET", "HEAD", "POST", "get", "", "A B"]))
        case "url": .text(maker.pick(["http://a/", "http://a/", "https://a.example/x?v=1", "data:,x", "/", "é", ""]))
        case "headers": fields(maker.response().prefix(2))
        case "status": maker.chance(85) ? .whole(status(&maker)) : .text("\(status(&maker))")
        case "size", "bodySize": .digits(maker.pick(["0", "12", "-1", "-1", "7.5", "1e3", "9007199254740993"]))
        case "content": .made(["size": value(of: "size", &maker)])
        case "name": .text(maker.pick(["Cache-Control", "Vary", ":status", "", "A"]))
        case "value": .text(maker.pick(["max-age=60", "a\nb", " x\t", "", "\u{1F600}"]))
        default: nil
        }
    }

    private static func status(_ maker: inout MessageMaker) -> Int {
        maker.pick([200, 200, 304, 404, 206, 0, 999, 1000])
    }

    private static func fields(_ lines: some Sequence<MessageMaker.Line>) -> JSONModel {
        .array(
            lines.map { line in
                let name = line.prefix { $0 != 0x3A }
                return .object([
                    (Array("name".utf8), .string(Array(name))),
                    (Array("value".utf8), .string(Array(line.dropFirst(name.count + 1)).trimmed)),
                ])
            })
    }

    /// A moment in one of the forms that exporters write.
    static func date(_ maker: inout MessageMaker) -> String {
        let day = maker.pick([
            "2026-11-21", "2026-11-22", "2100-02-28", "2100-03-01", "2100-02-29", "2000-02-29", "1999-12-31",
            "2024-02-29",
        ])
        let clock = maker.pick(["10:00:00", "10:00:01", "00:00:00", "23:59:59", "23:59:60", "10:00:00"])
        let fraction = maker.pick(["", "", ".5", ".05", ".25", ",5", ".123456789"])
        let zone = maker.pick(["Z", "Z", "+01:00", "-03:30", "+0545", "-0330", "+01", "-00:30", "", " UTC"])
        switch maker.below(8) {
        case 0: return "Sat, 21 Nov 2026 \(clock) \(maker.pick(["GMT", "-0330", "+0100"]))"
        case 1: return "21/Nov/2026:\(clock)\(fraction) \(maker.pick(["-0330", "+0100", "+0000"]))"
        case 2: return maker.pick(["1795219200", "1795219200.5", "1795219200500", "1795219200500000"])
        default: return day + maker.pick(["T", "T", "T", " ", "t"]) + clock + fraction + zone
        }
    }
}
