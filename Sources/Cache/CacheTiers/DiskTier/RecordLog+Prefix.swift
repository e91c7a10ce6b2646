// Invariant of the pointers: a slot is the index's, and is used before the index changes. The region of `scratch` is
// used before the next one is taken.

// Removing the entries whose keys begin alike.
extension RecordLog {
    /// Removes the entries whose keys begin with `prefix`, and those whose keys cannot be read.
    ///
    /// - Complexity: reads the header of every record, and as many bytes of its key.
    mutating func removeAll(withPrefix prefix: UnsafeRawBufferPointer) throws(StorageError) {
        try mend()
        try writeWaiting()
        var hashes: [KeyHash] = []
        let found = scratch.region(RecordHeader.byteCount + prefix.count)
        index.forEach { slot in
            let record = readable.pointee.located(slot.pointee)
            guard let count = try? storage.read(at: record.offset, into: found) else {
                return hashes.append(KeyHash(low: slot.pointee.fingerprint.anyHash, high: 0))
            }
            guard count == found.count else { return }
            let header = found.load(as: RecordHeader.self)
            let begin = UnsafeRawBufferPointer(rebasing: found[RecordHeader.byteCount...])
            guard header.isValid(mark: record.mark), header.keyCount >= prefix.count, begin.elementsEqual(prefix) else {
                return
            }
            hashes.append(KeyHash(low: header.hashLow, high: header.hashHigh))
        }
        for hash in hashes { _ = try remove(hash) }
    }
}
