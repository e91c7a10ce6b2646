import Platform

/// The variables of a `SharedBody`, behind its lock.
struct BodyState {
    struct Reader {
        /// The place of the byte that it reads next.
        var next = 0
        /// Its time began here, by `CacheClock.uptime`.
        var since: Double
        /// It waits for all of the rest.
        var isCollecting = false
        /// To be set once there is something to read.
        var waiting: AutoResetEvent?
    }

    /// The answer to a reader at this moment.
    enum Step {
        case part(SharedBody.Part)
        /// Its event will be set once there is something to read.
        case wait
    }

    var isKept: Bool
    /// Bytes up to which it is kept.
    let limit: Int
    /// The first reader will ask for the whole.
    let isAwaitedWhole: Bool
    /// Bytes have come since the readers were woken.
    var hasNews = false
    /// When bytes last arrived, or could arrive again, by `CacheClock.uptime`.
    var arrival: Double
    /// The bytes from place `first` on. Not changed any more once the body has ended.
    var bytes = BodyBytes()
    /// Bytes that were dropped, or handed out for good.
    var first = 0
    var end: SharedBody.Part?
    /// What was made of `bytes` for all readers.
    var value: (any Sendable)?
    var readers: [Int: Reader] = [:]
    var readersSoFar = 0
    var onRoom: (@Sendable () -> Void)?

    /// A body that is kept as long as it does not exceed `limit` bytes; with `nil` it passes through.
    init(keepingUpTo limit: Int?, isAwaitedWhole: Bool, arrival: Double) {
        isKept = limit != nil
        self.limit = limit ?? 0
        self.isAwaitedWhole = isAwaitedWhole
        self.arrival = arrival
    }

    /// Bytes of the body so far.
    var count: Int { first + bytes.count }

    /// Bytes that may be added.
    var room: Int {
        if isAwaitedWhole && readersSoFar == 0 || readers.values.contains(where: \.isCollecting) { return .max }
        // One more byte shows that it is too long.
        if isKept { return min(max(limit - bytes.count, 0), .max - 1) + 1 }
        return max(SharedBody.window - bytes.count, 0)
    }

    /// The answer to the reader at this moment.
    mutating func read(_ reader: Int, isWhole: Bool, _ event: AutoResetEvent) -> Step {
        if let part = part(for: reader, isWhole: isWhole) { return .part(part) }
        readers[reader]?.waiting = event
        return .wait
    }

    /// `nil` if the reader has to wait.
    private mutating func part(for reader: Int, isWhole: Bool) -> SharedBody.Part? {
        guard let next = readers[reader]?.next else { return .failed(.cancelled) }
        if isWhole {
            readers[reader]?.isCollecting = true
            guard let end else { return nil }
            if case .failed = end { return end }
        }
        let count = count
        guard next < count else { return end }
        readers[reader]?.next = count
        if next == first, end != nil { return .bytes(bytes) }
        let taken: BodyBytes
        if next == first, !isKept, readers.count == 1 {
            taken = bytes
            bytes = BodyBytes(expecting: Int64(min(taken.count, SharedBody.window)))
            first += taken.count
        } else {
            taken = bytes.copy(from: next - first)
            trim()
        }
        return .bytes(taken)
    }

    /// Drops the bytes that every reader has read, unless all is kept. None before the first reader has come.
    mutating func trim() {
        guard !isKept, end == nil, readersSoFar > 0 else { return }
        let slowest = readers.values.map(\.next).min() ?? count
        guard slowest > first else { return }
        bytes.removeFirst(slowest - first)
        first = slowest
    }

    /// What to call now that bytes may come again, which they have time for from now on.
    mutating func takeOnRoom(now: Double) -> (@Sendable () -> Void)? {
        guard room > 0, let onRoom = onRoom.take() else { return nil }
        arrival = now
        return onRoom
    }

    mutating func takeWaiting(withCollecting: Bool = false) -> [AutoResetEvent] {
        var waiting: [AutoResetEvent] = []
        for key in readers.keys where withCollecting || readers[key]?.isCollecting == false {
            if let event = readers[key]?.waiting.take() { waiting.append(event) }
        }
        return waiting
    }
}
