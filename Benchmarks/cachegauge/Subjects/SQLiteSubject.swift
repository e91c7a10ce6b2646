// Invariant of the pointers: `database` and the statements are made in `init` and released in `deinit`; a column's
// bytes are used before its statement is reset.

import GaugeKit
import GaugeTraces
import Platform

/// An SQLite table: one row per entry, the body as a blob, with prepared statements.
///
/// The row's number is a hash of the URL. The URL itself is a column and compared on every hit. The order of use is
/// kept in memory. A store and its evictions are one transaction. It uses a write-ahead log, and syncs nothing unless
/// every store must be. Starts empty.
final class SQLiteSubject: CacheSubject {
    static let name = "sqlite"
    static let capabilities: SubjectCapabilities = [.disk, .capacity, .counters, .durability]
    static var details: String {
        "SQLite \((try? SQLiteLibrary.shared.get().version) ?? "absent"): journal_mode=WAL, synchronous=OFF (store-flush: FULL), "
            + "blobs, prepared statements"
    }

    private let sqlite: SQLiteLibrary
    private var lru: ExactLRU
    private let database: OpaquePointer
    private let select: OpaquePointer
    private let insert: OpaquePointer
    private let delete: OpaquePointer
    private let begin: OpaquePointer
    private let commit: OpaquePointer

    init(_ configuration: SubjectConfiguration) throws {
        let sqlite = try SQLiteLibrary.shared.get()
        self.sqlite = sqlite
        lru = ExactLRU(capacity: .bytes(configuration.diskCapacity, largest: configuration.diskCapacity / 20))
        var opened: OpaquePointer?
        let path = configuration.directory + "/cache.sqlite"
        guard sqlite.open(path, &opened) == SQLiteLibrary.ok, let database = opened else {
            throw GaugeError("\(path) cannot be opened: \(opened.map { Self.message(sqlite, $0) } ?? "no memory")")
        }
        self.database = database
        try Self.run(sqlite, database, "PRAGMA journal_mode=WAL; PRAGMA synchronous=OFF; DROP TABLE IF EXISTS entries;")
        if configuration.isDurable { try Self.run(sqlite, database, "PRAGMA synchronous=FULL") }
        try Self.run(
            sqlite, database, "CREATE TABLE entries(id INTEGER PRIMARY KEY, url BLOB NOT NULL, body BLOB NOT NULL);")
        select = try Self.prepare(sqlite, database, "SELECT url, body FROM entries WHERE id = ?1")
        insert = try Self.prepare(sqlite, database, "INSERT OR REPLACE INTO entries(id, url, body) VALUES(?1, ?2, ?3)")
        delete = try Self.prepare(sqlite, database, "DELETE FROM entries WHERE id = ?1")
        begin = try Self.prepare(sqlite, database, "BEGIN")
        commit = try Self.prepare(sqlite, database, "COMMIT")
    }

    deinit {
        for statement in [select, insert, delete, begin, commit] { _ = sqlite.finalize(statement) }
        _ = sqlite.close(database)
    }

    func key(for url: String) -> [UInt8] { Array(url.utf8) }

    func lookUp(_ key: [UInt8], _ read: (UnsafeRawBufferPointer) -> Void) throws -> Outcome {
        let id = Int64(bitPattern: URLHash.of(key))
        defer { _ = sqlite.reset(select) }
        _ = sqlite.bindInteger(select, 1, id)
        let status = sqlite.step(select)
        guard status == SQLiteLibrary.row else {
            if status == SQLiteLibrary.done { return .miss }
            throw GaugeError("SELECT failed: \(Self.message(sqlite, database))")
        }
        guard key.elementsEqual(column(0)) else { return .miss }
        _ = lru.lookUp(UInt64(bitPattern: id))
        read(column(1))
        return .diskHit
    }

    func store(_ body: UnsafeRawBufferPointer, for key: [UInt8]) throws -> Outcome {
        let evictions = lru.evictions
        try step(begin)
        try put(body, for: key)
        try step(commit)
        return lru.evictions > evictions ? .storeEvict : .store
    }

    func remove(_ key: [UInt8]) throws {
        let id = Int64(bitPattern: URLHash.of(key))
        lru.remove(UInt64(bitPattern: id))
        try deleteRow(id)
    }

    func fill(with entries: FillEntries) throws {
        try step(begin)
        try entries.forEach { url, body in try put(body, for: key(for: url)) }
        try step(commit)
    }

    /// Moves the write-ahead log into the database file.
    func settle() throws { try Self.run(sqlite, database, "PRAGMA wal_checkpoint(TRUNCATE)") }

    var usage: SubjectUsage { SubjectUsage(diskBytes: lru.bytes, diskEntries: lru.count) }
    var counters: [String: Int] { ["evictions": lru.evictions] }

    private func put(_ body: UnsafeRawBufferPointer, for key: [UInt8]) throws {
        let id = Int64(bitPattern: URLHash.of(key))
        var evicted: [UInt64] = []
        lru.store(UInt64(bitPattern: id), size: key.count + body.count) { evicted.append($0) }
        for other in evicted { try deleteRow(Int64(bitPattern: other)) }
        guard lru.contains(UInt64(bitPattern: id)) else { return try deleteRow(id) }
        defer { _ = sqlite.clearBindings(insert) }
        _ = sqlite.bindInteger(insert, 1, id)
        // A null destructor is SQLITE_STATIC: the bytes stay valid until the statement has run.
        try key.withUnsafeBytes { key in
            _ = sqlite.bindBlob(insert, 2, key.baseAddress, UInt64(key.count), nil)
            _ = sqlite.bindBlob(insert, 3, body.baseAddress, UInt64(body.count), nil)
            try step(insert)
        }
    }

