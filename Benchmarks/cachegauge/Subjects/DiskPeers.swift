import GaugeSubjects

/// The other caches on disk.
enum DiskPeers {
    /// Other people's caches on disk, if their traits are enabled.
    static var all: [any CacheSubject.Type] {
        var peers: [any CacheSubject.Type] = [FilesSubject.self]
        #if SQLite
        peers.append(SQLiteSubject.self)
        #endif
        #if LMDB
        peers.append(LMDBSubject.self)
        #endif
        return peers
    }
}
