// Invariant of the pointers: `environment`, `reading` and `copy` are made in `init` and released in `deinit`; a
// record's bytes are used within its transaction.

import GaugeKit
import GaugeTraces
import Platform

/// An LMDB database: a memory-mapped tree with one record per entry.
///
/// A record's key is a hash of the URL. The URL itself precedes the body and is compared on every hit. Bodies are
/// copied out of the map, since they are valid only during the reading transaction. The order of use is kept in memory.
/// A store and its evictions are one transaction. Nothing is synced unless every store must be. Starts empty.
final class LMDBSubject: CacheSubject {
    static let name = "lmdb"
    static let capabilities: SubjectCapabilities = [.disk, .capacity, .counters, .durability]
    static var details: String {
        "LMDB \((try? LMDBLibrary.shared.get().version) ?? "absent"): NOSYNC (store-flush: synced), WRITEMAP"
    }

    private let lmdb: LMDBLibrary
    private var lru: ExactLRU
    private let environment: OpaquePointer
    private let table: LMDBLibrary.Table
    /// Reset between lookups, so that it doesn't keep old pages alive.
    private let reading: OpaquePointer
    private let copy: UnsafeMutableRawBufferPointer

    init(_ configuration: SubjectConfiguration) throws {
        let lmdb = try LMDBLibrary.shared.get()
        self.lmdb = lmdb
        let capacity = configuration.diskCapacity
        lru = ExactLRU(capacity: .bytes(capacity, largest: capacity / 20))
        let path = configuration.directory + "/cache.lmdb"
        var made: OpaquePointer?
        try Self.check(lmdb, lmdb.makeEnvironment(&made), "no environment")
        guard let environment = made else { throw GaugeError("LMDB made no environment") }
        // Freed pages are reused only later, and a body of two pages and a byte takes three.
        let mapSize = min(capacity, 1 << 44) * 4 + (64 << 20)
        try Self.check(lmdb, lmdb.setMapSize(environment, mapSize), "map of \(mapSize) bytes")
        let flags =
            (configuration.isDurable ? 0 : LMDBLibrary.noSync) | LMDBLibrary.writeMap | LMDBLibrary.noSubdirectory
        try Self.check(lmdb, lmdb.openEnvironment(environment, path, flags, 0o600), "\(path) cannot be opened")
        var table: LMDBLibrary.Table = 0
        try Self.write(lmdb, environment) { transaction in
            try Self.check(lmdb, lmdb.openTable(transaction, nil, LMDBLibrary.integerKeys, &table), "no table")
            try Self.check(lmdb, lmdb.empty(transaction, table, 0), "the table cannot be emptied")
        }
        var reading: OpaquePointer?
        try Self.check(lmdb, lmdb.begin(environment, nil, LMDBLibrary.readOnly, &reading), "no transaction")
        guard let reading else { throw GaugeError("LMDB made no transaction") }
        lmdb.reset(reading)
        self.environment = environment
        self.table = table
        self.reading = reading
        copy = .allocate(byteCount: max(1, min(capacity / 20, 1 << 32)), alignment: 16)
    }

    deinit {
        lmdb.abort(reading)
        lmdb.closeEnvironment(environment)
        copy.deallocate()
    }

    func key(for url: String) -> [UInt8] { Array(url.utf8) }

    func lookUp(_ key: [UInt8], _ read: (UnsafeRawBufferPointer) -> Void) throws -> Outcome {
        let id = URLHash.of(key)
        try Self.check(lmdb, lmdb.renew(reading), "no transaction")
        defer { lmdb.reset(reading) }
        var value = LMDBLibrary.Value()
        let status = Self.withKey(id) { lmdb.get(reading, table, $0, &value) }
        if status == LMDBLibrary.notFound { return .miss }
        try Self.check(lmdb, status, "get failed")
        let record = UnsafeRawBufferPointer(start: value.bytes, count: value.count)
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
        try Self.write(lmdb, environment) { try put(body, for: key, in: $0) }
        return lru.evictions > evictions ? .storeEvict : .store
    }

    func remove(_ key: [UInt8]) throws {
        let id = URLHash.of(key)
        lru.remove(id)
        try Self.write(lmdb, environment) { try delete(id, in: $0) }
    }

    func fill(with entries: FillEntries) throws {
        try Self.write(lmdb, environment) { transaction in
            try entries.forEach { url, body in try put(body, for: key(for: url), in: transaction) }
        }
    }

    func settle() throws { try Self.check(lmdb, lmdb.synchronise(environment, 1), "sync failed") }

    var usage: SubjectUsage { SubjectUsage(diskBytes: lru.bytes, diskEntries: lru.count) }
    var counters: [String: Int] { ["evictions": lru.evictions] }

    private func put(_ body: UnsafeRawBufferPointer, for key: [UInt8], in transaction: OpaquePointer) throws {
        let id = URLHash.of(key)
        var evicted: [UInt64] = []
        lru.store(id, size: key.count + body.count) { evicted.append($0) }
        for other in evicted { try delete(other, in: transaction) }
        guard lru.contains(id) else { return try delete(id, in: transaction) }
        var value = LMDBLibrary.Value(count: key.count + body.count)
        try Self.check(
            lmdb, Self.withKey(id) { lmdb.put(transaction, table, $0, &value, LMDBLibrary.reserve) }, "put failed")
        let record = UnsafeMutableRawBufferPointer(start: value.bytes, count: value.count)
        record.copyBytes(from: key)
        UnsafeMutableRawBufferPointer(rebasing: record[key.count...]).copyMemory(from: body)
    }

