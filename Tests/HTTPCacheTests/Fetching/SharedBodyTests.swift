import HTTPSemantics
import Platform
import Testing
import VirtualOrigin

@testable import HTTPCache

/// Readers of one body at different paces, while it becomes too long to be kept.
@Suite struct SharedBodyTests {
    private static let chunk = [UInt8](repeating: 0x61, count: 100 << 10)
    private let bench: Bench

    init() throws {
        bench = try Bench()
        bench.origin.reply { _ in
            .init(HTTPResponse(headerFields: ["Cache-Control": "max-age=60"]), chunks: [Self.chunk, Self.chunk])
        }
        bench.origin.hold(bodies: true)
    }

    @Test("bytes stay until the slowest reader has read them") func slowestReader() throws {
        let (fast, slow) = (stream(on: bench.executor), stream(on: bench.executor))
        bench.executor.drain()
        release(1)
        let (fastStream, slowStream) = (try #require(fast.value), try #require(slow.value))
        release(1)
        #expect(read(fastStream) == Self.chunk.count)
        #expect(read(slowStream) == Self.chunk.count)
        release()
        #expect(read(slowStream) == Self.chunk.count)
        #expect(bench.requestCount == 1)
    }

    @Test("a request whose fetch has dropped the first bytes before it could read them asks again")
    func lateOwner() throws {
        let ownersExecutor = SteppedExecutor()
        let owner = stream(on: ownersExecutor)
        ownersExecutor.drain()
        bench.executor.drain()
        let other = stream(on: bench.executor)
        bench.executor.drain()
        #expect(bench.requestCount == 1)
        release(1)
        release(1)
        #expect(read(try #require(other.value)) == Self.chunk.count)
        ownersExecutor.drain()
        #expect(owner.result == nil)
        release()
        ownersExecutor.drain()
        #expect(bench.requestCount == 2)
        let answered = try #require(owner.value)
        release()
        #expect((read(answered) ?? 0) + (read(answered) ?? 0) == 2 * Self.chunk.count)
    }

    @Test("the transport waits for a reader, except for one that will ask for the whole", arguments: [false, true])
    func awaitedWhole(isAwaitedWhole: Bool) async {
        let body = SharedBody(keepingUpTo: nil, isAwaitedWhole: isAwaitedWhole, clock: bench.clock)
        let deadlines = Deadlines(clock: bench.clock, executor: nil)
        let bytes = [UInt8](repeating: 0x61, count: SharedBody.window)
        _ = bytes.withUnsafeBytes(body.append)
        #expect((body.room {} > 0) == isAwaitedWhole)
        guard isAwaitedWhole, let reader = body.attach(isFirst: true) else { return }
        _ = bytes.withUnsafeBytes(body.append)
        #expect(body.room {} > 0, "also before it reads")
        body.finish(.end)
        guard
            case .bytes(let all) = await body.next(
                for: reader, isWhole: true, AutoResetEvent(), deadlines, timeout: nil)
        else {
            Issue.record("no bytes")
            return
        }
        #expect(all.count == 2 * SharedBody.window)
    }

    @Test("a body is kept up to its limit, and not a byte beyond it") func limit() {
        let body = SharedBody(keepingUpTo: 3, isAwaitedWhole: false, clock: bench.clock)
        #expect([UInt8]([1, 2, 3]).withUnsafeBytes(body.append))
        #expect(body.kept?.count == 3)
        #expect(![UInt8]([4]).withUnsafeBytes(body.append))
        #expect(body.kept == nil)
        #expect([UInt8]([5]).withUnsafeBytes(body.append), "it is told once")
    }

    @Test("a body that is kept has room up to its limit and one byte more, which shows that it is too long")
    func roomOfKept() {
        let body = SharedBody(keepingUpTo: 100, isAwaitedWhole: false, clock: bench.clock)
        #expect(body.room {} == 101)
        #expect([UInt8](repeating: 1, count: 60).withUnsafeBytes { body.append($0) })
        #expect(body.room {} == 41)
        #expect([UInt8](repeating: 1, count: 41).withUnsafeBytes { !body.append($0) })
        #expect(body.room {} == SharedBody.window - 101)
        #expect(SharedBody(keepingUpTo: .max, isAwaitedWhole: false, clock: bench.clock).room {} == .max)
    }

    @Test("a slow reader that leaves makes room") func leaving() async throws {
        let body = SharedBody(keepingUpTo: nil, isAwaitedWhole: false, clock: bench.clock)
        let deadlines = Deadlines(clock: bench.clock, executor: nil)
        let fast = try #require(body.attach(isFirst: true))
        let slow = try #require(body.attach(isFirst: true))
        _ = [UInt8](repeating: 0x61, count: SharedBody.window).withUnsafeBytes(body.append)
        let hasRoom = Flag()
        #expect(body.room { hasRoom.value.withLock { $0 = true } } == 0)
        guard case .bytes = await body.next(for: fast, isWhole: false, AutoResetEvent(), deadlines, timeout: nil) else {
            Issue.record("no bytes")
            return
        }
        #expect(!hasRoom.value.withLock { $0 })
        body.detach(slow)
        #expect(hasRoom.value.withLock { $0 } && body.room {} == SharedBody.window)
    }

    @Test(
        "a reader for which another has waited for its whole time, and for a minute, is cut off, and the other goes on",
        arguments: [(10, 60), (90, 90)] as [(Double, Int64)])
    func cuttingOff(timeout: Double, patience: Int64) throws {
        let body = SharedBody(keepingUpTo: nil, isAwaitedWhole: false, clock: bench.clock)
        let deadlines = Deadlines(clock: bench.clock, executor: bench.executor)
        let (fast, slow) = (try #require(body.attach(isFirst: true)), try #require(body.attach(isFirst: true)))
        let event = AutoResetEvent()
        func reading(_ reader: Int) -> Started<SharedBody.Part> {
            let reading = bench.executor.start {
                await body.next(
                    for: reader, isWhole: false, reader == fast ? event : AutoResetEvent(), deadlines, timeout: timeout)
            }
            bench.executor.drain()
            return reading
        }
        let hasRoom = Flag()
        for _ in 0..<2 {
            _ = [UInt8](repeating: 0x61, count: SharedBody.window / 2).withUnsafeBytes(body.append)
            body.flush()
            guard case .bytes = reading(fast).value else { throw VirtualOrigin.Unreachable() }
        }
        #expect(body.room { hasRoom.value.withLock { $0 = true } } == 0)
        let waiting = reading(fast)
        advance(by: patience - 1)
        #expect(waiting.result == nil && !hasRoom.value.withLock { $0 } && !body.isCutOff(slow))
        advance(by: 1)
        #expect(waiting.result == nil && hasRoom.value.withLock { $0 } && body.isCutOff(slow) && !body.isCutOff(fast))
        guard case .failed(.brokenOff(is LaggingReader)) = reading(slow).value else {
            Issue.record("the slow one goes on")
            return
        }
        // Its own time begins anew, and has an end.
        advance(by: Int64(timeout) - 1)
        #expect(waiting.result == nil)
        advance(by: 1)
        guard case .failed(.timedOut(timeout)) = waiting.value else {
            Issue.record("\(String(describing: waiting.value))")
            return
        }
    }

    @Test("once a slow reader has read, another's own short time-out counts again, since the origin has to send")
    func readInTime() throws {
        let body = SharedBody(keepingUpTo: nil, isAwaitedWhole: false, clock: bench.clock)
        let deadlines = Deadlines(clock: bench.clock, executor: bench.executor)
        let (fast, slow) = (try #require(body.attach(isFirst: true)), try #require(body.attach(isFirst: true)))
        _ = [UInt8](repeating: 0x61, count: SharedBody.window).withUnsafeBytes(body.append)
        body.flush()
        #expect(body.room {} == 0)
        func reading(_ reader: Int) -> Started<SharedBody.Part> {
            let reading = bench.executor.start {
                await body.next(for: reader, isWhole: false, AutoResetEvent(), deadlines, timeout: 2)
            }
            bench.executor.drain()
            return reading
        }
        guard case .bytes = reading(fast).value else { throw VirtualOrigin.Unreachable() }
        let waiting = reading(fast)
        advance(by: 30)
        #expect(waiting.result == nil)
        guard case .bytes = reading(slow).value else { throw VirtualOrigin.Unreachable() }
        advance(by: 1)
        #expect(waiting.result == nil)
        advance(by: 1)
        guard case .failed(.timedOut(2)) = waiting.value else {
            Issue.record("\(String(describing: waiting.value))")
            return
        }
    }

    /// Second by second, since a reader that waits for another one looks again after each.
    private func advance(by seconds: Int64) {
        for _ in 0..<seconds {
            bench.clock.advance(by: 1)
            bench.executor.drain()
        }
    }

    @Test("a reader is woken by 128 KiB before the transport has given all that it has") func wakingEarly() throws {
        let body = SharedBody(keepingUpTo: nil, isAwaitedWhole: false, clock: bench.clock)
        let deadlines = Deadlines(clock: bench.clock, executor: nil)
        let reader = try #require(body.attach(isFirst: true))
        let reading = bench.executor.start {
            await body.next(for: reader, isWhole: false, AutoResetEvent(), deadlines, timeout: nil)
        }
        bench.executor.drain()
        for (count, isWoken) in [((128 << 10) - 1, false), (1, true)] {
            _ = [UInt8](repeating: 0x61, count: count).withUnsafeBytes(body.append)
            bench.executor.drain()
            #expect((reading.value != nil) == isWoken)
        }
    }

    @Test("who reads part by part is woken while another collects the whole") func partsBesideWhole() throws {
        let body = SharedBody(keepingUpTo: 100, isAwaitedWhole: true, clock: bench.clock)
        let deadlines = Deadlines(clock: bench.clock, executor: nil)
        _ = try #require(body.attach(isFirst: true))
        let other = try #require(body.attach(isFirst: false))
        let reading = bench.executor.start {
            await body.next(for: other, isWhole: false, AutoResetEvent(), deadlines, timeout: nil)
        }
        bench.executor.drain()
        _ = [UInt8]([1, 2, 3]).withUnsafeBytes(body.append)
        body.flush()
        bench.executor.drain()
        #expect(reading.value != nil)
    }

    @Test("a reader that was to collect the whole and has left makes the transport wait again")
    func collectorLeaves() throws {
        let body = SharedBody(keepingUpTo: nil, isAwaitedWhole: true, clock: bench.clock)
        body.detach(try #require(body.attach(isFirst: true)))
        #expect(body.room {} == SharedBody.window)
    }

    @Test("bytes that were read while the body was kept are dropped as soon as it becomes too long")
    func tooLongAfterReading() throws {
        let body = SharedBody(keepingUpTo: Self.chunk.count, isAwaitedWhole: false, clock: bench.clock)
        let deadlines = Deadlines(clock: bench.clock, executor: nil)
        let reader = try #require(body.attach(isFirst: true))
        for _ in 0..<2 {
            _ = Self.chunk.withUnsafeBytes(body.append)
            let reading = bench.executor.start {
                await body.next(for: reader, isWhole: false, AutoResetEvent(), deadlines, timeout: nil)
            }
            guard body.kept != nil else { break }
            bench.executor.drain()
            #expect(reading.value != nil)
        }
        #expect(body.room {} == SharedBody.window - Self.chunk.count, "the first chunk was read")
    }

    @Test("all who read a whole body at its end get the same bytes, which do not change when one of them leaves")
    func sameBytes() async throws {
        let body = SharedBody(keepingUpTo: nil, isAwaitedWhole: false, clock: bench.clock)
        let deadlines = Deadlines(clock: bench.clock, executor: nil)
        let readers = try [true, true].map { try #require(body.attach(isFirst: $0)) }
        _ = Self.chunk.withUnsafeBytes(body.append)
        body.finish(.end)
        var parts: [BodyBytes] = []
        for reader in readers {
            let part = await body.next(for: reader, isWhole: false, AutoResetEvent(), deadlines, timeout: nil)
            if case .bytes(let bytes) = part { parts.append(bytes) }
            body.detach(reader)
        }
        #expect(parts.count == 2 && parts.first === parts.last && parts.first?.count == Self.chunk.count)
    }

    @Test("the time of a reader begins again with bytes, and not with a look that finds none")
    func lookWithoutBytes() throws {
        let body = SharedBody(keepingUpTo: nil, isAwaitedWhole: true, clock: bench.clock)
        let deadlines = Deadlines(clock: bench.clock, executor: bench.executor)
        let reader = try #require(body.attach(isFirst: true))
        let reading = bench.executor.start {
            await body.next(for: reader, isWhole: true, AutoResetEvent(), deadlines, timeout: 10)
        }
        bench.executor.drain()
        for hasBytes in [true, false] {
            bench.clock.advance(by: 5)
            if hasBytes { _ = [UInt8]([1]).withUnsafeBytes(body.append) }
            body.flush()
            bench.executor.drain()
        }
        bench.clock.advance(by: 4)
        bench.executor.drain()
        #expect(reading.value == nil)
        bench.clock.advance(by: 1)
        bench.executor.drain()
        guard case .failed(.timedOut(10)) = reading.value else {
            Issue.record("\(String(describing: reading.value))")
            return
        }
    }

    @Test("a body that nobody reads is taken 256 KiB far, and no farther") func window() {
        let chunk = [UInt8](repeating: 0x61, count: 32 << 10)
        bench.origin.reply { _ in
            .init(HTTPResponse(headerFields: ["Cache-Control": "no-store"]), chunks: Array(repeating: chunk, count: 64))
        }
        bench.origin.release()
        let answer = stream(on: bench.executor)
        bench.executor.drain()
        #expect(answer.value != nil && (8...9).contains(bench.origin.chunksSent))
    }

    private final class Flag: Sendable {
        let value = Locked(false)
    }

    /// Asks, and returns the body unread.
    private func stream(on executor: SteppedExecutor) -> Started<BodyStream> {
        let engine = bench.engine
        return executor.start {
            let answer = try await engine.respond(to: CacheRequest(HTTPRequest(url: Bench.url)))
            guard case .stream(let stream) = answer.body else { throw VirtualOrigin.Unreachable() }
            return stream
        }
    }

    private func release(_ count: Int? = nil) {
        bench.origin.release(count)
        bench.executor.drain()
    }

    /// The length of the next part; `nil` at the end, or if it has not come.
    private func read(_ stream: BodyStream) -> Int? {
        let started = bench.executor.start { try await stream.next()?.count }
        bench.executor.drain()
        return started.value ?? nil
    }
}
