// Invariant of the pointers: a stripe is `stride` bytes from `make(in:)` to `destroy()`: its gate, on the next cache line
// `Inside`, and from the next pair on the box.

import CSupport
import Platform
import Synchronization

/// A thread's part in hits, on separate cache lines: a gate that says that a reader is inside, and a box of recorded hits
/// (`HitBox`).
///
/// Each thread has a stripe, which it shares with others only when there are more threads than stripes. So hits on
/// different threads write no common word: not even the reference count of the entry that they hand out, since each
/// stripe hands it out by its leases (`EntryLeases`). A writer keeps readers out only for a moment, before it releases
/// entries that readers may have found.
struct HitStripe: ~Copyable {
    /// The reader inside.
    let gate = ReaderGate()

    /// State that only the reader inside touches. It follows the stripe in memory and is not a part of it: changing a
    /// part of a value is an access to all of it, and a writer may be looking at other parts.
    struct Inside: ~Copyable {
        /// Lookups that found an entry.
        var hits: UInt64 = 0
        /// Lookups that did not.
        var misses: UInt64 = 0
        /// References that are handed out.
        var leases = EntryLeases()
    }

    /// Bytes from one stripe to the next.
    static let stride = cacheLinePair + HitBox.byteCount
}

extension UnsafeMutablePointer<HitStripe> {
    /// Makes a stripe in `stride` bytes of memory.
    static func make(in memory: UnsafeMutableRawPointer) {
        let stripe = memory.bindMemory(to: HitStripe.self, capacity: 1)
        stripe.initialize(to: HitStripe())
        stripe.inside.initialize(to: HitStripe.Inside())
        stripe.box.initialize()
    }

    /// Gives the parts up that `make(in:)` made. Only callers that hold leases still use the stripe.
    func destroy() {
        inside.pointee.leases.makeOwners(of: .everything)
        inside.deinitialize(count: 1)
        deinitialize(count: 1)
    }

    /// For the reader inside.
    @inline(__always)
    var inside: UnsafeMutablePointer<HitStripe.Inside> {
        (UnsafeMutableRawPointer(self) + cacheLinePair / 2).assumingMemoryBound(to: HitStripe.Inside.self)
    }

    /// The hits of the stripe's readers that wait.
    @inline(__always)
    var box: HitBox { HitBox(memory: UnsafeMutableRawPointer(self) + cacheLinePair) }
}

/// Some of at most 64 stripes, by their numbers.
struct StripeSet {
    private var bits: UInt64 = 0
    /// The retired entries of each take at most the capacity divided by this: a hundredth, or a sixteenth for all.
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
    func stripe(_ index: Int) -> UnsafeMutablePointer<HitStripe> {
        (stripeMemory + index &* HitStripe.stride).assumingMemoryBound(to: HitStripe.self)
    }

    /// The number of the calling thread's stripe.
    @inline(__always)
    var threadStripe: Int { Int(truncatingIfNeeded: cs_thread_number()) & (stripeCount &- 1) }

    /// The calling thread's stripe, with the caller inside.
    @inline(__always)
    func enteredStripe() -> UnsafeMutablePointer<HitStripe> {
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

    /// Lets writers look at the stripe from now on, and readers in.
    private func activate(_ index: Int) {
        // No change is under way, so none can miss the stripe.
        withLock {
            guard stripe(index).pointee.gate.isNew else { return }
            contents.pointee.activeStripes.insert(index)
            stripe(index).pointee.gate.openFirst()
        }
    }

    // MARK: Hits

    /// Applies the hits that filled a box, unless another thread is changing the tier and applies them. For the reader inside.
    @inline(never)
    func drain(_ box: HitBox) {
        guard face.pointee.lock.tryLock() else { return }
        box.drainAll(into: contents.pointee.table)
        face.pointee.lock.unlock()
    }

    /// Applies the hits that the stripe `own` recorded, and those that others published. Under the lock.
    @inline(__always)
    func drainBoxes(own: Int) {
        contents.pointee.activeStripes.forEach {
            if $0 == own {
                stripe($0).box.drainAll(into: contents.pointee.table)
            } else {
                stripe($0).box.drainPublished(into: contents.pointee.table)
            }
        }
    }

    /// Applies all hits that were recorded. Under the lock.
    func drainAll() {
        contents.pointee.activeStripes.forEach { stripe($0).box.drainAll(into: contents.pointee.table) }
    }

    // MARK: Waiting for readers

    /// Returns when every reader that was inside has left, and callers that hold one of some entries have a reference to
    /// it: entries that were taken out of the index before can then be released.
    ///
    /// A stripe that was not active when they were taken out cannot have had a reader that found them: a thread that
    /// activates a stripe takes the lock first.
    func waitForReaders(of stripes: StripeSet, releasing filter: AddressFilter) {
        stripes.forEach { index in
            let stripe = stripe(index)
            stripe.pointee.gate.close()
            stripe.inside.pointee.leases.makeOwners(of: filter)
            stripe.pointee.gate.open()
        }
    }

    /// Whether no reader is inside at the moment, so that `waitForReaders` will hardly have to wait.
    func isFreeOfReaders(_ stripes: StripeSet) -> Bool {
        stripes.allSatisfy { stripe($0).pointee.gate.isFree() }
    }
}

// A fork waits until no thread changes the tier and no reader is inside, so a forked child finds it whole, and free.
extension MemoryTier: ForkObserver {
    package func prepareToFork() {
        face.pointee.lock.lock()
        for index in 0..<stripeCount { stripe(index).pointee.gate.close() }
        background.prepareToFork()
    }

    package func resumeInParent() {
        background.resumeInParent()
        for index in 0..<stripeCount { stripe(index).pointee.gate.open() }
        face.pointee.lock.unlock()
    }

    package func resumeInChild() {
        background.resumeInChild()
        for index in 0..<stripeCount { stripe(index).pointee.gate.resetInChild() }
        face.pointee.lock.unlock()
    }
}
