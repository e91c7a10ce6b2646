// Invariant of the pointers: a place at `entries` is empty, or holds an entry that is retained for the block, until
// `release`; each place is released once. The memory is freed only in `deinit`.

import Platform
import Synchronization

/// When entries that left the memory tier are released. Not under a caller's lock: an attached object's deinit may call
/// back into the cache.
package enum ReleaseTiming {
    /// Before the call returns.
    case now
    /// When the caller, which holds a lock, has given that back and calls `releaseHeld`.
    case later
}

/// Entries evicted together. No reader can find them anymore, so they can be released on another thread.
///
/// `@unchecked Sendable`: the stored properties are constants. `BackgroundRelease` hands each place to one thread.
final class EntryBlock: @unchecked Sendable {
    /// Places, some of which may be empty.
    let count: Int
    private let parts: [UnsafeMutableBufferPointer<Unmanaged<EntryStorage>?>]
    private let deallocate: () -> Void

    /// - Parameter deallocate: frees the memory of the places.
    init(_ entries: UnsafeMutablePointer<Unmanaged<EntryStorage>?>?, count: Int, deallocate: @escaping () -> Void) {
        parts = entries.map { [UnsafeMutableBufferPointer(start: $0, count: count)] } ?? []
        self.count = count
        self.deallocate = deallocate
    }

    /// Joins several blocks, which may not be used for anything else.
    init(joining blocks: [EntryBlock]) {
        parts = blocks.flatMap(\.parts)
        count = parts.reduce(0) { $0 + $1.count }
        deallocate = { withExtendedLifetime(blocks) {} }
    }

    deinit { deallocate() }

    /// Releases the entries in some places.
    fileprivate func release(_ places: Range<Int>) {
        var first = 0
        for part in parts {
            let inPart = places.clamped(to: first..<first + part.count)
            for place in inPart { part[place - first]?.leaveAndRelease() }
            first += part.count
        }
    }
}

/// Releases blocks of entries on another thread, a part at a time: ten million take some seconds.
///
/// At most two blocks wait, so a tier that is filled and cleared again and again takes at most the memory of three
/// fillings.
///
/// `@unchecked Sendable`: every stored `var` is private, and used only under `lock`. One thread takes blocks, parts and
/// lists of entries out under the lock, and releases them alone.
final class BackgroundRelease: @unchecked Sendable {
    /// Runs work on another thread; `false` if there is none.
    typealias Later = @Sendable (_ body: @escaping @Sendable () -> Void) -> Bool

    /// Some places of a block.
    private struct Part {
        let block: EntryBlock
        let places: Range<Int>

        func release() { block.release(places) }
    }

    private let lock = Lock()
    /// First in, first out.
    private var waiting: [EntryBlock] = []
    /// The first place of the first block that is not yet released.
    private var next = 0
    private var isScheduled = false
    /// Parts that are being released now.
    private var partsUnderWay = 0
    /// Entries to release once the caller of a change holds no lock.
    private var held: RetiredEntries?
    private let holdsAny = Atomic<Bool>(false)
    private let later: Later

    /// At most this many entries are released at a time.
    static let entriesAtOnce = 4096
    /// Between two parts, nanoseconds: leaves other threads their time.
    private static let pause: UInt64 = 500_000

    init(later: @escaping Later = { DelayedWork.run(after: BackgroundRelease.pause, $0) }) { self.later = later }

    /// Releases a small block before it returns, and a large one later. If more than two would wait, it releases the
    /// rest of the first at once.
    func add(_ added: EntryBlock) {
        guard added.count > Self.entriesAtOnce else { return added.release(0..<added.count) }
        lock.lock()
        waiting.append(added)
        let first = waiting.count > 2 ? takePart(.max) : nil
        let wasScheduled = isScheduled
        isScheduled = true
        if first != nil { partsUnderWay += 1 }
        lock.unlock()
        if !wasScheduled { schedule() }
        if let first { release(first) }
    }

    /// Keeps entries for `releaseHeld`.
    func hold(_ retired: consuming RetiredEntries) {
        lock.lock()
        if var all = held.take() {
            all.append(contentsOf: retired)
            held = consume all
        } else {
            held = consume retired
        }
        holdsAny.store(true, ordering: .relaxed)
        lock.unlock()
    }

    /// Releases what `hold` kept. Without a lock: an attached object's deinit may call the tier, and all that is above
    /// it.
    func releaseHeld() {
        guard holdsAny.load(ordering: .relaxed) else { return }
        lock.lock()
        let taken = held.take()
        holdsAny.store(false, ordering: .relaxed)
        lock.unlock()
        taken?.release(by: self)
    }

    /// Releases a part that was counted in `partsUnderWay`. Without the lock: an attached object's deinit may call the
    /// tier.
    private func release(_ part: Part) {
        part.release()
        lock.withLock { partsUnderWay -= 1 }
    }

    /// Takes the next places of the first block, under the lock; `nil` if no block waits.
    private func takePart(_ mostCount: Int) -> Part? {
        guard let block = waiting.first else { return nil }
        let places = next..<next + min(mostCount, block.count - next)
        next = places.upperBound
        if next == block.count {
            waiting.removeFirst()
            next = 0
        }
        return Part(block: block, places: places)
    }

    private func schedule() {
        let hasThread = later { [self] in
            if releaseSome() { schedule() }
        }
        if !hasThread { while releaseSome() {} }
    }

    /// - Returns: `false` if there was nothing to release.
    private func releaseSome() -> Bool {
        lock.lock()
        guard let part = takePart(Self.entriesAtOnce) else {
            isScheduled = false
            lock.unlock()
            return false
        }
        partsUnderWay += 1
        lock.unlock()
        release(part)
        return true
    }

    /// Waits until everything is released.
    func finish() {
        releaseHeld()
        while releaseSome() {}
        var backoff = SpinBackoff()
        while lock.withLock({ partsUnderWay }) > 0 { backoff.wait() }
    }

    // MARK: Around a fork

    func prepareToFork() { lock.lock() }

    func resumeInParent() { lock.unlock() }

    /// The parent's other thread, which may have been releasing a part, doesn't exist here; that part stays in memory.
    func resumeInChild() {
        isScheduled = false
        partsUnderWay = 0
        lock.resetInChild()
    }
}
