import Platform

/// What a layer above keeps with an entry in memory.
package struct KeptObjects {
    /// Is no longer kept: the entry has no handout any more.
    package let handout: AnyObject?
    /// Stays attached: its owner may empty it.
    package let attachment: AnyObject?
}

extension MemoryTier {
    /// Takes the handouts of some entries back, the next ones at each call, until all have had their turn: so the layer that
    /// keeps them bounds their memory. The entries stay, in their order.
    ///
    /// Waits for readers as a store does that evicts. The caller holds no lock of an attachment.
    ///
    /// - Parameter count: how many places of entries are looked at.
    /// - Returns: what was kept with those entries, for the caller to release.
    package func takeHandouts(from count: Int) -> [KeptObjects] {
        var kept: [KeptObjects] = []
        var handouts: [Unmanaged<AnyObject>?] = []
        let stripes = withLock { () -> StripeSet in
            for _ in 0..<min(count, Int(contents.pointee.table.lastNode)) {
                let next = contents.pointee.lastSwept &+ 1
                contents.pointee.lastSwept = next > contents.pointee.table.lastNode ? 1 : next
                guard let entry = contents.pointee.table.entry(contents.pointee.lastSwept) else { continue }
                let (handout, attachment) = (entry.withStorage { $0.takeHandout() }, entry.attachment)
                guard handout != nil || attachment != nil else { continue }
                handouts.append(handout)
                kept.append(KeptObjects(handout: handout?.takeUnretainedValue(), attachment: attachment))
            }
            return contents.pointee.activeStripes
        }
        guard !kept.isEmpty else { return [] }
        waitForReaders(of: stripes, releasing: .nothing)
        for handout in handouts { handout?.release() }
        return kept
    }
}
