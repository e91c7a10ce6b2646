import Foundation
import HTTPCache
import HTTPSemantics

/// The answer on one connection (RFC 9112).
///
/// `@unchecked Sendable`: the variables are touched by one call at a time; the engine asks for the next part once it
/// has the one before.
final class SocketExchange: IncomingBody, @unchecked Sendable {
    private enum Framing { case length(Int), chunked, untilClose, over }

    private let socket: ClientSocket
    private var framing = Framing.untilClose
    private var headerBytes = 0

    init(_ socket: ClientSocket) { self.socket = socket }

    func head(isHead: Bool) async throws -> HTTPResponse {
        while true {
            let status = try status(in: try await headerLine())
            var fields: [HTTPFields.Field] = []
            while case let line = try await headerLine(), !line.isEmpty {
                guard let colon = line.firstIndex(of: UInt8(ascii: ":")), colon > 0,
                    line[..<colon].allSatisfy({ $0 > 0x20 && $0 < 0x7F }), !line.contains(0), !line.contains(13)
                else { throw SocketFailure("not a header field") }
                let value = line[(colon + 1)...].drop { $0 == 0x20 || $0 == 0x09 }
                fields.append(
                    HTTPFields.Field(
                        name: HTTPFields.Name(String(decoding: line[..<colon], as: UTF8.self)), valueBytes: value))
            }
            guard status >= 200 else {
                guard status != 101 else { throw SocketFailure("another protocol") }
                continue
            }
            var response = HTTPResponse(status: status, headerFields: HTTPFields(fields))
            try frame(&response, isHead: isHead)
            return response
        }
    }

    func next() async throws -> [UInt8]? {
        switch framing {
        case .over, .length(0): return nil
        case .length(let left):
            guard let part = try await socket.take(upTo: left) else { throw SocketFailure("the body is cut") }
            framing = .length(left - part.count)
            return part
        case .chunked:
            let line = try await headerLine().prefix { $0 != UInt8(ascii: ";") && $0 != 0x20 }
            guard let count = Int(String(decoding: line, as: UTF8.self), radix: 16), count >= 0, line.first != 0x2B,
                count < 1 << 30
            else { throw SocketFailure("not the size of a chunk") }
            guard count > 0 else {
                while try await !headerLine().isEmpty {}
                framing = .over
                return nil
            }
            let part = try await socket.take(exactly: count)
            guard try await headerLine().isEmpty else { throw SocketFailure("a chunk is longer than its size") }
            return part
        case .untilClose: return try await socket.take(upTo: 1 << 16)
        }
    }

    func cancel() { socket.shutDown() }

    private func frame(_ response: inout HTTPResponse, isHead: Bool) throws {
        let lengths = response.headerFields["Content-Length"].map {
            $0.split(separator: ",").map { $0.trimmingCharacters(in: .whitespaces) }
        }
        if isHead || response.status == 304 || response.status == 204 {
            framing = .over
        } else if response.headerFields["Transfer-Encoding"]?.lowercased() == "chunked" {
            framing = .chunked
            response.headerFields["Content-Length"] = nil
        } else if response.headerFields["Transfer-Encoding"] != nil {
            throw SocketFailure("a transfer coding that was not asked for")
        } else if let lengths {
            guard let first = lengths.first, lengths.allSatisfy({ $0 == first }), first.allSatisfy(\.isNumber),
                let count = Int(first)
            else { throw SocketFailure("not one length") }
            framing = .length(count)
        }
    }

    private func status(in line: [UInt8]) throws -> Int {
        let parts = String(decoding: line, as: UTF8.self).split(separator: " ", omittingEmptySubsequences: false)
        guard parts.count >= 2, parts[0] == "HTTP/1.1" || parts[0] == "HTTP/1.0", parts[1].count == 3,
            let status = Int(parts[1]), status >= 100
        else { throw SocketFailure("not a status line") }
        return status
    }

    private func headerLine() async throws -> [UInt8] {
        let line = try await socket.line()
        headerBytes += line.count
        guard headerBytes <= 1 << 20 else { throw SocketFailure("the header is too long") }
        return line
    }
}
