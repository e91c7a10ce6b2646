import Platform

/// Decompresses a trace while it is read, by zlib or libzstd if they can be loaded. It makes only the output that the
/// reader asks for, so memory stays bounded even for a tiny file that expands to any length: by 64 KiB for gzip, and by
/// the file's window, at most 128 MiB, for zstd.
///
/// Invariant of the pointers: input and output regions are lent for one call of the decoder, which doesn't use them
/// after it and never reports more bytes than they have.
final class CompressedInput {
    private let input: TraceInput
    private let name: String
    private let decoder: any StreamDecoder

    private init(_ input: TraceInput, name: String, _ decoder: any StreamDecoder) {
        (self.input, self.name, self.decoder) = (input, name, decoder)
    }

    /// The trace, decompressed if it begins like a gzip or zstd file.
    ///
    /// - Throws: ``TraceError`` if the program's library can't be used here, or it was compressed twice.
    static func opened(_ input: TraceInput) throws(TraceError) -> TraceInput {
        guard let compression = Compression.of(try input.peek(6)) else { return input }
        guard let decoder = compression.decoder() else {
            throw TraceError(
                input.name, .offset(0),
                "compressed by \(compression.name)\(compression.library.map { ", and \($0) cannot be loaded" } ?? ""); "
                    + "decompress it on the way: \(compression.tool) FILE | cachegauge replay -")
        }
        let compressed = CompressedInput(input, name: compression.name, decoder)
        let trace = TraceInput(name: input.name, isCutShort: { input.isCutShort }) { (room) throws(TraceError) -> Int in
            try compressed.read(into: room)
        }
        if let second = Compression.of(try trace.peek(6)) {
            throw TraceError(
                input.name, .whole,
                "compressed twice, by \(second.name) and then by \(compression.name); decompress it once on the way: \(compression.tool) FILE | cachegauge replay -"
            )
        }
        return trace
    }

    private func read(into room: UnsafeMutableRawBufferPointer) throws(TraceError) -> Int {
        while true {
            let bytes = try input.available()
            if bytes.isEmpty {
                if decoder.isAtBoundary || input.isCutShort { return 0 }
                throw fault("ends in the middle; the file is cut short")
            }
            guard decoder.goesOn(with: bytes) else {
                // Tapes and block devices pad files with zeros.
                let padding = bytes.prefix { $0 == 0 }.count
                guard padding > 0 else { throw fault("is followed by other bytes") }
                input.skip(padding)
                continue
            }
            let step = bytes.withUnsafeBytes { decoder.decode($0, into: room) }
            guard let step, step.read > 0 || step.written > 0 else { throw fault("is damaged") }
            input.skip(step.read)
            if step.written > 0 { return step.written }
        }
    }

    private func fault(_ reason: String) -> TraceError {
        TraceError(input.name, .offset(input.offset), "the \(name) data \(reason)", isSkippable: true)
    }
}

/// Decodes a compressed stream piece by piece.
protocol StreamDecoder: AnyObject {
    /// Whether no stream has been begun and not ended.
    var isAtBoundary: Bool { get }
    /// Whether bytes at a boundary begin another stream. If not, they must be zeros.
    func goesOn(with bytes: ArraySlice<UInt8>) -> Bool
    /// Decodes as much of `input` as fits into `output`.
    ///
    /// - Returns: bytes read and written; `nil` if the input is damaged.
    func decode(
        _ input: UnsafeRawBufferPointer, into output: UnsafeMutableRawBufferPointer
    ) -> (read: Int, written: Int)?
}

/// The programs that compress traces.
enum Compression: CaseIterable {
    case gzip, zstd, xz, bzip2

    static func of(_ beginning: ArraySlice<UInt8>) -> Compression? {
        allCases.first { beginning.starts(with: $0.signature) } ?? (isSkippableFrame(beginning) ? .zstd : nil)
    }

    /// Whether the file begins with a frame that zstd skips (RFC 8878, section 3.1.2), as pzstd writes.
    private static func isSkippableFrame(_ beginning: ArraySlice<UInt8>) -> Bool {
        guard let first = beginning.first, 0x50...0x5F ~= first else { return false }
        return beginning.dropFirst().starts(with: [0x2A, 0x4D, 0x18])
    }

    private var signature: [UInt8] {
        switch self {
        case .gzip: [0x1F, 0x8B, 0x08]
        case .zstd: [0x28, 0xB5, 0x2F, 0xFD]
        case .xz: [0xFD, 0x37, 0x7A, 0x58, 0x5A]
        case .bzip2: Array("BZh".utf8)
        }
    }

    var name: String { "\(self)" }

    var tool: String {
        switch self {
        case .gzip: "zcat"
        case .zstd: "zstdcat"
        case .xz: "xzcat"
        case .bzip2: "bzcat"
        }
    }

    /// The library that decompresses; `nil` if unsupported.
    var library: String? {
        switch self {
        case .gzip: "zlib"
        case .zstd: "libzstd"
        case .xz, .bzip2: nil
        }
    }

    /// A decoder; `nil` if its library can't be loaded.
    func decoder() -> (any StreamDecoder)? {
        switch self {
        case .gzip: GzipDecoder()
        case .zstd: ZstdDecoder()
        case .xz, .bzip2: nil
        }
    }
}

/// Decodes the members of a gzip file (RFC 1952), one after the other.
///
/// Invariant of the pointers: the regions of `decode` go to one call of the inflater, and aren't used after it.
final class GzipDecoder: StreamDecoder {
    private var inflater: Inflater?

    /// `nil` if zlib can't be loaded.
    init?() {
        inflater = Inflater(.gzip)
        if inflater == nil { return nil }
    }

    private(set) var isAtBoundary = true

    func goesOn(with bytes: ArraySlice<UInt8>) -> Bool { !isAtBoundary || bytes.first == 0x1F }

    func decode(
        _ input: UnsafeRawBufferPointer, into output: UnsafeMutableRawBufferPointer
    ) -> (read: Int, written: Int)? {
        if isAtBoundary, hasEnded { inflater = Inflater(.gzip) }
        hasEnded = false
        isAtBoundary = false
        guard let inflater, !isCorrupt else { return nil }
        do throws(Inflater.Corrupt) {
            let step = try inflater.inflate(input, into: output)
            if step.isAtEnd { (isAtBoundary, hasEnded) = (true, true) }
            return (step.read, step.written)
        } catch {
            isCorrupt = true
            return error.written > 0 ? (0, error.written) : nil
        }
    }

    /// Whether the next bytes are damaged; all before them have been decoded.
    private var isCorrupt = false

    /// Whether a member has ended, so that the next one needs a new inflater.
    private var hasEnded = false
}

/// Decodes the frames of a zstd file (RFC 8878) by libzstd, loaded at run time.
///
/// Invariant: `stream` was made by `ZSTD_createDStream` and is freed once. A call's buffers are valid during that call
/// only.
final class ZstdDecoder: StreamDecoder {
    private let library: Zstd
    private let stream: OpaquePointer

    /// `nil` if libzstd can't be loaded, or has no memory.
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

/// `ZSTD_inBuffer` and `ZSTD_outBuffer`: three words each, alike but for `const`.
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
