import Dispatch
import Platform

// Invariant of the pointer: it is used within the call that lends it, at offsets from 0 to its count.

/// Reads a log in chunks of a mebibyte. All processors parse the lines of a chunk while the requests of the one before
/// are used, since reading a log is nearly all parsing. Requests come in the order of the lines. Only for input that
/// needn't be used as it arrives.
///
/// Invariant of the threads: each parses its own part of a chunk, with a copy of the decoder. The input isn't touched
/// until all have ended, since its buffer would be copied. Parsing a line reads nothing but the line.
struct ParallelLines: TraceDecoder {
    private enum Item {
        case request(TraceRequest)
        /// The line's number, counted from the beginning of its part.
        case fault(LineFault, line: Int)
    }

    private struct Part {
        /// In reverse order, so that each is moved out of the end.
        var items: [Item] = []
        var lineCount = 0
    }

    private var lines: any LineDecoder
    /// Not generic over the decoder: a generic conformance wouldn't be specialised, and be twice as slow.
    private let parse: @Sendable (ArraySlice<UInt8>) -> Part
    private var parts: [Part] = []
    /// The part that comes next.
    private var part = 0
    /// The chunk that is being parsed.
    private var ahead: Chunk?
    /// Why it couldn't be read; thrown when everything before has been passed on.
    private var fault: TraceError?

    init<Lines: LineDecoder>(_ lines: Lines) {
        self.lines = lines
        nonisolated(unsafe) let lines = lines
        parse = { Self.parse($0, lines) }
    }

    private static var chunkBytes: Int { 1 << 20 }

    var isDrained: Bool { parts.dropFirst(part).allSatisfy { $0.items.isEmpty } && ahead == nil && fault == nil }

    mutating func next(isTold: Bool) throws(TraceError) -> TraceRequest? {
        while true {
            while part < parts.count {
                switch parts[part].items.popLast() {
                case .request(let request)?: return request
                case .fault(let fault, let line)?:
                    throw TraceError(
                        lines.input.name, .line(lines.line + line), isTold ? fault.reason() : "", isSkippable: true,
                        isNoise: true)
                case nil:
                    lines.line += parts[part].lineCount
                    part += 1
                }
            }
            // The rest without a line end, or a line longer than a chunk.
            guard try advance() else { return try lines.next(isTold: isTold) }
        }
    }

    /// Takes the next chunk, and begins the one after it.
    ///
    /// - Returns: whether there is one.
    private mutating func advance() throws(TraceError) -> Bool {
        (parts, part) = ([], 0)
        if let fault = fault.take() { throw fault }
        let chunk: Chunk
        if let ahead = ahead.take() {
            chunk = ahead
        } else {
            guard let first = try begin() else { return false }
            chunk = first
        }
        parts = chunk.parts()
        do throws(TraceError) { ahead = try begin() } catch { fault = error }
        return true
    }

    /// Begins to parse the whole lines of the next chunk; `nil` without one.
    private func begin() throws(TraceError) -> Chunk? {
        let bytes = try lines.input.peek(Self.chunkBytes)
        guard let end = bytes.lastIndex(of: UInt8(ascii: "\n")) else { return nil }
        let chunk = Chunk(Self.split(bytes[...end], into: min(8, processorCount())), parse)
        lines.input.skip(end + 1 - bytes.startIndex)
        return chunk
    }

    /// Cuts whole lines into parts of about equal size.
    private static func split(_ bytes: ArraySlice<UInt8>, into count: Int) -> [ArraySlice<UInt8>] {
        // Too short to be worth handing over.
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

    private static func parse(_ bytes: ArraySlice<UInt8>, _ decoder: some LineDecoder) -> Part {
        var decoder = decoder
        var part = Part()
        part.items.reserveCapacity(bytes.count / 128)
        var start = bytes.startIndex
        let isOneLine = LineEnds.areAlone(in: bytes)
        while start < bytes.endIndex, let end = lineEnd(in: bytes[start...]) {
            part.lineCount += 1
            let isReturned = end > start && bytes[end - 1] == UInt8(ascii: "\r")
            let line = bytes[start..<(isReturned ? end - 1 : end)]
            start = end + 1
            do throws(LineFault) {
                if let request = try decoder.parsed(line, isOneLine: isOneLine) { part.items.append(.request(request)) }
            } catch {
                part.items.append(.fault(error, line: part.lineCount))
            }
        }
        part.items.reverse()
        return part
    }

    private static func lineEnd(in bytes: ArraySlice<UInt8>) -> Int? {
        let offset = bytes.withUnsafeBytes { bytes -> Int? in
            guard let base = bytes.baseAddress else { return nil }
            return memchr(base, CInt(UInt8(ascii: "\n")), bytes.count).map { UnsafeRawPointer($0) - base }
        }
        return offset.map { bytes.startIndex + $0 }
    }

    /// A chunk whose parts are parsed on other threads.
    ///
    /// `@unchecked Sendable`: `parsed`, the only variable, is private. `init` sets it before a thread has the object;
    /// each thread writes one part under `lock`; only `parts` reads it, once the whole group has left, and one thread
    /// calls that.
    private final class Chunk: @unchecked Sendable {
        private var parsed: [Part]
        private let group = DispatchGroup()

        init(_ pieces: [ArraySlice<UInt8>], _ parse: @escaping @Sendable (ArraySlice<UInt8>) -> Part) {
            parsed = [Part](repeating: Part(), count: pieces.count)
            let lock = Lock()
            for (place, piece) in pieces.enumerated() {
                DispatchQueue.global().async(group: group) {
                    let part = parse(piece)
                    lock.withLock { self.parsed[place] = part }
                }
            }
        }

        /// The parts, once all have been parsed. Call it once.
        func parts() -> [Part] {
            group.wait()
            defer { parsed = [] }
            return parsed
        }
    }
}
