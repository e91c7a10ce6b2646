import GaugeKit

enum DiskPeers {
    /// Other people's caches on disk: files, and the databases whose libraries this machine has.
    static var all: [any CacheSubject.Type] {
        var peers: [any CacheSubject.Type] = [FilesSubject.self]
        if (try? SQLiteLibrary.shared.get()) != nil { peers.append(SQLiteSubject.self) }
        if (try? LMDBLibrary.shared.get()) != nil { peers.append(LMDBSubject.self) }
        return peers
    }

    /// Whether a peer is in the default suite: a file for each entry, which needs no library, and LMDB, of all the
    /// nearest.
    static func isNear(_ type: any CacheSubject.Type) -> Bool {
        type is FilesSubject.Type || type is LMDBSubject.Type
    }

    /// The databases left out because their libraries weren't found, with the package that has each.
    static var absent: [String] {
        var absent: [String] = []
        if (try? SQLiteLibrary.shared.get()) == nil { absent.append("SQLite (libsqlite3-0)") }
        if (try? LMDBLibrary.shared.get()) == nil { absent.append("LMDB (liblmdb0)") }
        return absent
    }
}

/// A URL's number, for peers that need one: the standard library's 64-bit hash. Its seed changes with each process, so
/// these peers start empty.
enum URLHash {
    static func of(_ url: [UInt8]) -> UInt64 {
        var hasher = Hasher()
        url.withUnsafeBytes { hasher.combine(bytes: $0) }
        return UInt64(bitPattern: Int64(hasher.finalize()))
    }
}
