import Platform

/// The bytes of a trace, read on demand from a file, standard input, memory, or a closure. Holds 64 KiB, or a longer
/// line, up to ``longestLine``.
///
/// Invariant of the pointers: `0 <= start <= end <= buffer.count`. A pointer into the buffer is used only inside the
/// closure that lends it. A source writes to the region after `end`, and the count that it returns is limited to that
/// region.
package final class TraceInput {
    /// The longest line, bytes; a longer one is an error.
    package static let longestLine = 1 << 20

    /// The trace, as the user named it in messages.
    package let name: String
    private let descriptor: CInt?
    private let source: ((UnsafeMutableRawBufferPointer) throws(TraceError) -> Int)?
    private let isSourceCutShort: () -> Bool
    private let interruption: CInt
    private var buffer: [UInt8]
    private var start = 0
    private var end: Int
    private var isAtEnd: Bool
    private var isInterrupted = false
    /// Why a source ends where it does; thrown once, after all its bytes have been consumed.
    private var fault: TraceError?
    private var isDamaged = false
    /// The number of the last line, if it ends in a digit and without LF: more digits may be missing.
    package private(set) var openNumber: Int?
    private var read = TraceDigest()
    /// Bytes consumed before those in the buffer.
    private var discarded = 0
    /// Bytes moved inside the buffer so far: never more than were read, so reading stays linear.
    package private(set) var movedBytes = 0

    /// Whether bytes may arrive slowly, so that those at hand should be used at once.
    package var isLive: Bool { descriptor == STDIN_FILENO }

    /// Bytes consumed so far.
    package var offset: Int { discarded + start }

    /// Opens a file; `-` is standard input.
    ///
    /// - Parameters:
    ///   - interruption: a descriptor. When it becomes readable the trace ends, even while waiting for bytes.
    /// - Throws: ``TraceError`` when the file can't be opened, or is a directory.
    package init(path: String, interruption: CInt = -1) throws(TraceError) {
        self.interruption = interruption
        source = nil
        isSourceCutShort = { false }
        name = path == "-" ? "standard input" : path
        buffer = [UInt8](repeating: 0, count: 1 << 16)
        end = 0
        isAtEnd = false
        if path == "-" {
            descriptor = STDIN_FILENO
            return
        }
        // Not waiting for a writer, if it is a pipe; `refill` waits, and can be interrupted.
        let descriptor = open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK)
        guard descriptor >= 0 else {
            throw TraceError(
                name, .whole, "cannot be opened (\(Self.errorText())); pass a readable file, or - for standard input")
        }
        var status = stat()
        if fstat(descriptor, &status) == 0, status.st_mode & S_IFMT == S_IFDIR {
            close(descriptor)
            throw TraceError(name, .whole, "is a directory; name the files in it, such as \(name)/*.log")
        }
        self.descriptor = descriptor
    }

    /// Reads from memory.
    package init(name: String, bytes: [UInt8]) {
        self.name = name
        (descriptor, source) = (nil, nil)
        isSourceCutShort = { false }
        interruption = -1
        buffer = bytes
        end = bytes.count
        isAtEnd = true
        bytes.withUnsafeBytes { read.add($0) }
    }

    /// Reads from a closure that fills a buffer.
    ///
    /// - Parameters:
    ///   - room: the buffer's initial size, at least 1 byte; it grows as needed.
    ///   - isCutShort: whether the source ended by an interruption.
    ///   - source: writes the next bytes to the beginning of a buffer and says how many; 0 at the end.
    package init(
        name: String, room: Int = 1 << 16, isCutShort: @escaping () -> Bool = { false },
        source: @escaping (UnsafeMutableRawBufferPointer) throws(TraceError) -> Int
    ) {
        self.name = name
        isSourceCutShort = isCutShort
        self.source = source
        descriptor = nil
        interruption = -1
        buffer = [UInt8](repeating: 0, count: max(1, room))
        end = 0
        isAtEnd = false
    }

    deinit { if let descriptor, descriptor != STDIN_FILENO { close(descriptor) } }

    /// Whether an interruption ended reading before the trace ended.
    package var isCutShort: Bool { isInterrupted || isSourceCutShort() }

    /// Identifies the trace; `nil` unless it was read to its end.
    package var digest: TraceDigest? { isAtEnd && start == end && !isCutShort && !isDamaged ? read : nil }

    /// The next `count` bytes (fewer at the end of the trace), without consuming them.
    package func peek(_ count: Int) throws(TraceError) -> ArraySlice<UInt8> {
        while end - start < count, !isAtEnd { try refill() }
        if start == end { try throwFault() }
        return buffer[start..<min(end, start + max(0, count))]
    }

    /// All bytes read and not consumed: at least one, except at the end of the trace.
    package func available() throws(TraceError) -> ArraySlice<UInt8> {
        _ = try peek(1)
        return buffer[start..<end]
    }

    /// Consumes bytes that have been peeked at.
    package func skip(_ count: Int) {
        let count = min(max(0, count), end - start)
        start += count
    }

    /// Consumes the next line, without its LF or CR LF. A line that is too long is consumed too, so that reading can
    /// continue after it.
    ///
    /// - Parameters:
    ///   - number: the line's number, for the message.
    ///   - isLog: whether a line that is too long is noise.
    /// - Returns: `nil` at the end of the trace.
    package func line(number: Int, isLog: Bool = false) throws(TraceError) -> ArraySlice<UInt8>? {
        var searched = start
        while true {
            if let newline = newline(from: searched) {
                let line = buffer[start..<newline]
                skip(newline + 1 - start)
                return line.last == UInt8(ascii: "\r") ? line.dropLast() : line
            }
            if end - start > Self.longestLine {
                try skipLine()
                throw TraceError(
                    name, .line(number), "longer than \(Self.longestLine) bytes; a trace has one request a line",
                    isSkippable: true, isNoise: isLog)
            }
            let unsearched = end - start
            if isAtEnd {
                let line = buffer[start..<end]
                if fault != nil {
                    skip(line.count)
                    try throwFault()
                }
                if let last = line.last, last >= 0x30, last <= 0x39, !isCutShort { openNumber = number }
                skip(line.count)
                return line.isEmpty ? nil : line
            }
            try refill()
            searched = start + unsearched
        }
    }

    /// The next line, cut to 4,096 bytes, without consuming it.
    package func peekLine() throws(TraceError) -> ArraySlice<UInt8> {
        var searched = 0
        while newline(from: start + searched) == nil, end - start < 4096, !isAtEnd {
            searched = end - start
            try refill()
        }
        let line = buffer[start..<min(newline(from: start) ?? end, start + 4096)]
        return line.last == UInt8(ascii: "\r") ? line.dropLast() : line
    }

    /// The next byte, without consuming it; `nil` at the end of the trace.
    @inline(__always)
    package func peekByte() throws(TraceError) -> UInt8? {
        if start == end {
            while start == end, !isAtEnd { try refill() }
            if start == end {
                try throwFault()
                return nil
            }
        }
        return buffer[start]
    }

    /// Consumes the byte peeked at.
    @inline(__always)
    package func skipByte() { start += 1 }

    /// Consumes and returns the text before a byte, and the byte. `nil`, with nothing consumed, if the byte isn't in
    /// the buffer or a byte of the text fails the condition.
    package func buffered(upTo last: UInt8, while condition: (UInt8) -> Bool) -> ArraySlice<UInt8>? {
        let rest = buffer[start..<end]
        guard let stop = rest.firstIndex(where: { !condition($0) }), rest[stop] == last else { return nil }
        start = stop + 1
        return rest[..<stop]
    }

    /// Consumes bytes while they meet a condition, and passes them on in pieces.
    package func skip(while condition: (UInt8) -> Bool, _ piece: (ArraySlice<UInt8>) -> Void) throws(TraceError) {
        while try peekByte() != nil {
            let stop = buffer[start..<end].firstIndex { !condition($0) }
            piece(buffer[start..<(stop ?? end)])
            skip((stop ?? end) - start)
            if stop != nil { return }
        }
    }

    /// Why the bytes end where they do, if that is damage not thrown yet.
    package var damage: TraceError? { fault }

    private func throwFault() throws(TraceError) {
        guard let fault else { return }
        self.fault = nil
        throw fault
    }

    private func skipLine() throws(TraceError) {
        while true {
            if let newline = newline(from: start) { return skip(newline + 1 - start) }
            skip(end - start)
            if isAtEnd { return }
            try refill()
        }
    }

    private func newline(from first: Int) -> Int? {
        // A local copy avoids the exclusivity check, as in `refill()`.
        let buffer = buffer
        return buffer.withUnsafeBytes { bytes in
            guard first < end, let base = bytes.baseAddress,
                let found = memchr(base + first, CInt(UInt8(ascii: "\n")), end - first)
            else { return nil }
            return UnsafeRawPointer(found) - base
        }
    }

    /// Makes room and reads once.
    private func refill() throws(TraceError) {
        // Moved out while it is written to: a property that is only read and set as a whole needs no exclusivity check
        // for each byte.
        var bytes = buffer
        buffer = []
        defer { buffer = bytes }
        if start > 0 {
            if end > start {
                movedBytes += end - start
                bytes.withUnsafeMutableBytes {
                    guard let base = $0.baseAddress else { return }
                    memmove(base, base + start, end - start)
                }
            }
            end -= start
            discarded += start
            start = 0
        }
        if end == bytes.count { bytes.append(contentsOf: repeatElement(0, count: bytes.count)) }
        if let source {
            let room = bytes.count - end
            let result = bytes.withUnsafeMutableBytes { bytes in
                Result { () throws(TraceError) -> Int in
                    try source(UnsafeMutableRawBufferPointer(rebasing: bytes[end...]))
                }
            }
            var count = 0
            switch result {
            case .success(let written): count = min(max(0, written), room)
            case .failure(let error): (fault, isDamaged) = (error, true)
            }
            take(count, in: bytes)
            isAtEnd = count == 0
            return
        }
        guard let descriptor else { return }
        while true {
            if hasInterruption(waitingFor: descriptor) {
                // The bytes left may end in the middle of a request.
                end = start
                isAtEnd = true
                isInterrupted = true
                return
            }
            let count = bytes.withUnsafeMutableBytes {
                Platform.read(descriptor, $0.baseAddress?.advanced(by: end), $0.count - end)
            }
            if count > 0 { return take(count, in: bytes) }
            if count == 0 {
                isAtEnd = true
                return
            }
            guard errno == EINTR || errno == EAGAIN else {
                throw TraceError(name, .offset(offset + end - start), "cannot be read: \(Self.errorText())")
            }
        }
    }

    /// Counts the bytes read after `end`.
    private func take(_ count: Int, in bytes: [UInt8]) {
        // A local copy avoids the exclusivity check, as in `refill()`.
        var digest = read
        bytes.withUnsafeBytes { digest.add(UnsafeRawBufferPointer(rebasing: $0[end..<end + count])) }
        read = digest
        end += count
    }

    /// Waits for bytes or an interruption.
    private func hasInterruption(waitingFor descriptor: CInt) -> Bool {
        var waited = [
            pollfd(fd: descriptor, events: Int16(POLLIN), revents: 0),
            pollfd(fd: interruption, events: Int16(POLLIN), revents: 0),
        ]
        while poll(&waited, 2, -1) < 0, errno == EINTR {}
        return waited[1].revents != 0
    }

    private static func errorText() -> String { String(cString: strerror(errno)) }
}

