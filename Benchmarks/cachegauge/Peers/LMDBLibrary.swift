import Platform

/// LMDB's functions, found at run time, so that neither a header nor a package is needed to build.
///
/// The signatures and flags are those of `lmdb.h`, version 0.9, whose binary interface has not changed since 2015.
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

    /// The library, loaded on first use, or why it cannot be used.
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
