import Platform

/// The storage through which a shared log changes its file, and the lock that lookups take: during a change it is let go
/// for each call of the storage, so that no lookup waits for the disk.
///
/// `@unchecked Sendable`: `isOpen` is read and written by one thread at a time. `change` is called by `SharedLog.change` alone,
/// which holds the lock of changes meanwhile; `letLookupsIn` by a `RecordLog` alone, which is used within such a change, or by
/// the thread that opens it, before others have it. Lookups, `ReservedSpace` and `flush` use `storage` itself. All else is
/// constant, and Sendable.
final class LookupSeam: DiskStorage, @unchecked Sendable {
    let storage: any DiskStorage
    /// Held to read or change the `ReadableLog`.
    let lock = Lock()
    /// Whether the thread that changes the log holds `lock`, and may let it go.
    private var isOpen = false

    init(_ storage: any DiskStorage) { self.storage = storage }

    /// Runs a change under the lock.
    ///
    /// - Parameter letsLookupsIn: at each call of the storage; not where what they read is not whole then.
    @inline(__always)
    func change<Result, Failure: Error>(
        letsLookupsIn: Bool, _ body: () throws(Failure) -> Result
    ) throws(Failure) -> Result {
        lock.lockSpinning()
        isOpen = letsLookupsIn
        defer {
            isOpen = false
            lock.unlock()
        }
        return try body()
    }

    /// Runs a call that may take long.
    @inline(__always)
    func letLookupsIn<Result, Failure: Error>(_ call: () throws(Failure) -> Result) throws(Failure) -> Result {
        guard isOpen else { return try call() }
        lock.unlock()
        defer { lock.lockSpinning() }
        return try call()
    }

    var boot: UInt64 { storage.boot }

    func byteCount() throws(StorageError) -> Int { try storage.byteCount() }

    func allocatedByteCount() throws(StorageError) -> Int { try storage.allocatedByteCount() }

    func read(at offset: Int, into bytes: UnsafeMutableRawBufferPointer) throws(StorageError) -> Int {
        try letLookupsIn { () throws(StorageError) in try storage.read(at: offset, into: bytes) }
    }

    func readFromMemory(at offset: Int, into bytes: UnsafeMutableRawBufferPointer) throws(StorageError) -> Int {
        try letLookupsIn { () throws(StorageError) in try storage.readFromMemory(at: offset, into: bytes) }
    }

    func write(
        at offset: Int, _ first: UnsafeRawBufferPointer, _ second: UnsafeRawBufferPointer
    ) throws(StorageError) {
        try letLookupsIn { () throws(StorageError) in try storage.write(at: offset, first, second) }
    }

    func reserve(_ byteCount: Int) throws(StorageError) {
        try letLookupsIn { () throws(StorageError) in try storage.reserve(byteCount) }
    }

    func resize(to byteCount: Int) throws(StorageError) {
        try letLookupsIn { () throws(StorageError) in try storage.resize(to: byteCount) }
    }

    func synchronize() throws(StorageError) {
        try letLookupsIn { () throws(StorageError) in try storage.synchronize() }
    }
}
