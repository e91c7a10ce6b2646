/// The meaning of an HTTP/1.1 answer's bytes (RFC 9112), read all at once and in the plainest way.
///
/// Where recipients may differ, e.g. about a line without CR, it says `open`: anything but a crash or a hang is right.
enum AnswerModel {
    case answer(status: Int, fields: [(name: String, value: [UInt8])], body: [UInt8])
    case failure
    case open

    /// - Parameter bytes: everything that comes before the connection is closed.
    init(_ bytes: [UInt8], isHead: Bool) {
        var reader = AnswerReader(bytes: bytes)
        do {
            self = try reader.answer(isHead: isHead)
        } catch {
            switch error {
            case .failure: self = .failure
            case .open: self = .open
            }
        }
    }
}

private enum Unread: Error { case failure, open }

private struct AnswerReader {
    let bytes: [UInt8]
    var at = 0

    mutating func answer(isHead: Bool) throws(Unread) -> AnswerModel {
        while true {
            let status = try status()
            var fields: [(name: String, value: [UInt8])] = []
            while case let line = try line(), !line.isEmpty {
                guard [0x20, 0x09].contains(line[0]), let folded = fields.popLast() else {
                    fields.append(try Self.field(line))
                    continue
                }
                // A folded line counts as a space (RFC 9112, section 5.2).
                let rest = line.trimmed
                // Recipients differ about a folded length or coding.
                if ["content-length", "transfer-encoding", "content-encoding"].contains(folded.name) { throw .open }
                guard rest.allSatisfy({ $0 >= 0x20 && $0 != 0x7F }) else { throw .open }
                fields.append((folded.name, folded.value + [0x20] + rest))
            }
            if status == 101 { throw .failure }
            if status < 200 { continue }
            // Statuses that curl or the session treats specially.
            if [205, 401, 407, 408, 417, 421].contains(status) { throw .open }
            func values(_ name: String) -> [[UInt8]] { fields.filter { $0.name == name }.map(\.value) }
            if 300..<400 ~= status, !values("location").isEmpty { throw .open }
            if !values("content-encoding").isEmpty || !values("upgrade").isEmpty { throw .open }
            let body = try body(
                lengths: values("content-length"), codings: values("transfer-encoding"),
                isEmpty: isHead || status == 204 || status == 304)
            return .answer(status: status, fields: fields, body: body)
        }
    }

    private mutating func body(lengths: [[UInt8]], codings: [[UInt8]], isEmpty: Bool) throws(Unread) -> [UInt8] {
        if isEmpty {
            guard codings.isEmpty, lengths.count <= 1, lengths.allSatisfy(Self.isNumber) else { throw .open }
            return []
        }
        if !codings.isEmpty {
            guard codings == [Array("chunked".utf8)] else { throw .open }
            return try chunks()
        }
        guard let length = lengths.first else { return Array(bytes[at...]) }
        if length.contains(UInt8(ascii: ",")) { throw .open }
        guard lengths.allSatisfy({ $0 == length }), Self.isNumber(length) else {
            // One number written in two ways is the same length.
            if lengths.allSatisfy(Self.isNumber) { throw .open }
            throw .failure
        }
        guard let count = Int(String(decoding: length, as: UTF8.self)), count <= bytes.count - at else {
            throw .failure
        }
        return Array(bytes[at..<at + count])
    }

    private mutating func chunks() throws(Unread) -> [UInt8] {
        var body: [UInt8] = []
        while true {
            let size = try line()
            guard !size.isEmpty, size.count <= 8, size.allSatisfy(Self.isHexDigit),
                let count = Int(String(decoding: size, as: UTF8.self), radix: 16)
            else { throw .open }
            if count == 0 {
                // The body is complete with this chunk (RFC 9112, section 8), so a cut behind it may be overlooked.
                guard bytes[at...].containsEmptyLine else { throw .open }
                while case let trailer = try line(), !trailer.isEmpty { _ = try Self.field(trailer) }
                return body
            }
            guard count <= bytes.count - at else { throw .failure }
            body += bytes[at..<at + count]
            at += count
            guard bytes.count - at >= 2 else { throw .failure }
            guard bytes[at] == 13, bytes[at + 1] == 10 else { throw .open }
            at += 2
        }
    }

    private mutating func status() throws(Unread) -> Int {
        let start = at
        if at == bytes.count { throw .failure }
        guard bytes[at...].starts(with: "HTTP/1.1 ".utf8) else {
            // Recipients may choose about blank lines before a status line, and other versions.
            let isVersion = bytes[at...].starts(with: "HTTP/".utf8) || bytes[at] == 13 || bytes[at] == 10
            throw isVersion ? .open : .failure
        }
        let line = try line()
        let digits = bytes[start + 9..<min(start + 12, bytes.count)]
        guard line.count >= 12, digits.allSatisfy(Self.isDigit), digits.first != 0x30,
            line.count == 12 || line[12] == 0x20
        else { throw .open }
        return digits.reduce(0) { $0 * 10 + Int($1 - 0x30) }
    }

    /// A line without its end.
    private mutating func line() throws(Unread) -> [UInt8] {
        guard let end = bytes[at...].firstIndex(of: 10) else { throw .failure }
        let line = bytes[at..<end]
        at = end + 1
        guard line.last == 13, !line.dropLast().contains(13), !line.contains(0) else { throw .open }
        return Array(line.dropLast())
    }

    private static func field(_ line: [UInt8]) throws(Unread) -> (name: String, value: [UInt8]) {
        guard let colon = line.firstIndex(of: UInt8(ascii: ":")), colon > 0,
            line[..<colon].allSatisfy({ isDigit($0) || 0x41...0x5A ~= $0 || 0x61...0x7A ~= $0 || $0 == 0x2D })
        else { throw .open }
        let value = Array(line[(colon + 1)...]).trimmed
        guard value.allSatisfy({ $0 >= 0x20 && $0 != 0x7F }) else { throw .open }
        return (String(decoding: line[..<colon], as: UTF8.self).lowercased(), value)
    }

    private static func isDigit(_ byte: UInt8) -> Bool { 0x30...0x39 ~= byte }

    private static func isNumber(_ bytes: [UInt8]) -> Bool { !bytes.isEmpty && bytes.allSatisfy(isDigit) }

    private static func isHexDigit(_ byte: UInt8) -> Bool {
        isDigit(byte) || 0x41...0x46 ~= byte || 0x61...0x66 ~= byte
    }
}

extension Collection<UInt8> {
    /// Whether a line of CR and LF alone is among the lines.
    fileprivate var containsEmptyLine: Bool {
        split(separator: 10, omittingEmptySubsequences: false).dropLast().contains { $0.elementsEqual([13]) }
    }
}
