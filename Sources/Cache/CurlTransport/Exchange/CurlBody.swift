import HTTPCache
import HTTPSemantics
import Platform

/// An answer on its way from libcurl's thread to the engine. The number of bytes waiting to be read is bounded.
///
/// The lock is held while bytes are passed to the sink, whose own lock comes second.
final class CurlBody: PushedBody, Sendable {
    /// How many bytes may wait before there is a sink; then the transfer is paused.
    static let window = 512 << 10

    fileprivate struct State {
        var head: HTTPResponse?
        var isEndCertain = true
        /// Bytes that came before there was a sink.
        var bytes = BodyBytes()
        var sink: (any BodySink)?
        var end: Result<Void, any Error>?
        /// The transfer must be told when there is room again.
        var isFull = false
    }

    private let state = Locked(State())
    private let event = AutoResetEvent()
    private let onRoom: @Sendable () -> Void
    private let onCancel: @Sendable () -> Void

    /// - Parameters:
    ///   - onRoom: called when bytes were read from a body that was full.
    ///   - onCancel: called when the rest is not wanted.
    init(onRoom: @escaping @Sendable () -> Void, onCancel: @escaping @Sendable () -> Void) {
        self.onRoom = onRoom
        self.onCancel = onCancel
    }

    // MARK: The engine's side

    nonisolated(nonsending) func incoming() async throws -> IncomingResponse {
        while true {
            let head: IncomingResponse? = try state.withLock { state in
                if let head = state.head {
                    var incoming = IncomingResponse(head, pushed: self)
                    incoming.isEndCertain = state.isEndCertain
                    return incoming
                }
                if case .failure(let error) = state.end { throw error }
                return nil
            }
            if let head { return head }
            try await wait()
        }
    }

    func next() async throws -> [UInt8]? {
        while true {
            let (bytes, wasFull, end) = state.withLock { state in (state.takeBytes(), state.takeFull(), state.end) }
            if wasFull { onRoom() }
            if !bytes.isEmpty { return [UInt8](bytes) }
            if let end {
                try end.get()
                return nil
            }
            try await wait()
        }
    }

    var isEndCertain: Bool { state.withLock { $0.isEndCertain } }

    var isComplete: Bool {
        state.withLock { state in
            if case .success = state.end { true } else { false }
        }
    }

    nonisolated(nonsending) func deliver(to sink: any BodySink) async throws -> Bool {
        let (goesOn, wasFull): (Bool, Bool) = state.withLock { state in
            let bytes = state.takeBytes()
            let goesOn = bytes.isEmpty || sink.append(bytes)
            if goesOn { state.sink = sink }
            return (goesOn, state.takeFull())
        }
        sink.flush()
        if wasFull { onRoom() }
        guard goesOn else { return false }
        while true {
            let (end, isStopped): (Result<Void, any Error>?, Bool) = state.withLock { ($0.end, $0.sink == nil) }
            // After the last bytes, because adding them may have asked to stop.
            if isStopped { return false }
            if let end {
                state.withLock { $0.sink = nil }
                try end.get()
                return true
            }
            try await wait()
        }
    }

    func cancel() {
        let wasUnderWay = state.withLock { state in
            guard state.end == nil else { return false }
            state.end = .failure(CancellationError())
            state.sink = nil
            return true
        }
        guard wasUnderWay else { return }
        event.set()
        onCancel()
    }

    private nonisolated(nonsending) func wait() async throws {
        await event.wait()
        guard !Task.isCancelled else {
            cancel()
            throw CancellationError()
        }
    }

    // MARK: libcurl's side

    /// How many bytes may be added; 0 if the transfer must wait for `onRoom`.
    func room() -> Int {
        state.withLock { state in
            if let sink = state.sink { return sink.room(orCall: onRoom) }
            let room = max(Self.window - state.bytes.count, 0)
            if room == 0 { state.isFull = true }
            return room
        }
    }

    func receive(_ head: HTTPResponse, isEndCertain: Bool = true) {
        let length = head.headerFields["Content-Length"].flatMap { Int64($0) } ?? 0
        state.withLock { state in
            state.head = head
            state.isEndCertain = isEndCertain
            state.bytes = BodyBytes(expecting: length)
        }
    }

    /// Adds bytes, at most as many as there is room for, plus one part.
    func receive(_ bytes: UnsafeRawBufferPointer) {
        let isStopped = state.withLock { state in
            guard let sink = state.sink else {
                state.bytes.append(bytes)
                return false
            }
            if sink.append(bytes) { return false }
            state.sink = nil
            return true
        }
        if isStopped { event.set() }
    }

    func finish(_ end: Result<Void, any Error>, isCertain: Bool = true) {
        state.withLock { state in
            state.end = state.end ?? end
            if !isCertain { state.isEndCertain = false }
        }
        event.set()
    }

    /// libcurl has delivered all it has.
    func wakeUp() {
        if let sink = state.withLock({ $0.sink }) { sink.flush() } else { event.set() }
    }
}

extension CurlBody.State {
    fileprivate mutating func takeBytes() -> BodyBytes {
        defer { bytes = BodyBytes() }
        return bytes
    }

    fileprivate mutating func takeFull() -> Bool {
        defer { isFull = false }
        return isFull
    }
}

/// The transfers whose readers must be woken once libcurl has delivered all it has: one wake-up for header and body.
final class CurlNews {
    /// When libcurl was called last, on the monotonic clock. What it then tells happened at that moment.
    private(set) var now = monotonicNanoseconds()
    private var bodies: [CurlBody] = []
    private var unfinishedHeads: [CurlTransfer] = []

    /// Call this before calling libcurl.
    func begin() { now = monotonicNanoseconds() }

    func append(_ transfer: CurlTransfer) {
        if bodies.last !== transfer.body { bodies.append(transfer.body) }
    }

    /// A line has come of a header that may not be complete yet.
    func appendHeaderLine(of transfer: CurlTransfer) {
        if unfinishedHeads.last !== transfer { unfinishedHeads.append(transfer) }
    }

    func wakeReaders() {
        if !unfinishedHeads.isEmpty {
            for transfer in unfinishedHeads { transfer.tellProgress() }
            unfinishedHeads.removeAll(keepingCapacity: true)
        }
        guard !bodies.isEmpty else { return }
        for body in bodies { body.wakeUp() }
        bodies.removeAll(keepingCapacity: true)
    }
}
