import Platform

/// A body on its way from one transport to any number of readers.
///
/// While it may still be stored all of it is kept, up to a limit, the transport is read as fast as it gives, and readers
/// may come at any time. Once it is passing through, only what the slowest reader has not read yet is kept, the transport
/// waits for that reader, and no further one may come: memory stays bounded either way.
///
/// `@unchecked Sendable`: every variable is touched under the lock alone.
final class BodyRelay: @unchecked Sendable {
    /// What a reader gets.
    enum Piece: Sendable {
        case chunk([UInt8])
        case end
        case failed(EngineError)
    }

    /// Bytes that a reader may lag behind while the body is passing through.
    static let window = 256 << 10

    private let lock = Lock()
    private let limit: Int
    private var isKeeping: Bool
    private var chunks: [[UInt8]] = []
    /// The number of the first of `chunks`.
    private var first = 0
    /// Bytes in `chunks`.
    private var byteCount = 0
    private var end: Piece?
    private var readers: [Int: Reader] = [:]
    private var readersSoFar = 0
    private var room: Baton<Void>?

    private struct Reader {
        /// The number of the chunk it reads next.
        var next: Int
        /// Passed on when there is something to read.
        var waiting: Baton<Void>?
    }

    /// A body that is kept for as long as it is no longer than `limit`; with `nil` it passes through.
    init(keepingUpTo limit: Int?) {
        self.limit = limit ?? 0
        isKeeping = limit != nil
    }

    // MARK: The transport's side

    /// Adds a chunk.
    ///
    /// - Returns: whether the body is still kept.
    func append(_ chunk: [UInt8]) -> Bool {
        let (waiting, isKept) = lock.withLock {
            chunks.append(chunk)
            byteCount += chunk.count
            if byteCount > limit { isKeeping = false }
            trim()
            return (takeWaiting(), isKeeping)
        }
        for baton in waiting { baton.pass(()) }
        return isKept
    }

    /// Returns when there is room for another chunk, or the task is cancelled.
    func waitForRoom() async {
        while !Task.isCancelled {
            let baton: Baton<Void>? = lock.withLock {
                if isKeeping || byteCount <= Self.window { return nil }
                let baton = Baton<Void>()
                room = baton
                return baton
            }
            guard let baton else { return }
            await baton.wait(cancelled: ())
        }
    }

    /// All that was kept, as one; `nil` when the body is only passing through.
    var kept: [UInt8]? {
        lock.withLock {
            guard isKeeping else { return nil }
            var bytes: [UInt8] = []
            bytes.reserveCapacity(byteCount)
            for chunk in chunks { bytes += chunk }
            return bytes
        }
    }

    /// No chunk follows.
    func finish(_ piece: Piece) {
        let waiting = lock.withLock {
            end = piece
            return takeWaiting()
        }
        for baton in waiting { baton.pass(()) }
    }

    // MARK: The readers' side

    /// Lets one more reader begin at the beginning; `nil` when that is gone, or never was to be shared.
    ///
    /// - Parameter isFirst: the reader for whom the body was fetched, who may come even while it passes through.
    func attach(isFirst: Bool) -> Int? {
        lock.withLock {
            guard isKeeping || (isFirst && first == 0) else { return nil }
            readersSoFar += 1
            readers[readersSoFar] = Reader(next: 0)
            return readersSoFar
        }
    }

    /// The next piece for a reader.
    func next(for reader: Int) async -> Piece {
        while true {
            let baton = Baton<Void>()
            let (piece, room): (Piece?, Baton<Void>?) = lock.withLock {
                guard let place = readers[reader]?.next else { return (.failed(.cancelled), nil) }
                if place - first < chunks.count {
                    let chunk = chunks[place - first]
                    readers[reader]?.next += 1
                    trim()
                    return (.chunk(chunk), takeRoom())
                }
                if let end { return (end, nil) }
                readers[reader]?.waiting = baton
                return (nil, nil)
            }
            room?.pass(())
            if let piece { return piece }
            await baton.wait(cancelled: ())
            if Task.isCancelled { return .failed(.cancelled) }
        }
    }

    /// A reader has gone.
    func detach(_ reader: Int) {
        let (room, waiting) = lock.withLock {
            let waiting = readers.removeValue(forKey: reader)?.waiting
            trim()
            return (takeRoom(), waiting)
        }
        room?.pass(())
        waiting?.pass(())
    }

    // MARK: Under the lock

    /// Forgets what everybody has read, unless all is kept. With no reader yet, the first one may still come.
    private func trim() {
        guard !isKeeping, readersSoFar > 0 else { return }
        let slowest = readers.values.map(\.next).min() ?? first + chunks.count
        while first < slowest, !chunks.isEmpty {
            byteCount -= chunks.removeFirst().count
            first += 1
        }
    }

    private func takeRoom() -> Baton<Void>? {
        isKeeping || byteCount <= Self.window ? room.take() : nil
    }

    private func takeWaiting() -> [Baton<Void>] {
        var waiting: [Baton<Void>] = []
        for reader in readers.keys {
            if let baton = readers[reader]?.waiting.take() { waiting.append(baton) }
        }
        return waiting
    }
}