    private func delete(_ id: UInt64, in transaction: OpaquePointer) throws {
        let status = Self.withKey(id) { lmdb.delete(transaction, table, $0, nil) }
        if status != LMDBLibrary.notFound { try Self.check(lmdb, status, "delete failed") }
    }

    private static func write(
        _ lmdb: LMDBLibrary, _ environment: OpaquePointer, _ body: (OpaquePointer) throws -> Void
    ) throws {
        var begun: OpaquePointer?
        try check(lmdb, lmdb.begin(environment, nil, 0, &begun), "no transaction")
        guard let transaction = begun else { throw GaugeError("LMDB made no transaction") }
        do {
            try body(transaction)
        } catch {
            lmdb.abort(transaction)
            throw error
        }
        try check(lmdb, lmdb.commit(transaction), "commit failed")
    }

    private static func withKey<Result>(_ id: UInt64, _ body: (UnsafeMutablePointer<LMDBLibrary.Value>) -> Result)
        -> Result
    {
        var id = UInt(id)
        return withUnsafeMutableBytes(of: &id) { bytes in
            var key = LMDBLibrary.Value(count: bytes.count, bytes: bytes.baseAddress)
            return body(&key)
        }
    }

    private static func check(_ lmdb: LMDBLibrary, _ status: CInt, _ what: String) throws {
        guard status == LMDBLibrary.success else {
            let reason = lmdb.message(status).map { String(cString: $0) } ?? "error \(status)"
            throw GaugeError("LMDB: \(what): \(reason)")
        }
    }
}

/// LMDB's functions, found at run time, so that building needs neither a header nor a package.
///
/// The signatures and flags are those of `lmdb.h`, version 0.9, whose binary interface hasn't changed since 2015.
struct LMDBLibrary: Sendable {
    typealias Environment = OpaquePointer
    typealias Transaction = OpaquePointer
    typealias Table = CUnsignedInt

    /// `MDB_val`: bytes of the caller's or of the map's.
    struct Value {
        var count = 0
        var bytes: UnsafeMutableRawPointer?
    }

    let makeEnvironment: @convention(c) (UnsafeMutablePointer<Environment?>) -> CInt
    let closeEnvironment: @convention(c) (Environment) -> Void
    let setMapSize: @convention(c) (Environment, Int) -> CInt
    let openEnvironment: @convention(c) (Environment, UnsafePointer<CChar>, CUnsignedInt, mode_t) -> CInt
    let synchronise: @convention(c) (Environment, CInt) -> CInt
    let begin: @convention(c) (Environment, Transaction?, CUnsignedInt, UnsafeMutablePointer<Transaction?>) -> CInt
    let commit: @convention(c) (Transaction) -> CInt
    let abort: @convention(c) (Transaction) -> Void
    let reset: @convention(c) (Transaction) -> Void
    let renew: @convention(c) (Transaction) -> CInt
    let openTable:
        @convention(c) (Transaction, UnsafePointer<CChar>?, CUnsignedInt, UnsafeMutablePointer<Table>) -> CInt
    let empty: @convention(c) (Transaction, Table, CInt) -> CInt
    let get: @convention(c) (Transaction, Table, UnsafeMutableRawPointer, UnsafeMutableRawPointer) -> CInt
    let put: @convention(c) (Transaction, Table, UnsafeMutableRawPointer, UnsafeMutableRawPointer, CUnsignedInt) -> CInt
    let delete: @convention(c) (Transaction, Table, UnsafeMutableRawPointer, UnsafeMutableRawPointer?) -> CInt
    let message: @convention(c) (CInt) -> UnsafePointer<CChar>?
    /// For instance `0.9.24`.
    let version: String

    static let success: CInt = 0
    static let notFound: CInt = -30798
    static let noSubdirectory: CUnsignedInt = 0x4000
    static let noSync: CUnsignedInt = 0x1_0000
    static let readOnly: CUnsignedInt = 0x2_0000
    static let writeMap: CUnsignedInt = 0x8_0000
    static let integerKeys: CUnsignedInt = 0x08
    static let reserve: CUnsignedInt = 0x1_0000

    /// The library, loaded on first use, or why it can't be used.
    static let shared = Result { () throws(DynamicLibrary.Missing) in try LMDBLibrary() }

    private init() throws(DynamicLibrary.Missing) {
        let library = try DynamicLibrary(["liblmdb.so.0", "liblmdb.so", "liblmdb.dylib"])
        makeEnvironment = try library.function("mdb_env_create")
        closeEnvironment = try library.function("mdb_env_close")
        setMapSize = try library.function("mdb_env_set_mapsize")
        openEnvironment = try library.function("mdb_env_open")
        synchronise = try library.function("mdb_env_sync")
        begin = try library.function("mdb_txn_begin")
        commit = try library.function("mdb_txn_commit")
        abort = try library.function("mdb_txn_abort")
        reset = try library.function("mdb_txn_reset")
        renew = try library.function("mdb_txn_renew")
        openTable = try library.function("mdb_dbi_open")
        empty = try library.function("mdb_drop")
        get = try library.function("mdb_get")
        put = try library.function("mdb_put")
        delete = try library.function("mdb_del")
        message = try library.function("mdb_strerror")
        typealias Number = UnsafeMutablePointer<CInt>?
        let text: @convention(c) (Number, Number, Number) -> UnsafePointer<CChar>? = try library.function("mdb_version")
        var (major, minor, patch): (CInt, CInt, CInt) = (0, 0, 0)
        _ = text(&major, &minor, &patch)
        version = "\(major).\(minor).\(patch)"
    }
}
