import Platform

/// A body that one transport brings and any number of readers read.
///
/// While the body may still be stored, all of it is kept, up to a limit: the transport is read as fast as it delivers, and
/// readers may come at any time. Once the body passes through, only the part that the slowest reader has not read yet is
/// kept, the transport waits for that reader, and no further reader may come. Memory stays bounded either way.
final class SharedBody: Sendable {
    /// One step of reading.
    enum Part: Sendable {
        case chunk([UInt8])
        case end
        case failed(EngineError)
    }

    /// Bytes that a reader may lag behind while the body is passing through.
    static let window = 256 << 10

    private let limit: Int
    private let state: Locked<State>

    /// A body that is kept as long as it does not exceed `limit` bytes; with `nil` it passes through.
    init(keepingUpTo limit: Int?) {
        self.limit = limit ?? 0
        state = Locked(State(isKept: limit != nil))
    }

    // MARK: The transport's side

    /// Adds a chunk.
    ///
    /// - Returns: whether the body is still kept.
    func append(_ chunk: [UInt8]) -> Bool {
        let (waiting, isKept) = state.withLock { state in
            state.append(chunk)
            if state.byteCount > limit { state.isKept = false }
            state.trim()
            return (state.takeWaiting(), state.isKept)
        }
        for oneShot in waiting { oneShot.provide(true) }
        return isKept
    }

    /// Returns when there is room for another chunk, or the task is cancelled.
    func waitForRoom() async {
        while !Task.isCancelled {
            let oneShot: OneShot<Void>? = state.withLock { state in
                if state.hasRoom { return nil }
                let oneShot = OneShot<Void>()
                state.waitingForRoom = oneShot
                return oneShot
            }
            guard let oneShot else { return }
            await oneShot.wait(cancelled: ())
        }
    }

    /// The whole body so far, in one piece; `nil` if the body is passing through.
    var kept: [UInt8]? {
        state.withLock { state in
            guard state.isKept else { return nil }
            var bytes: [UInt8] = []
            bytes.reserveCapacity(state.byteCount)
            for chunk in state.chunks { bytes += chunk }
            return bytes
        }
    }

    /// Ends the body: no chunk follows.
    func finish(_ end: Part) {
        let waiting = state.withLock { state in
            state.end = end
            return state.takeWaiting()
        }
        for oneShot in waiting { oneShot.provide(true) }
    }

    // MARK: The readers' side

    /// Adds a reader that begins at the first byte; `nil` if that is gone, or was never to be shared.
    ///
    /// - Parameter isFirst: for the request that began the fetch, which may read a body that passes through.
    func attach(isFirst: Bool) -> Int? {
        state.withLock { state in
            guard state.isKept || (isFirst && state.first == 0) else { return nil }
            state.readersSoFar += 1
            state.readers[state.readersSoFar] = Reader(next: 0)
            return state.readersSoFar
        }
    }

    /// The next part for a reader, which waits at most `timeout` seconds for it.
    func next(for reader: Int, _ deadlines: Deadlines, timeout: Double?) async -> Part {
        while true {
            let oneShot = OneShot<Bool>()
            let (part, room): (Part?, OneShot<Void>?) = state.withLock { state in
                guard state.readers[reader] != nil else { return (.failed(.cancelled), nil) }
                if let chunk = state.read(reader) { return (.chunk(chunk), state.takeWaitingForRoom()) }
                if let end = state.end { return (end, nil) }
                state.readers[reader]?.waiting = oneShot
                return (nil, nil)
            }
            room?.provide(())
            if let part { return part }
            let isExpired = await !deadlines.wait(for: oneShot, seconds: timeout, expired: false, cancelled: true)
            if Task.isCancelled { return .failed(.cancelled) }
            if isExpired { return .failed(.timedOut(seconds: timeout ?? 0)) }
        }
    }

    /// Removes a reader.
    func detach(_ reader: Int) {
        let (room, waiting) = state.withLock { state in
            let waiting = state.readers.removeValue(forKey: reader)?.waiting
            state.trim()
            return (state.takeWaitingForRoom(), waiting)
        }
        room?.provide(())
        waiting?.provide(true)
    }
}

private struct Reader {
    /// The number of the chunk that it reads next.
    var next: Int
    /// Provided with `true` once there is something to read, and with `false` if the reader's time is over first.
    var waiting: OneShot<Bool>?
}

/// The variables of a `SharedBody`, behind its lock.
private struct State {
    var isKept: Bool
    var chunks: [[UInt8]] = []
    /// The number of the first of `chunks`.
    var first = 0
    /// Bytes in `chunks`.
    var byteCount = 0
    var end: SharedBody.Part?
    var readers: [Int: Reader] = [:]
    var readersSoFar = 0
    var waitingForRoom: OneShot<Void>?

    init(isKept: Bool) { self.isKept = isKept }

    var hasRoom: Bool { isKept || byteCount <= SharedBody.window }

    mutating func append(_ chunk: [UInt8]) {
        chunks.append(chunk)
        byteCount += chunk.count
    }

    /// Takes the reader's next chunk; `nil` if it has not come yet.
    mutating func read(_ reader: Int) -> [UInt8]? {
        guard let place = readers[reader]?.next, place - first < chunks.count else { return nil }
        let chunk = chunks[place - first]
        readers[reader]?.next += 1
        trim()
        return chunk
    }

    /// Drops the chunks that every reader has read, unless all is kept. None before the first reader has come.
    mutating func trim() {
        guard !isKept, readersSoFar > 0 else { return }
        let slowest = readers.values.map(\.next).min() ?? first + chunks.count
        while first < slowest, !chunks.isEmpty {
            byteCount -= chunks.removeFirst().count
            first += 1
        }
    }

    mutating func takeWaitingForRoom() -> OneShot<Void>? { hasRoom ? waitingForRoom.take() : nil }

    mutating func takeWaiting() -> [OneShot<Bool>] {
        readers.keys.compactMap { readers[$0]?.waiting.take() }
    }
}