    private func deleteRow(_ id: Int64) throws {
        _ = sqlite.bindInteger(delete, 1, id)
        try step(delete)
    }

    private func column(_ number: Int32) -> UnsafeRawBufferPointer {
        let bytes = sqlite.columnBlob(select, number)
        return UnsafeRawBufferPointer(start: bytes, count: Int(sqlite.columnCount(select, number)))
    }

    private func step(_ statement: OpaquePointer) throws {
        defer { _ = sqlite.reset(statement) }
        guard sqlite.step(statement) == SQLiteLibrary.done else {
            throw GaugeError("a statement failed: \(Self.message(sqlite, database))")
        }
    }

    private static func run(_ sqlite: SQLiteLibrary, _ database: OpaquePointer, _ text: String) throws {
        guard sqlite.execute(database, text, nil, nil, nil) == SQLiteLibrary.ok else {
            throw GaugeError("'\(text)' failed: \(message(sqlite, database))")
        }
    }

    private static func prepare(
        _ sqlite: SQLiteLibrary, _ database: OpaquePointer, _ text: String
    ) throws -> OpaquePointer {
        var statement: OpaquePointer?
        guard
            sqlite.prepare(database, text, -1, SQLiteLibrary.persistent, &statement, nil) == SQLiteLibrary.ok,
            let statement
        else { throw GaugeError("'\(text)' cannot be prepared: \(message(sqlite, database))") }
        return statement
    }

    private static func message(_ sqlite: SQLiteLibrary, _ database: OpaquePointer) -> String {
        sqlite.message(database).map { String(cString: $0) } ?? "no message"
    }
}

/// SQLite's functions, found at run time, so that building needs neither a header nor a package.
///
/// The signatures are those of SQLite's binary interface, which hasn't changed since 3.20 (2017).
struct SQLiteLibrary: Sendable {
    typealias Database = OpaquePointer
    typealias Statement = OpaquePointer

    let open: @convention(c) (UnsafePointer<CChar>, UnsafeMutablePointer<Database?>) -> CInt
    let close: @convention(c) (Database) -> CInt
    let execute:
        @convention(c) (
            Database, UnsafePointer<CChar>, UnsafeRawPointer?, UnsafeRawPointer?,
            UnsafeMutablePointer<UnsafeMutablePointer<CChar>?>?
        ) -> CInt
    let prepare:
        @convention(c) (
            Database, UnsafePointer<CChar>, CInt, CUnsignedInt, UnsafeMutablePointer<Statement?>,
            UnsafeMutablePointer<UnsafePointer<CChar>?>?
        ) -> CInt
    let step: @convention(c) (Statement) -> CInt
    let reset: @convention(c) (Statement) -> CInt
    let finalize: @convention(c) (Statement) -> CInt
    let clearBindings: @convention(c) (Statement) -> CInt
    let bindInteger: @convention(c) (Statement, CInt, Int64) -> CInt
    let bindBlob:
        @convention(c) (
            Statement, CInt, UnsafeRawPointer?, UInt64, (@convention(c) (UnsafeMutableRawPointer?) -> Void)?
        )
            -> CInt
    let columnBlob: @convention(c) (Statement, CInt) -> UnsafeRawPointer?
    let columnCount: @convention(c) (Statement, CInt) -> CInt
    let message: @convention(c) (Database) -> UnsafePointer<CChar>?
    /// For instance `3.40.1`.
    let version: String

    /// Results of the functions.
    static let ok: CInt = 0
    static let row: CInt = 100
    static let done: CInt = 101
    /// `SQLITE_PREPARE_PERSISTENT`.
    static let persistent: CUnsignedInt = 1

    /// The library, loaded on first use, or why it can't be used.
    static let shared = Result { () throws(DynamicLibrary.Missing) in try SQLiteLibrary() }

    private init() throws(DynamicLibrary.Missing) {
        let library = try DynamicLibrary(["libsqlite3.so.0", "libsqlite3.so", "libsqlite3.dylib"])
        open = try library.function("sqlite3_open")
        close = try library.function("sqlite3_close")
        execute = try library.function("sqlite3_exec")
        prepare = try library.function("sqlite3_prepare_v3")
        step = try library.function("sqlite3_step")
        reset = try library.function("sqlite3_reset")
        finalize = try library.function("sqlite3_finalize")
        clearBindings = try library.function("sqlite3_clear_bindings")
        bindInteger = try library.function("sqlite3_bind_int64")
        bindBlob = try library.function("sqlite3_bind_blob64")
        columnBlob = try library.function("sqlite3_column_blob")
        columnCount = try library.function("sqlite3_column_bytes")
        message = try library.function("sqlite3_errmsg")
        let text: @convention(c) () -> UnsafePointer<CChar>? = try library.function("sqlite3_libversion")
        version = text().map { String(cString: $0) } ?? "of unknown version"
    }
}
