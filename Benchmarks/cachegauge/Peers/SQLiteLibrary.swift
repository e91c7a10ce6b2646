import Platform

/// SQLite's functions, found at run time, so that neither a header nor a package is needed to build.
///
/// The signatures are those of SQLite's binary interface, which has not changed since 3.20 (2017).
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

    /// The library, loaded on first use, or why it cannot be used.
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
