import GaugeTraces

/// A line of an Apache log in its plain form, split at spaces and quotes:
///
///     HOST - USER [26/Nov/2026:10:00:00 +0100] "GET /path HTTP/1.1" 200 SIZE
///
/// A size of `-` is none, 0 bytes. In the path `\"` is a quote. Whatever follows is ignored, but no NUL or CR may.
struct LogLineModel {
    let method: String
    let url: String
    let status: Int
    let size: Int?
    let time: Double

    /// `nil` for a line of another form, about which this model says nothing.
    init?(_ line: [UInt8]) {
        func words(_ bytes: ArraySlice<UInt8>) -> [ArraySlice<UInt8>] {
            bytes.split(separator: 0x20, omittingEmptySubsequences: false)
        }
        guard !line.contains(0), !line.contains(0x0D) else { return nil }
        let before = line.prefix { $0 != UInt8(ascii: "[") }
        let names = words(before)
        guard names.count == 4, names[1].elementsEqual("-".utf8), names[3].isEmpty,
            [names[0], names[2]].allSatisfy({ !$0.isEmpty && $0.allSatisfy(Self.isOfName) })
        else { return nil }
        let date = line.dropFirst(before.count + 1).prefix { $0 != UInt8(ascii: "]") }
        guard let time = DateModel.apache(date) else { return nil }
        let rest = line[date.endIndex...].dropFirst()
        guard rest.starts(with: " \"".utf8), let end = Self.endOfQuotes(rest.dropFirst(2)) else { return nil }
        let request = words(rest.dropFirst(2)[..<end])
        let answer = words(line[(end + 1)...])
        guard request.count == 3, answer.count >= 3, answer[0].isEmpty,
            !request[0].isEmpty, request[0].allSatisfy({ 0x41...0x5A ~= $0 }), request[0].count < 32,
            request[1].first == UInt8(ascii: "/"), request[1].allSatisfy({ 0x21...0x7E ~= $0 }),
            request[2].elementsEqual("HTTP/1.1".utf8),
            let status = Self.number(answer[1]), answer[1].count == 3, 100...999 ~= status
        else { return nil }
        let target = String(decoding: request[1], as: UTF8.self).replacing("\\\"", with: "\"")
        guard !target.utf8.contains(UInt8(ascii: "\\")) else { return nil }
        let isNone = answer[2].elementsEqual("-".utf8)
        guard let size = isNone ? 0 : Self.number(answer[2]) else { return nil }
        method = String(decoding: request[0], as: UTF8.self)
        url = AccessLogLine.unknownOrigin + URLModel.encoded(target)
        self.status = status
        self.size = status == 304 || method == "HEAD" ? nil : size
        self.time = time
    }

    /// Whether a request is what the line says.
    func isSame(as request: TraceRequest) -> Bool {
        request.url == url && request.size == size && request.time == time && request.exchange?.method == method
            && request.exchange?.status == status
    }

    private static func endOfQuotes(_ text: ArraySlice<UInt8>) -> Int? {
        var isEscaped = false
        for (place, byte) in zip(text.indices, text) {
            if byte == UInt8(ascii: "\""), !isEscaped { return place }
            isEscaped = byte == UInt8(ascii: "\\") && !isEscaped
        }
        return nil
    }

    private static func number(_ text: ArraySlice<UInt8>) -> Int? {
        guard 1...9 ~= text.count, text.allSatisfy({ 0x30...0x39 ~= $0 }) else { return nil }
        return Int(String(decoding: text, as: UTF8.self))
    }

    private static func isOfName(_ byte: UInt8) -> Bool {
        0x61...0x7A ~= byte || 0x30...0x39 ~= byte || byte == UInt8(ascii: ".") || byte == UInt8(ascii: "-")
    }
}