extension TraceInput {
    /// Consumes the byte-order mark of UTF-8, if the trace begins with one.
    ///
    /// - Throws: ``TraceError`` if the trace is UTF-16, which no format is.
    package func skipByteOrderMark() throws(TraceError) {
        let beginning = Array(try peek(4))
        if beginning.starts(with: [0xEF, 0xBB, 0xBF]) { return skip(3) }
        guard beginning.count == 4 else { return }
        let isLittle = beginning.starts(with: [0xFF, 0xFE]) && beginning[3] == 0
        let isBig = beginning.starts(with: [0xFE, 0xFF]) && beginning[2] == 0
        guard !isLittle, !isBig else {
            throw TraceError(
                name, .offset(0),
                "a text in UTF-16; convert it first: iconv -f UTF-16 -t UTF-8 FILE >NEW")
        }
    }

    /// Consumes the blank lines that come next (empty, or spaces and tabs).
    ///
    /// - Returns: how many.
    func skipBlankLines() throws(TraceError) -> Int {
        var count = 0
        while true {
            let line = try peekLine()
            guard line.count < 4096, line.allSatisfy({ $0 == 0x20 || $0 == 0x09 }), try !peek(1).isEmpty else {
                return count
            }
            count += 1
            _ = try self.line(number: count)
        }
    }
}
