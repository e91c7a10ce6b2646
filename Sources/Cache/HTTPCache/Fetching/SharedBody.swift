import Platform

/// A body that one transport brings and any number of readers read.
///
/// While the body may still be stored, all of it is kept, up to a limit: the transport is read as fast as it delivers, and
/// readers may come at any time. Once the body passes through, only the part that the slowest reader has not read yet is
/// kept, the transport waits for that reader, and no further reader may come. Memory stays bounded either way, except
/// for a reader that has asked for the whole.
final class SharedBody: BodySink {
    /// One step of reading.
    enum Part: Sendable {
        case bytes(BodyBytes)
        case end
        case failed(EngineError)
    }

    /// Bytes that a reader may lag behind while the body is passing through.
    static let window = 256 << 10
    /// Bytes for which a reader is woken before the transport has given all that it has.
    private static let wakeUpThreshold = 128 << 10

    private let clock: any CacheClock
    private let state: Locked<BodyState>

    /// A body that is kept as long as it does not exceed `limit` bytes; with `nil` it passes through.
    ///
    /// - Parameter isAwaitedWhole: the first reader will ask for the whole, so that the transport never waits for it.
    init(keepingUpTo limit: Int?, isAwaitedWhole: Bool, clock: any CacheClock) {
        self.clock = clock
        state = Locked(BodyState(keepingUpTo: limit, isAwaitedWhole: isAwaitedWhole, arrival: clock.uptime))
    }

    // MARK: The transport's side

    func room(orCall onRoom: @escaping @Sendable () -> Void) -> Int {
        state.withLock { state in
            let room = state.room
            if room == 0 { state.onRoom = onRoom }
            return room
        }
    }

    func append(_ bytes: UnsafeRawBufferPointer) -> Bool { add { $0.bytes.append(bytes) } }

    func append(_ bytes: BodyBytes) -> Bool {
        add { state in
            if state.bytes.isEmpty { state.bytes = bytes } else { bytes.withBytes(state.bytes.append) }
        }
    }

    /// - Returns: `false` when the body has just become too long to be kept.
    private func add(_ change: (inout BodyState) -> Void) -> Bool {
        let (waiting, goesOn): ([AutoResetEvent], Bool) = state.withLock { state in
            change(&state)
            state.hasNews = true
            let goesOn = !state.isKept || state.count <= state.limit
            if !goesOn { state.isKept = false }
            state.trim()
            return (state.bytes.count >= Self.wakeUpThreshold ? state.takeWaiting() : [], goesOn)
        }
        for event in waiting { event.set() }
        return goesOn
    }

    func flush() {
        let now = clock.uptime
        let waiting: [AutoResetEvent] = state.withLock { state in
            guard state.hasNews else { return [] }
            state.hasNews = false
            state.arrival = now
            return state.takeWaiting()
        }
        for event in waiting { event.set() }
    }

    /// Returns when there is room for another chunk, or the task is cancelled.
    nonisolated(nonsending) func waitForRoom() async {
        let event = AutoResetEvent()
        while !Task.isCancelled {
            guard room(orCall: { event.set() }) == 0 else { return }
            await event.wait()
        }
    }

    /// The whole body so far; `nil` if the body is passing through. To be called when no more bytes come.
    var kept: BodyBytes? { state.withLock { $0.isKept ? $0.bytes : nil } }

    /// Ends the body: no bytes follow.
    func finish(_ end: Part) {
        let waiting = state.withLock { state in
            state.end = end
            return state.takeWaiting(withCollecting: true)
        }
        for event in waiting { event.set() }
    }

    // MARK: The readers' side

    /// Adds a reader that begins at the first byte; `nil` if that is gone, or was never to be shared.
    ///
    /// - Parameter isFirst: for the request that began the fetch, which may read a body that passes through.
    func attach(isFirst: Bool) -> Int? {
        let now = clock.uptime
        return state.withLock { state in
            guard state.isKept || (isFirst && state.first == 0) else { return nil }
            state.readersSoFar += 1
            state.readers[state.readersSoFar] = BodyState.Reader(
                since: now, isCollecting: isFirst && state.isAwaitedWhole)
            return state.readersSoFar
        }
    }

    /// The next part for a reader, which waits at most `timeout` seconds since the last bytes arrived.
    ///
    /// - Parameters:
    ///   - isWhole: the part is to be all of the rest.
    ///   - event: of the reader alone. It may be set without a reason.
    nonisolated(nonsending) func next(
        for reader: Int, isWhole: Bool, _ event: AutoResetEvent, _ deadlines: Deadlines, timeout: Double?
    ) async -> Part {
        while true {
            let now = clock.uptime
            let (step, onRoom, since): (BodyState.Step, (@Sendable () -> Void)?, Double) = state.withLock { state in
                let step = state.read(reader, isWhole: isWhole, event)
                let onRoom = state.takeOnRoom(now: now)
                return (step, onRoom, max(state.arrival, state.readers[reader]?.since ?? now))
            }
            onRoom?()
            if case .part(let part) = step { return part }
            let deadline = timeout.map { since + $0 }
            if let timeout, let deadline, deadline <= now { return .failed(.timedOut(seconds: timeout)) }
            await deadlines.wait(for: event, until: deadline)
            if Task.isCancelled { return .failed(.cancelled) }
        }
    }

    /// See `BodyStream.shared`.
    func shared<Value: Sendable>(_ bytes: BodyBytes, _ make: (BodyBytes) -> Value) -> Value {
        state.withLock { state in
            guard bytes === state.bytes else { return make(bytes) }
            if let value = state.value as? Value { return value }
            let value = make(bytes)
            state.value = value
            return value
        }
    }

    /// Removes a reader, which is not waiting.
    func detach(_ reader: Int) {
        let now = clock.uptime
        let onRoom = state.withLock { state in
            state.readers[reader] = nil
            state.trim()
            return state.takeOnRoom(now: now)
        }
        onRoom?()
    }
}

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
