import Platform

// A fork waits until no thread changes the tier and no reader is inside, so a forked child finds it whole, and free.
extension MemoryTier: ForkObserver {
    package func prepareToFork() {
        writers.lock()
        for index in 0..<stripeCount { stripe(index).pointee.gate.close() }
    }

    package func resumeInParent() {
        for index in 0..<stripeCount { stripe(index).pointee.gate.open() }
        writers.unlock()
    }

    package func resumeInChild() {
        for index in 0..<stripeCount { stripe(index).pointee.gate.resetInChild() }
        writers.unlock()
    }
}
