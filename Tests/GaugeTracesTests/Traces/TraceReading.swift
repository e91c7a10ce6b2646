@testable import GaugeTraces

/// Reads traces from memory, for tests.
enum TraceReading {
    /// All requests of a trace.
    static func all(
        _ bytes: [UInt8], _ format: TraceFormat?, pieces: Int = 0, skipping: TraceReader.Skipping = .nothing
    ) throws -> (requests: [TraceRequest], reader: TraceReader) {
        var reader = try TraceReader(input(bytes, pieces: pieces), format: format, skipping: skipping)
        var requests: [TraceRequest] = []
        while let request = try reader.next() { requests.append(request) }
        return (requests, reader)
    }

    static func all(_ text: String, _ format: TraceFormat?) throws -> [TraceRequest] {
        try all(Array(text.utf8), format).requests
    }

    /// The error message, or the number of requests read.
    static func message(_ bytes: [UInt8], _ format: TraceFormat?, pieces: Int = 0) -> String {
        do {
            return "read \(try all(bytes, format, pieces: pieces).requests.count)"
        } catch {
            return "\(error)"
        }
    }

    /// Bytes that arrive in pieces of this length, or all at once for 0.
    static func input(_ bytes: [UInt8], pieces: Int) -> TraceInput {
        guard pieces > 0 else { return TraceInput(name: "t", bytes: bytes) }
        var rest = bytes[...]
        return TraceInput(name: "t") { room in
            let piece = rest.prefix(min(pieces, room.count))
            room.copyBytes(from: piece)
            rest = rest.dropFirst(piece.count)
            return piece.count
        }
    }
}
