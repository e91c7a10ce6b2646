// Synchronisations that fail.
//
// The system reports a failed write-back once, and from then on counts the pages as clean: the next synchronisation succeeds
// without them, and reading may give what they held before (Rebello et al., "Can Applications Recover from fsync
// Failures?", USENIX ATC 2020). No write since the last success can be trusted, so the log is given up by the next epoch.
extension RecordLog {
    /// Returns when everything written so far survives a power cut.
    ///
    /// - Throws: after which the change under way has to end with `giveUpLostWrites`.
    mutating func synchronize() throws(StorageError) {
        do throws(StorageError) {
            try storage.synchronize()
        } catch {
            lostWrites = error
            throw error
        }
    }

    /// Gives the log up if a synchronisation failed; to be called between two changes. Where the next epoch cannot be
    /// written either, nothing is answered until it can be.
    mutating func giveUpLostWrites() {
        guard lostWrites != nil else { return }
        lostWrites = nil
        if isDisabled {
            try? space.resize(to: 0)
        } else if !mustClear {
            suspend()
            try? mend()
            lostWrites = nil
        }
    }
}
