import Platform

/// One connection of the origin: requests in, replies out.
final class OriginConnection {
    private let descriptor: Int32
    private var buffer: [UInt8] = []

    init(_ descriptor: Int32) { self.descriptor = descriptor }

    /// The next request; `nil` when the peer has gone or sends what is none.
    func nextRequest() -> OriginRequest? {
        var end = headEnd()
        while end == nil {
            guard buffer.count < 1 << 20, readMore() else { return nil }
            end = headEnd()
        }
        guard let end else { return nil }
        let lines = String(decoding: buffer[..<end], as: UTF8.self).split(separator: "\r\n")
        buffer.removeFirst(end + 4)
        let parts = (lines.first ?? "").split(separator: " ")
        guard parts.count == 3 else { return nil }
        let fields = lines.dropFirst().compactMap { line -> (name: String, value: String)? in
            guard let colon = line.firstIndex(of: ":") else { return nil }
            let value = line[line.index(after: colon)...].drop { $0 == " " }
            return (String(line[..<colon]), String(value))
        }
        let length = fields.first { $0.name.lowercased() == "content-length" }.flatMap { Int($0.value) } ?? 0
        if fields.contains(where: { $0.name.lowercased() == "expect" }) {
            guard write(Array("HTTP/1.1 100 Continue\r\n\r\n".utf8)) else { return nil }
        }
        while buffer.count < length { guard readMore() else { return nil } }
        let body = Array(buffer[..<length])
        buffer.removeFirst(length)
        return OriginRequest(method: String(parts[0]), path: String(parts[1]), fields: fields, body: body)
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
        guard buffer.count >= 4 else { return nil }
        return (0...buffer.count - 4).first {
            buffer[$0] == 13 && buffer[$0 + 1] == 10 && buffer[$0 + 2] == 13 && buffer[$0 + 3] == 10
        }
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
