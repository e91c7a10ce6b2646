/// The operations on the keys of a workload, by weight.
@usableFromInline package struct OperationMix: Hashable, Sendable {
    /// An operation on a key.
    @usableFromInline package enum Operation: String, CaseIterable, Sendable {
        /// The object is requested, and stored if it is missing.
        case read
        /// The object has changed, and its next version is stored: by the application in a benchmark, by a PUT at the
        /// origin in a simulation.
        case store
        /// The application removes the object from the cache.
        case remove
    }

    /// Weight of reading.
    @usableFromInline package var read = 1.0
    /// Weight of storing a new version.
    @usableFromInline package var store = 0.0
    /// Weight of removing.
    @usableFromInline package var remove = 0.0

    /// Creates a mix; without a positive weight, all operations are reads.
    @usableFromInline package init(read: Double = 1, store: Double = 0, remove: Double = 0) {
        self.read = read
        self.store = store
        self.remove = remove
    }

    /// Whether all operations are reads, so that no draw is needed.
    @usableFromInline package var isReadOnly: Bool { store <= 0 && remove <= 0 }

    /// The operation for a point from 0 to 1.
    @usableFromInline package func operation(at point: Double) -> Operation {
        let (read, store, remove) = (max(0, read), max(0, store), max(0, remove))
        let place = point * (read + store + remove)
        if place < read || read + store + remove == 0 { return .read }
        return place < read + store || remove == 0 ? .store : .remove
    }
}
