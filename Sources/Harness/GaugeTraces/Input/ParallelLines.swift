import Dispatch
import Platform

/// Reads a log in chunks of a mebibyte, whose lines are parsed on all processors: nearly all of the time of reading a log is
/// parsing. The requests come in the order of the lines. Only for input that need not be used as it arrives.
///
/// Invariant of the threads: each parses a part of the chunk of its own, with a copy of the decoder, and has ended before the
/// chunk is used or another one is read. Parsing a line reads nothing but the line.
struct ParallelLines<Lines: LineDecoder>: TraceDecoder {
    private enum Item {
        case request(TraceRequest)
        /// The number of the line counts from the beginning of its part.
        case fault(LineFault, line: Int)
    }

    private struct Part {
        var items: [Item] = []
        var lineCount = 0
    }

    private var lines: Lines
    private var parts: [Part] = []
    /// The part and its item that come next.
    private var part = 0
    private var item = 0

    init(_ lines: Lines) { self.lines = lines }

    private static var chunk: Int { 1 << 20 }

    var isDrained: Bool { parts.dropFirst(part).allSatisfy { $0.items.isEmpty } || part >= parts.count }

    mutating func next(isTold: Bool) throws(TraceError) -> TraceRequest? {
        while true {
            while part < parts.count {
                guard item < parts[part].items.count else {
                    lines.line += parts[part].lineCount
                    (part, item) = (part + 1, 0)
                    continue
                }
                item += 1
                switch parts[part].items[item - 1] {
                case .request(let request): return request
                case .fault(let fault, let line):
                    throw TraceError(
                        lines.input.name, .line(lines.line + line), isTold ? fault.reason() : "", isSkippable: true,
                        isNoise: true)
                }
            }
            // The rest without a line end, or a line that is longer than a chunk.
            guard try parseChunk() else { return try lines.next(isTold: isTold) }
        }
    }

    /// Parses the whole lines of the next chunk.
    ///
    /// - Returns: whether there is one.
    private mutating func parseChunk() throws(TraceError) -> Bool {
        (parts, part, item) = ([], 0, 0)
        let bytes = try lines.input.peek(Self.chunk)
        guard let end = bytes.lastIndex(of: UInt8(ascii: "\n")) else { return false }
        let chunks = Self.split(bytes[...end], into: min(8, processorCount()))
        var parsed = [Part](repeating: Part(), count: chunks.count)
        nonisolated(unsafe) let lines = lines
        parsed.withUnsafeMutableBufferPointer { parsed in
            nonisolated(unsafe) let parsed = parsed
            if chunks.count == 1 {
                parsed[0] = Self.parse(chunks[0], lines)
            } else {
                DispatchQueue.concurrentPerform(iterations: chunks.count) {
                    parsed[$0] = Self.parse(chunks[$0], lines)
                }
            }
        }
        parts = parsed
        self.lines.input.skip(end + 1 - bytes.startIndex)
        return true
    }

    /// Cuts whole lines into parts of about one size.
    private static func split(_ bytes: ArraySlice<UInt8>, into count: Int) -> [ArraySlice<UInt8>] {
        // What takes longer to hand over than to parse stays whole.
        guard count > 1, bytes.count > 1 << 14 else { return [bytes] }
        var parts: [ArraySlice<UInt8>] = []
        var rest = bytes
        for left in (2...count).reversed() {
            let middle = rest.startIndex + rest.count / left
            guard let end = rest[middle...].firstIndex(of: UInt8(ascii: "\n")) else { break }
            parts.append(rest[...end])
            rest = rest[(end + 1)...]
        }
        if !rest.isEmpty { parts.append(rest) }
        return parts
    }

    private static func parse(_ bytes: ArraySlice<UInt8>, _ decoder: Lines) -> Part {
        var decoder = decoder
        var part = Part()
        part.items.reserveCapacity(bytes.count / 128)
        var rest = bytes
        while let end = rest.firstIndex(of: UInt8(ascii: "\n")) {
            part.lineCount += 1
            let line = rest[..<end].last == UInt8(ascii: "\r") ? rest[..<(end - 1)] : rest[..<end]
            rest = rest[(end + 1)...]
            do throws(LineFault) {
                if let request = try decoder.parsed(line) { part.items.append(.request(request)) }
            } catch {
                part.items.append(.fault(error, line: part.lineCount))
            }
        }
        return part
    }
}
