import Platform

/// Decodes the frames of a zstd file (RFC 8878) by libzstd, loaded at run time.
///
/// Invariant: `stream` was made by `ZSTD_createDStream` and is freed once. The buffers of a call are valid during that call
/// alone.
final class ZstdDecoder: StreamDecoder {
    private let library: Zstd
    private let stream: OpaquePointer

    /// `nil` where libzstd cannot be loaded, or has no memory.
    init?() {
        guard let library = Zstd.shared, let stream = library.create() else { return nil }
        self.library = library
        self.stream = stream
    }

    deinit { _ = library.free(stream) }

    private(set) var isAtBoundary = true

    /// libzstd skips skippable frames, and reports anything else as damage.
    func goesOn(with bytes: ArraySlice<UInt8>) -> Bool { true }

    func decode(
        _ input: UnsafeRawBufferPointer, into output: UnsafeMutableRawBufferPointer
    ) -> (read: Int, written: Int)? {
        var source = ZstdBuffer(input.baseAddress.map(UnsafeMutableRawPointer.init(mutating:)), input.count)
        var target = ZstdBuffer(output.baseAddress, output.count)
        let result = library.decompress(stream, &target, &source)
        guard library.isError(result) == 0 else { return nil }
        isAtBoundary = result == 0
        return (source.position, target.position)
    }
}

/// `ZSTD_inBuffer` and `ZSTD_outBuffer`: three words, the same for both but for `const`.
private struct ZstdBuffer {
    var start: UnsafeMutableRawPointer?
    var count: Int
    var position = 0

    init(_ start: UnsafeMutableRawPointer?, _ count: Int) {
        self.start = start
        self.count = count
    }
}

/// libzstd's functions. Its streaming interface is that of version 1.0 (2016).
///
/// `@unchecked Sendable`: addresses of functions, which never change.
private struct Zstd: @unchecked Sendable {
    let create: @convention(c) () -> OpaquePointer?
    let free: @convention(c) (OpaquePointer) -> Int
    let isError: @convention(c) (Int) -> UInt32
    private let decompressStream:
        @convention(c) (OpaquePointer, UnsafeMutableRawPointer, UnsafeMutableRawPointer) -> Int

    func decompress(_ stream: OpaquePointer, _ target: inout ZstdBuffer, _ source: inout ZstdBuffer) -> Int {
        withUnsafeMutablePointer(to: &target) { target in
            withUnsafeMutablePointer(to: &source) { decompressStream(stream, target, $0) }
        }
    }

    static let shared: Zstd? = {
        #if canImport(Darwin)
        let names = ["libzstd.1.dylib", "/opt/homebrew/lib/libzstd.1.dylib"]
        #else
        let names = ["libzstd.so.1", "libzstd.so"]
        #endif
        guard let library = try? DynamicLibrary(names),
            let create = try? library.function("ZSTD_createDStream", as: (@convention(c) () -> OpaquePointer?).self),
            let free = try? library.function("ZSTD_freeDStream", as: (@convention(c) (OpaquePointer) -> Int).self),
            let isError = try? library.function("ZSTD_isError", as: (@convention(c) (Int) -> UInt32).self),
            let decompress = try? library.function(
                "ZSTD_decompressStream",
                as: (@convention(c) (OpaquePointer, UnsafeMutableRawPointer, UnsafeMutableRawPointer) -> Int).self)
        else { return nil }
        return Zstd(create: create, free: free, isError: isError, decompressStream: decompress)
    }()
}
