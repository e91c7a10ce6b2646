import Foundation
import TestSupport

@testable import GaugeSupport
@testable import GaugeTraces

/// A random trace of a few objects, with all that can happen to an entry: other methods, errors, parts, confirmations,
/// changed sizes, header fields, times that go back.
struct RandomTrace {
    struct Request {
        var object = 0
        var size = 0
        var time = 0
        var method = "GET"
        var status = 200
        var cacheControl = ""
        var isReload = false

        var url: String {
            "https://a.example/x/\(String(repeating: "p", count: object % 40))/\(object)?v=\(object % 3)"
        }
    }

    let requests: [Request]

    init(seed: UInt64, count: Int = nightly(1_500, else: 500)) {
        var random = SplitMix64(seed: seed)
        var keys = ZipfKeys(objects: 80, exponent: 0.8, seed: seed)
        var time = 1_795_255_200
        requests = keys.draw(count).map { key in
            func pick<Choice>(_ choices: [Choice]) -> Choice { choices[Int(random.next() % UInt64(choices.count))] }
            time += pick([0, 0, 0, 1, 1, 2, 30, -5])
            var request = Request(object: Int(key), time: time)
            request.size = Int(SplitMix64.mix(key ^ seed) % 4000) + (random.next() % 40 == 0 ? 7 : 0)
            request.method = pick([String](repeating: "GET", count: 30) + ["POST", "HEAD", "PUT"])
            request.status = pick([Int](repeating: 200, count: 30) + [304, 304, 304, 206, 500, 404, 302, 204, 403])
            request.cacheControl = pick([
                "max-age=60", "max-age=600", "max-age=600", "max-age=6000", "no-store", "no-cache", "max-age=0",
                "private",
            ])
            request.isReload = random.next() % 30 == 0
            return request
        }
    }

    /// The trace in a format.
    func bytes(_ format: TraceFormat) -> [UInt8] {
        switch format {
        case .har: return Array("{\"log\":{\"entries\":[\(requests.map(har).joined(separator: ","))]}}".utf8)
        case .squid:
            return lines {
                "\($0.time).000 3 192.0.2.1 TCP_MISS/\(status($0)) \($0.size) \($0.method) \($0.url) - D/- t"
            }
        case .combined:
            return lines {
                "h - - [\(date($0.time))] \"\($0.method) /\($0.object)?a HTTP/1.1\" \($0.status) \($0.status == 304 ? "-" : "\($0.size)")"
            }
        case .csv: return Array("url,size,time\n".utf8) + lines { "\($0.url),\($0.size),\($0.time)" }
        case .libcachesimCSV: return lines { "\($0.time),\($0.object),\($0.size)" }
        case .webcachesim: return lines { "\($0.time) \($0.object) \($0.size)" }
        case .oracleGeneral:
            return requests.flatMap { request in
                words(UInt32(request.time)) + words(UInt64(request.object)) + words(UInt32(request.size))
                    + words(UInt64.max)
            }
        case .jsonLog: return lines(json)
        case .ids: return lines { "\($0.object)" }
        case .vscsi:
            return requests.flatMap { request -> [UInt8] in
                let head = words(UInt32(0)) + words(UInt32(request.size)) + words(UInt64(1) << 56)
                let tail = words(UInt64(request.object)) + words(UInt64(request.time) * 1_000_000)
                return head + tail
            }
        case .w3c:
            let head = "#Fields: date time cs-method cs-host cs-uri-stem cs-uri-query sc-status sc-bytes\n"
            return Array(head.utf8)
                + lines { request in
                    let moment = Date(timeIntervalSince1970: Double(request.time)).formatted(.iso8601)
                    let time = moment.dropLast().replacing("T", with: " ")
                    return "\(time) \(request.method) a.example /\(request.object) a \(request.status) \(request.size)"
                }
        case .textLog: return []
        case .be32: return requests.flatMap { words(UInt32($0.object).byteSwapped) }
        }
    }

    private func lines(_ line: (Request) -> String) -> [UInt8] {
        Array(requests.map { line($0) + "\n" }.joined().utf8)
    }

    private func words<Word: FixedWidthInteger>(_ word: Word) -> [UInt8] {
        withUnsafeBytes(of: word.littleEndian) { Array($0) }
    }

    private func status(_ request: Request) -> String { "\(request.status)" }

    /// Half of the confirmations leave out what the response before said.
    private func isSilent(_ request: Request) -> Bool { request.status == 304 && request.time % 2 == 0 }

    private func json(_ request: Request) -> String {
        let fields = isSilent(request) ? "" : "\"Cache-Control\":[\"\(request.cacheControl)\"]"
        return """
            {"ts":\(request.time).25,"request":{"method":"\(request.method)","host":"a.example","uri":"/\(request.object)?v",
            "headers":{}},"duration":0.25,"size":\(request.size),"status":\(request.status),
            "resp_headers":{\(fields)}}
            """.replacing("\n", with: "")
    }

    private func har(_ request: Request) -> String {
        let reload = request.isReload ? "{\"name\":\"Cache-Control\",\"value\":\"no-cache\"}" : ""
        let date = Date(timeIntervalSince1970: Double(request.time)).formatted(.iso8601)
        let fields = isSilent(request) ? "" : "{\"name\":\"Cache-Control\",\"value\":\"\(request.cacheControl)\"}"
        return """
            {"startedDateTime":"\(date)","time":0,
            "request":{"method":"\(request.method)","url":"\(request.url)","headers":[\(reload)]},
            "response":{"status":\(request.status),
            "headers":[\(fields)],"content":{"size":\(request.size)}}}
            """
    }

    private func date(_ time: Int) -> String {
        let formatter = DateFormatter()
        formatter.locale = Locale(identifier: "en_US_POSIX")
        formatter.timeZone = TimeZone(secondsFromGMT: 0)
        formatter.dateFormat = "dd/MMM/yyyy:HH:mm:ss Z"
        return formatter.string(from: Date(timeIntervalSince1970: Double(time)))
    }
}
