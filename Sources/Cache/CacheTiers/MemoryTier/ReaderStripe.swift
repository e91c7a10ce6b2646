// Invariant of the pointers: from `make(in:)` to `destroy()` a stripe is `stride` bytes: its gate, `Inside` on the next
// cache line, and the buffer from the next pair on.

import CSupport
import Platform
import Synchronization

/// What a thread needs for its hits, on cache lines of its own: a gate that says that a reader is inside, and a read
/// buffer (`ReadBuffer`).
///
/// Threads share a stripe only if there are more threads than stripes. So hits on different threads write no common
/// word, not even the reference count of the entry: each stripe hands it out by its own leases (`EntryLeases`). A
/// writer keeps readers out only for a moment, before it releases entries that they may have found.
struct ReaderStripe: ~Copyable {
    /// The reader inside.
    let gate = ReaderGate()

    /// What only the reader inside touches. It follows the stripe in memory and isn't a part of it: changing a part of
    /// a value is an access to the whole, and a writer may be looking at other parts.
    struct Inside: ~Copyable {
        /// Lookups that found an entry.
        var hits: UInt64 = 0
        /// Lookups that did not.
        var misses: UInt64 = 0
        var leases = EntryLeases()
    }

    /// Bytes from one stripe to the next.
    static let stride = cacheLinePair + ReadBuffer.byteCount
}

extension UnsafeMutablePointer<ReaderStripe> {
    /// Makes a stripe in `stride` bytes of memory.
    static func make(in memory: UnsafeMutableRawPointer) {
        let stripe = memory.bindMemory(to: ReaderStripe.self, capacity: 1)
        stripe.initialize(to: ReaderStripe())
        stripe.inside.initialize(to: ReaderStripe.Inside())
        stripe.buffer.initialize()
    }

    /// Frees what `make(in:)` made. Leases that callers still hold become owners.
    func destroy() {
        inside.pointee.leases.makeOwners(of: .everything)
        inside.deinitialize(count: 1)
        deinitialize(count: 1)
    }

    /// For the reader inside.
    @inline(__always)
    var inside: UnsafeMutablePointer<ReaderStripe.Inside> {
        (UnsafeMutableRawPointer(self) + cacheLinePair / 2).assumingMemoryBound(to: ReaderStripe.Inside.self)
    }

    /// The stripe's read buffer.
    @inline(__always)
    var buffer: ReadBuffer { ReadBuffer(memory: UnsafeMutableRawPointer(self) + cacheLinePair) }
}

/// A set of stripes, of which there are at most 64.
struct StripeSet {
    private var bits: UInt64 = 0
    /// A stripe's retired entries take at most the capacity divided by this: a hundredth of it, or less if there are so
    /// many stripes that all would take more than a sixteenth.
    private(set) var divisor = 100

    mutating func insert(_ index: Int) {
        bits |= 1 << UInt64(index)
        divisor = max(100, 16 * bits.nonzeroBitCount)
    }

    @inline(__always)
    func forEach(_ body: (Int) -> Void) {
        var rest = bits
        while rest != 0 {
            body(rest.trailingZeroBitCount)
            rest &= rest - 1
        }
    }

    func allSatisfy(_ condition: (Int) -> Bool) -> Bool {
        var areAll = true
        forEach { areAll = areAll && condition($0) }
        return areAll
    }
}

// Invariant of the pointers: a stripe's index is below `stripeCount`; the stripes are initialised from the tier's
// `init` to its `deinit`.

extension MemoryTier {
    @inline(__always)
    func stripe(_ index: Int) -> UnsafeMutablePointer<ReaderStripe> {
        (stripeMemory + index &* ReaderStripe.stride).assumingMemoryBound(to: ReaderStripe.self)
    }

    /// The number of the calling thread's stripe.
    @inline(__always)
    var threadStripe: Int { Int(truncatingIfNeeded: cs_thread_number()) & (stripeCount &- 1) }

    /// Enters the calling thread's stripe.
    @inline(__always)
    func enteredStripe() -> UnsafeMutablePointer<ReaderStripe> {
        let index = threadStripe
        let stripe = stripe(index)
        if !stripe.pointee.gate.tryEnter() { waitToEnter(index) }
        return stripe
    }

    @inline(never)
    private func waitToEnter(_ index: Int) {
        let stripe = stripe(index)
        if stripe.pointee.gate.isNew { activate(index) }
        stripe.pointee.gate.waitToEnter()
    }

    /// Opens a stripe for its first reader: from now on writers look at it.
    private func activate(_ index: Int) {
        // No change is under way, so none can miss the stripe.
        withLock {
            guard stripe(index).pointee.gate.isNew else { return }
            contents.pointee.activeStripes.insert(index)
            stripe(index).pointee.gate.openFirst()
        }
    }

    // MARK: Hits

    /// Applies the hits of a full buffer, unless another thread has the lock, and applies them. For the reader inside.
    @inline(never)
    func drain(_ buffer: ReadBuffer) {
        guard shared.pointee.lock.tryLock() else { return }
        buffer.drainAll(into: contents.pointee.table)
        shared.pointee.lock.unlock()
    }

    /// Applies the hits that the stripe `own` recorded, and those that others published. Under the lock.
    @inline(__always)
    func drainReadBuffers(own: Int) {
        contents.pointee.activeStripes.forEach {
            if $0 == own {
                stripe($0).buffer.drainAll(into: contents.pointee.table)
            } else {
                stripe($0).buffer.drainPublished(into: contents.pointee.table)
            }
        }
    }

    /// Applies all hits that were recorded. Under the lock.
    func drainAll() {
        contents.pointee.activeStripes.forEach { stripe($0).buffer.drainAll(into: contents.pointee.table) }
    }

    // MARK: Waiting for readers

    /// Waits until every reader that was inside has left, and every caller that holds one of some entries has a
    /// reference to it. Entries that left the index before can then be released.
    ///
    /// A stripe that was not active when they left can't have had a reader that found them: a thread that activates a
    /// stripe takes the lock first.
    func waitForReaders(of stripes: StripeSet, releasing filter: BloomFilter) {
        stripes.forEach { index in
            let stripe = stripe(index)
            stripe.pointee.gate.close()
            stripe.inside.pointee.leases.makeOwners(of: filter)
            stripe.pointee.gate.open()
        }
    }

    /// Whether no reader is inside now, so that `waitForReaders` will hardly wait.
    func isFreeOfReaders(_ stripes: StripeSet) -> Bool {
        stripes.allSatisfy { stripe($0).pointee.gate.isFree() }
    }
}

// A fork waits until no thread changes the tier and no reader is inside, so that a forked child finds it whole and
// unlocked.
extension MemoryTier: ForkObserver {
    package func prepareToFork() {
        shared.pointee.lock.lock()
        for index in 0..<stripeCount { stripe(index).pointee.gate.close() }
        background.prepareToFork()
    }

    package func resumeInParent() {
        background.resumeInParent()
        for index in 0..<stripeCount { stripe(index).pointee.gate.open() }
        shared.pointee.lock.unlock()
    }

    package func resumeInChild() {
        background.resumeInChild()
        for index in 0..<stripeCount { stripe(index).pointee.gate.resetInChild() }
        shared.pointee.lock.unlock()
    }
}
