import Platform

/// A body that one transport brings and any number of readers read.
///
/// While the body may still be stored, all of it is kept, up to a limit: the transport is read as fast as it delivers,
/// and readers may join at any time. Once the body passes through, only what the slowest reader has not read is kept,
/// the transport waits for that reader, and no one else may join. If it reads nothing for as long as another may wait,
/// but at least for `longestLag`, it is cut off. Memory is bounded either way, unless a reader has asked for the whole.
final class SharedBody: BodySink {
    enum Part: Sendable {
        case bytes(BodyBytes)
        case end
        case failed(EngineError)
    }

    /// How many bytes a reader may lag behind while the body passes through.
    static let window = 256 << 10
    /// For how many seconds a reader may keep another waiting whose own time-out is shorter.
    static let longestLag = 60.0
    /// A reader is woken after this many bytes, even if the transport has more at hand.
    private static let wakeUpThreshold = 128 << 10

    private let clock: any CacheClock
    private let state: Locked<BodyState>

    /// A body that is kept while it does not exceed `limit` bytes; with `nil` it passes through.
    ///
    /// - Parameter isAwaitedWhole: the first reader will ask for the whole, so the transport never waits for it.
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

    /// - Returns: `false` if the body has just become too long to be kept.
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

    /// The whole body so far; `nil` if it passes through. Call it when no more bytes come.
    var kept: BodyBytes? { state.withLock { $0.isKept ? $0.bytes : nil } }

    func finish(_ end: Part) {
        let waiting = state.withLock { state in
            state.end = end
            return state.takeWaiting(withCollecting: true)
        }
        for event in waiting { event.set() }
    }

    /// Like `finish`, for all readers but the first.
    func finishForOthers(_ end: Part) {
        let waiting = state.withLock { state in
            state.endForOthers = end
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
                since: now, isFirst: isFirst, isCollecting: isFirst && state.isAwaitedWhole)
            return state.readersSoFar
        }
    }

    /// The next part for a reader, which waits at most `timeout` seconds since the last bytes arrived, and to `limit`.
    ///
    /// - Parameters:
    ///   - isWhole: return all of the rest as one part.
    ///   - event: the reader's own. It may be set without a reason.
    ///   - secondsRunning: see `OutgoingRequest.secondsRunning`.
    nonisolated(nonsending) func next(
        for reader: Int, isWhole: Bool, _ event: AutoResetEvent, _ deadlines: Deadlines, timeout: Double?,
        limit: TimeLimit? = nil, secondsRunning: (@Sendable () -> Double)? = nil
    ) async -> Part {
        while true {
            let now = clock.uptime
            let resumed = now - (secondsRunning?() ?? .infinity)
            let limit = limit?.counting(from: resumed)
            let failure = limit.failure(at: now)
            let (step, onRoom, since): (BodyState.Step, (@Sendable () -> Void)?, Double) = state.withLock { state in
                // What has all come is read, however late.
                if let failure, state.end == nil { return (.part(.failed(failure)), nil, now) }
                let step = state.read(reader, isWhole: isWhole, event)
                let onRoom = state.takeOnRoom(now: now)
                return (step, onRoom, max(state.arrival, state.readers[reader]?.since ?? now, resumed))
            }
            onRoom?()
            if case .part(let part) = step { return part }
            var deadline = timeout.map { since + $0 }
            if let timeout, let over = deadline, over <= now {
                guard state.withLock({ $0.isHeldBack(reader) }) else { return .failed(.timedOut(seconds: timeout)) }
                let patience = since + max(timeout, Self.longestLag)
                guard patience > now else {
                    cutOffThoseBehind(reader)
                    continue
                }
                // Looks again soon: nobody tells it when the other has read, but then the origin has to send.
                deadline = min(patience, now + 1)
            }
            await deadlines.wait(for: event, until: limit.earlier(than: deadline))
            if Task.isCancelled { return .failed(.cancelled) }
        }
    }

    /// Cuts off the readers that the transport waits for, so that bytes come for this one.
    private func cutOffThoseBehind(_ reader: Int) {
        let now = clock.uptime
        let onRoom: (@Sendable () -> Void)? = state.withLock { state in
            state.cutOffThoseBehind(reader)
            state.arrival = now
            return state.takeOnRoom(now: now)
        }
        onRoom?()
    }

    /// How many bytes have come.
    var byteCount: Int { state.withLock { $0.count } }

    /// See `BodyStream.isCutOff`.
    func isCutOff(_ reader: Int) -> Bool { state.withLock { $0.cutOff.contains(reader) } }

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

