// Invariant of the pointers: a slot is the index's, and is used before the index changes again.

import Platform

// Records that wait in memory, and writes that fail.
//
// The index tells the truth about the file: it points at what a write that succeeded put there, or at what waits. When a
// write fails that truth is restored at once, here; remnants of the write in the file are erased before the next
// change of the log. In between a kill may bring it back, which is no harm: until something is changed it is the newest.
extension RecordLog {
    /// Writes what waits. To be called before whatever may not overtake it: beginning and voiding segments (with those the
    /// originals of waiting copies go), synchronising, reading where it will stand.
    ///
    /// - Throws: when it could not be written, which loses it.
    mutating func writeWaiting() throws(StorageError) {
        guard !stage.isEmpty else { return }
        do throws(StorageError) {
            try storage.write(at: stage.start, stage.run)
            stage.empty()
        } catch {
            lose()
            throw error
        }
    }

    /// Takes out of the index what waited and could not be written. Of a copy the original counts again: as long as the
    /// copy waits the original is not overwritten.
    private mutating func lose() {
        var segment = -1
        var offset = stage.start
        while offset < stage.start + stage.count {
            let header = stage.header(at: offset)
            if geometry.segment(of: offset) != segment {
                segment = geometry.segment(of: offset)
                distrust(offset)
            }
            if let slot = index.find(Fingerprint(header.hashLow)), slot.pointee.place == geometry.place(of: offset) {
                if let original = stage.original(of: offset) {
                    slot.pointee.place = original
                } else {
                    forget(slot)
                }
            }
            offset = geometry.padded(offset + header.recordCount)
        }
        // The last record is among the lost ones, and no saved index may end with it.
        lastRecordSegment = -1
        stage.empty()
    }

    /// Notes that the record at `offset`, and the rest of its segment, may or may not be in the file. Finding
    /// out is not worth a read.
    mutating func distrust(_ offset: Int) {
        distrusted.append(offset)
        head = geometry.start(ofSegment: headSegment) + geometry.segmentBytes
    }

    /// Ends segments before what may or may not be in them: recovery stops at a header of zeros.
    mutating func eraseDistrusted() throws(StorageError) {
        while let offset = distrusted.last {
            try erase(at: offset)
            distrusted.removeLast()
        }
    }

    /// Makes a record's header one of zeros.
    func erase(at offset: Int) throws(StorageError) {
        let zeros: (UInt64, UInt64, UInt64, UInt64, UInt64, UInt64, UInt64, UInt64) = (0, 0, 0, 0, 0, 0, 0, 0)
        try lendBytes(of: zeros) { (bytes) throws(StorageError) in try storage.write(at: offset, bytes) }
    }
}
