/// One file's bytes. All that the disk tier does to a disk goes through these few functions.
///
/// `FileStorage` is the real one. Tests and fuzzers use others, which fail, write less than asked, and lose bytes that
/// weren't synchronised. Release builds specialise the code over it, so the seam costs nothing.
///
/// Writes reach the storage in program order, and a process killed between two of them leaves all of the first. Only a
/// power cut may lose or reorder writes that `synchronize` hasn't covered.
package protocol DiskStorage: AnyObject, Sendable {
    /// The file's length, bytes.
    func byteCount() throws(StorageError) -> Int

    /// Bytes that the file system holds for the file.
    func allocatedByteCount() throws(StorageError) -> Int

    /// Reads from `offset` on, filling the region.
    ///
    /// - Returns: bytes read; fewer than asked for only where the file ends.
    func read(at offset: Int, into bytes: UnsafeMutableRawBufferPointer) throws(StorageError) -> Int

    /// The same for bytes that the system probably keeps in memory; it may take long if it doesn't.
    func readFromMemory(at offset: Int, into bytes: UnsafeMutableRawBufferPointer) throws(StorageError) -> Int

    /// Writes all of the first region and then all of the second from `offset` on, extending the file if needed.
    ///
    /// When it throws, any part of the bytes may have been written.
    func write(at offset: Int, _ first: UnsafeRawBufferPointer, _ second: UnsafeRawBufferPointer) throws(StorageError)

    /// Extends the file to `byteCount` bytes, unless it is longer, and allocates the new ones on the disk.
    func reserve(_ byteCount: Int) throws(StorageError)

    /// Cuts the file to `byteCount` bytes, or extends it with zeros.
    func resize(to byteCount: Int) throws(StorageError)

    /// A number that a power cut changes; 0 if it is not known.
    var boot: UInt64 { get }

    /// Returns when everything written so far survives a power cut.
    func synchronize() throws(StorageError)
}

extension DiskStorage {
    package var boot: UInt64 { 0 }

    package func readFromMemory(at offset: Int, into bytes: UnsafeMutableRawBufferPointer) throws(StorageError) -> Int {
        try read(at: offset, into: bytes)
    }

    func write(at offset: Int, _ bytes: UnsafeRawBufferPointer) throws(StorageError) {
        try write(at: offset, bytes, UnsafeRawBufferPointer(start: nil, count: 0))
    }

    /// A plain value in the file; `nil` if the file ends before it does.
    func value<Value: BitwiseCopyable>(_ type: Value.Type, at offset: Int) throws(StorageError) -> Value? {
        try withUnsafeTemporaryAllocation(byteCount: MemoryLayout<Value>.size, alignment: 8) {
            (bytes) throws(StorageError) in
            try read(at: offset, into: bytes) == bytes.count ? bytes.load(as: type) : nil
        }
    }
}

/// A file operation that the operating system refused.
package struct StorageError: Error, Hashable, Sendable {
    /// The operation that failed.
    package enum Operation: String, Sendable {
        case status, read, write, reserve, resize, synchronize
    }

    package var operation: Operation
    /// The system's error number.
    package var code: Int32

    package init(_ operation: Operation, code: Int32) {
        self.operation = operation
        self.code = code
    }
}