struct BodyState {
    struct Reader {
        /// The position of the byte it reads next.
        var next = 0
        /// When its time began, by `CacheClock.uptime`.
        let since: Double
        /// It belongs to the request that began the fetch.
        var isFirst = false
        /// It waits for all of the rest.
        var isCollecting = false
        /// Set once there is something to read.
        var waiting: AutoResetEvent?
    }

    enum Step {
        case part(SharedBody.Part)
        /// Its event will be set once there is something to read.
        case wait
    }

    var isKept: Bool
    let limit: Int
    let isAwaitedWhole: Bool
    /// Bytes have come since the readers were woken.
    var hasNews = false
    /// When bytes last arrived, or could arrive again, by `CacheClock.uptime`.
    var arrival: Double
    /// The bytes from position `first` on. They no longer change once the body has ended.
    var bytes = BodyBytes()
    /// Bytes that were dropped, or handed out for good.
    var first = 0
    var end: SharedBody.Part?
    /// The end for all readers but the first, whose application is still asked about the body.
    var endForOthers: SharedBody.Part?
    /// What was made of `bytes` for all readers.
    var value: (any Sendable)?
    var readers: [Int: Reader] = [:]
    var readersSoFar = 0
    /// Readers that others would have waited for.
    var cutOff: Set<Int> = []
    var onRoom: (@Sendable () -> Void)?

    init(keepingUpTo limit: Int?, isAwaitedWhole: Bool, arrival: Double) {
        isKept = limit != nil
        self.limit = limit ?? 0
        self.isAwaitedWhole = isAwaitedWhole
        self.arrival = arrival
    }

    var count: Int { first + bytes.count }

    /// How many bytes may be added.
    var room: Int {
        if isAwaitedWhole && readersSoFar == 0 || readers.values.contains(where: \.isCollecting) { return .max }
        // One byte more, to show that it is too long.
        if isKept { return min(max(limit - bytes.count, 0), .max - 1) + 1 }
        return max(SharedBody.window - bytes.count, 0)
    }

    mutating func read(_ reader: Int, isWhole: Bool, _ event: AutoResetEvent) -> Step {
        if let part = part(for: reader, isWhole: isWhole) { return .part(part) }
        readers[reader]?.waiting = event
        return .wait
    }

    /// `nil` if the reader has to wait.
    private mutating func part(for reader: Int, isWhole: Bool) -> SharedBody.Part? {
        guard let (next, isFirst) = readers[reader].map({ ($0.next, $0.isFirst) }) else {
            return .failed(cutOff.contains(reader) ? .brokenOff(LaggingReader()) : .cancelled)
        }
        let end = end ?? (isFirst ? nil : endForOthers)
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

    /// Drops the bytes every reader has read, unless all is kept or the first reader has not come yet.
    mutating func trim() {
        guard !isKept, end == nil, readersSoFar > 0 else { return }
        let slowest = readers.values.map(\.next).min() ?? count
        guard slowest > first else { return }
        bytes.removeFirst(slowest - first)
        first = slowest
    }

    /// A reader has read all that came, and the transport waits for another one.
    func isHeldBack(_ reader: Int) -> Bool { room == 0 && readers[reader]?.next == count }

    mutating func cutOffThoseBehind(_ reader: Int) {
        while isHeldBack(reader), let slowest = readers.min(by: { $0.value.next < $1.value.next })?.key {
            readers[slowest] = nil
            cutOff.insert(slowest)
            trim()
        }
    }

    /// What to call now that bytes may come again. Their time starts now.
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

/// A request has read too slowly for another one.
struct LaggingReader: Error, CustomStringConvertible {
    var description: String {
        "another request shares the body and has waited for this one to read, for as long as it may wait"
    }
}
