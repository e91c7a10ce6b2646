import Platform

/// One connection of the origin: requests in, replies out.
final class OriginConnection {
    private let descriptor: Int32
    private var buffer: [UInt8] = []
    /// No header ends before this place of the buffer.
    private var searched = 0

    init(_ descriptor: Int32) { self.descriptor = descriptor }

    /// The next request; `nil` when the peer has gone or sends something else.
    func nextRequest() -> OriginRequest? {
        var end = headEnd()
        while end == nil {
            guard buffer.count < 1 << 20, readMore() else { return nil }
            end = headEnd()
        }
        guard let end else { return nil }
        let lines = buffer[..<end].split(separator: 10).map { $0.last == 13 ? $0.dropLast() : $0 }
        let parts = String(decoding: lines.first ?? [], as: UTF8.self).split(separator: " ")
        let rawFields = lines.dropFirst().compactMap { line -> (name: String, value: [UInt8])? in
            guard let colon = line.firstIndex(of: UInt8(ascii: ":")) else { return nil }
            return (String(decoding: line[..<colon], as: UTF8.self), Array(line[(colon + 1)...].drop { $0 == 0x20 }))
        }
        let fields = rawFields.map { (name: $0.name, value: String(decoding: $0.value, as: UTF8.self)) }
        buffer.removeFirst(end + 4)
        searched = 0
        guard parts.count == 3 else { return nil }
        let length = fields.first { $0.name.lowercased() == "content-length" }.flatMap { Int($0.value) } ?? 0
        if fields.contains(where: { $0.name.lowercased() == "expect" }) {
            guard write(Array("HTTP/1.1 100 Continue\r\n\r\n".utf8)) else { return nil }
        }
        let isChunked = fields.contains { $0.name.lowercased() == "transfer-encoding" }
        guard let body = isChunked ? chunkedBody() : bytes(length) else { return nil }
        return OriginRequest(
            method: String(parts[0]), path: String(parts[1]), fields: fields, rawFields: rawFields, body: body)
    }

    private func chunkedBody() -> [UInt8]? {
        var body: [UInt8] = []
        while let line = line(), let count = Int(line, radix: 16), let chunk = bytes(count), self.line() == "" {
            if count == 0 { return body }
            body += chunk
        }
        return nil
    }

    private func line() -> String? {
        while true {
            if let end = buffer.firstIndex(of: 10) {
                defer { buffer.removeFirst(end + 1) }
                return String(decoding: buffer[..<max(end - 1, 0)], as: UTF8.self)
            }
            guard readMore() else { return nil }
        }
    }

    private func bytes(_ count: Int) -> [UInt8]? {
        while buffer.count < count { guard readMore() else { return nil } }
        defer { buffer.removeFirst(count) }
        return Array(buffer[..<count])
    }

    /// Sends a reply.
    ///
    /// - Returns: whether the connection is good for another one.
    func send(_ reply: OriginReply, to request: OriginRequest) -> Bool {
        defer { reply.holdBody?.hold.pass() }
        reply.holdHead?.wait()
        if case .withoutAnswer = reply.cut { return reset() }
        guard write(head(of: reply)) else { return false }
        let hasBody = request.method != "HEAD" && reply.status != 304 && reply.status != 204
        let body = hasBody ? reply.body : []
        var sent = 0
        if let hold = reply.holdBody {
            sent = min(hold.after, body.count)
            guard write(framed(body[..<sent], reply.framing)) else { return false }
            hold.hold.wait()
        }
        switch reply.cut {
        case .closed(let count):
            _ = write(framed(body[min(sent, count)..<min(count, body.count)], reply.framing))
            return false
        case .reset(let count):
            _ = write(framed(body[min(sent, count)..<min(count, body.count)], reply.framing))
            return reset()
        case .withoutAnswer, nil: break
        }
        guard write(framed(body[sent...], reply.framing)) else { return false }
        reply.onCopySent?(1)
        for copy in 1..<max(reply.copies, 1) {
            guard write(framed(body[...], reply.framing)) else { return false }
            reply.onCopySent?(copy + 1)
        }
        reply.onSent?()
        // Who knows where the peer thinks that this answer ends.
        if reply.rawHead != nil { return false }
        switch reply.framing {
        case .length: return true
        case .chunked: return !hasBody || write(Array("0\r\n\r\n".utf8))
        case .statedLength(let stated): return stated == body.count
        case .untilClose: return false
        }
    }

    // MARK: Bytes

    private func head(of reply: OriginReply) -> [UInt8] {
        if let raw = reply.rawHead { return raw + Array("\r\n\r\n".utf8) }
        var text = "HTTP/1.1 \(reply.status) \(reply.status < 400 ? "OK" : "No")\r\n"
        for (name, value) in reply.fields { text += "\(name): \(value)\r\n" }
        switch reply.framing {
        case .length where reply.status != 304: text += "Content-Length: \(reply.body.count * reply.copies)\r\n"
        case .statedLength(let count): text += "Content-Length: \(count)\r\n"
        case .chunked: text += "Transfer-Encoding: chunked\r\n"
        case .untilClose: text += "Connection: close\r\n"
        case .length: break
        }
        return Array((text + "\r\n").utf8)
    }

    private func framed(_ bytes: ArraySlice<UInt8>, _ framing: OriginReply.Framing) -> [UInt8] {
        guard case .chunked = framing, !bytes.isEmpty else { return Array(bytes) }
        return Array("\(String(bytes.count, radix: 16))\r\n".utf8) + bytes + Array("\r\n".utf8)
    }

    private func headEnd() -> Int? {
        while searched + 4 <= buffer.count {
            if buffer[searched..<searched + 4].elementsEqual([13, 10, 13, 10]) { return searched }
            searched += 1
        }
        return nil
    }

    private func readMore() -> Bool {
        var chunk = [UInt8](repeating: 0, count: 16_384)
        while true {
            let count = read(descriptor, &chunk, chunk.count)
            if count < 0, errno == EINTR { continue }
            guard count > 0 else { return false }
            buffer += chunk[..<count]
            return true
        }
    }

    private func write(_ bytes: [UInt8]) -> Bool { sendAll(bytes, to: descriptor) }

    /// The peer sees `ECONNRESET` once the connection is closed.
    private func reset() -> Bool {
        var linger = linger(l_onoff: 1, l_linger: 0)
        setsockopt(descriptor, SOL_SOCKET, SO_LINGER, &linger, socklen_t(MemoryLayout.size(ofValue: linger)))
        return false
    }
}
