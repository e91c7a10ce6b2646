#if LMDB
// Invariant of the pointers: `environment`, `reading` and `copy` are made in `init` and released in `deinit`; a
// record's bytes are used within its transaction.

import CLMDB
import GaugeMeasurement
import GaugeSubjects
import GaugeSupport
import GaugeTraces
import Platform

/// An LMDB database: a memory-mapped tree with a record for each entry.
///
/// A record's key is a hash of the URL. The URL itself precedes the body and is compared on every hit. Bodies are
/// copied out of the map before they are returned, since they are only valid during the reading transaction. The order
/// of use is kept in memory. A store and its evictions are one transaction. Nothing is synced unless every store must
/// be. Starts empty.
final class LMDBSubject: CacheSubject {
    static let name = "lmdb"
    static let capabilities: SubjectCapabilities = [.disk, .capacity, .counters, .durability]
    static var details: String {
        "LMDB \(MDB_VERSION_MAJOR).\(MDB_VERSION_MINOR).\(MDB_VERSION_PATCH): NOSYNC (store-flush: synced), WRITEMAP"
    }

    private var lru: ExactLRU
    private let environment: OpaquePointer
    private let table: MDB_dbi
    /// Reset between lookups, so that it does not keep old pages alive.
    private let reading: OpaquePointer
    private let copy: UnsafeMutableRawBufferPointer

    init(_ configuration: SubjectConfiguration) throws {
        let capacity = configuration.diskCapacity
        lru = ExactLRU(capacity: .bytes(capacity, largest: capacity / 20))
        let path = configuration.directory + "/cache.lmdb"
        var made: OpaquePointer?
        try Self.check(mdb_env_create(&made), "no environment")
        guard let environment = made else { throw GaugeError("LMDB made no environment") }
        // Freed pages are reused only later, and a body of two pages and a byte takes three.
        let mapSize = min(capacity, 1 << 44) * 4 + (64 << 20)
        try Self.check(mdb_env_set_mapsize(environment, mapSize), "map of \(mapSize) bytes")
        let flags = UInt32((configuration.isDurable ? 0 : MDB_NOSYNC) | MDB_WRITEMAP | MDB_NOSUBDIR)
        try Self.check(mdb_env_open(environment, path, flags, 0o600), "\(path) cannot be opened")
        var table: MDB_dbi = 0
        try Self.write(environment) { transaction in
            try Self.check(mdb_dbi_open(transaction, nil, UInt32(MDB_INTEGERKEY), &table), "no table")
            try Self.check(mdb_drop(transaction, table, 0), "the table cannot be emptied")
        }
        var reading: OpaquePointer?
        try Self.check(mdb_txn_begin(environment, nil, UInt32(MDB_RDONLY), &reading), "no transaction")
        guard let reading else { throw GaugeError("LMDB made no transaction") }
        mdb_txn_reset(reading)
        self.environment = environment
        self.table = table
        self.reading = reading
        copy = .allocate(byteCount: max(1, min(capacity / 20, 1 << 32)), alignment: 16)
    }

    deinit {
        mdb_txn_abort(reading)
        mdb_env_close(environment)
        copy.deallocate()
    }

    func key(for url: String) -> [UInt8] { Array(url.utf8) }

    func lookUp(_ key: [UInt8], _ read: (UnsafeRawBufferPointer) -> Void) throws -> Outcome {
        let id = URLHash.of(key)
        try Self.check(mdb_txn_renew(reading), "no transaction")
        defer { mdb_txn_reset(reading) }
        var value = MDB_val()
        let status = Self.withKey(id) { mdb_get(reading, table, $0, &value) }
        if status == MDB_NOTFOUND { return .miss }
        try Self.check(status, "get failed")
        let record = UnsafeRawBufferPointer(start: value.mv_data, count: value.mv_size)
        guard record.count >= key.count, record.count - key.count <= copy.count,
            key.elementsEqual(record[..<key.count])
        else { return .miss }
        _ = lru.lookUp(id)
        let body = UnsafeMutableRawBufferPointer(rebasing: copy[..<(record.count - key.count)])
        body.copyMemory(from: UnsafeRawBufferPointer(rebasing: record[key.count...]))
        read(UnsafeRawBufferPointer(body))
        return .diskHit
    }

    func store(_ body: UnsafeRawBufferPointer, for key: [UInt8]) throws -> Outcome {
        let evictions = lru.evictions
        try Self.write(environment) { try put(body, for: key, in: $0) }
        return lru.evictions > evictions ? .storeEvict : .store
    }

    func remove(_ key: [UInt8]) throws {
        let id = URLHash.of(key)
        lru.remove(id)
        try Self.write(environment) { try delete(id, in: $0) }
    }

    /// One transaction for all entries.
    func fill(with entries: FillEntries) throws {
        try Self.write(environment) { transaction in
            try entries.forEach { url, body in try put(body, for: key(for: url), in: transaction) }
        }
    }

    func settle() throws { try Self.check(mdb_env_sync(environment, 1), "sync failed") }

    var usage: SubjectUsage { SubjectUsage(diskBytes: lru.bytes, diskEntries: lru.count) }
    var counters: [String: Int] { ["evictions": lru.evictions] }

    private func put(_ body: UnsafeRawBufferPointer, for key: [UInt8], in transaction: OpaquePointer) throws {
        let id = URLHash.of(key)
        var evicted: [UInt64] = []
        lru.store(id, size: key.count + body.count) { evicted.append($0) }
        for other in evicted { try delete(other, in: transaction) }
        guard lru.contains(id) else { return try delete(id, in: transaction) }
        var value = MDB_val(mv_size: key.count + body.count, mv_data: nil)
        try Self.check(Self.withKey(id) { mdb_put(transaction, table, $0, &value, UInt32(MDB_RESERVE)) }, "put failed")
        let record = UnsafeMutableRawBufferPointer(start: value.mv_data, count: value.mv_size)
        record.copyBytes(from: key)
        UnsafeMutableRawBufferPointer(rebasing: record[key.count...]).copyMemory(from: body)
    }

    private func delete(_ id: UInt64, in transaction: OpaquePointer) throws {
        let status = Self.withKey(id) { mdb_del(transaction, table, $0, nil) }
        if status != MDB_NOTFOUND { try Self.check(status, "delete failed") }
    }

    private static func write(_ environment: OpaquePointer, _ body: (OpaquePointer) throws -> Void) throws {
        var begun: OpaquePointer?
        try check(mdb_txn_begin(environment, nil, 0, &begun), "no transaction")
        guard let transaction = begun else { throw GaugeError("LMDB made no transaction") }
        do {
            try body(transaction)
        } catch {
            mdb_txn_abort(transaction)
            throw error
        }
        try check(mdb_txn_commit(transaction), "commit failed")
    }

    private static func withKey<Result>(_ id: UInt64, _ body: (UnsafeMutablePointer<MDB_val>) -> Result) -> Result {
        var id = UInt(id)
        return withUnsafeMutableBytes(of: &id) { bytes in
            var key = MDB_val(mv_size: bytes.count, mv_data: bytes.baseAddress)
            return body(&key)
        }
    }

    private static func check(_ status: CInt, _ what: String) throws {
        guard status == MDB_SUCCESS else { throw GaugeError("LMDB: \(what): \(String(cString: mdb_strerror(status)))") }
    }
}
#endif
