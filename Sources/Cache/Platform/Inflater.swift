import CSupport

/// Decodes one gzip file (RFC 1952) or zlib or raw deflate stream (RFC 1950, 1951) with zlib, loaded at run time.
/// libcurl can decode too, but accepts a truncated stream as complete.
///
/// Invariant: `stream` is a `z_stream` at a fixed address. `inflateInit2_` has initialised it, and `inflateEnd` is
/// called on it once. Its buffer pointers are valid only during a call of `inflate`.
package final class Inflater {
    /// The bytes do not follow the format.
    package struct Corrupt: Error {
        /// Bytes the same call decoded before the damage.
        package let written: Int
    }

    package enum Format: Int32 {
        /// The `windowBits` of `inflateInit2`.
        case gzip = 31
        case zlib = 15
        case rawDeflate = -15
    }

    private let zlib: Zlib
    private let stream: UnsafeMutablePointer<cs_zlib_stream>

    /// `nil` if zlib cannot be loaded or has no memory.
    package init?(_ format: Format) {
        guard let zlib = Zlib.shared else { return nil }
        let stream = UnsafeMutablePointer<cs_zlib_stream>.allocate(capacity: 1)
        stream.initialize(to: cs_zlib_stream())
        guard zlib.begin(stream, format.rawValue, Zlib.version, Int32(MemoryLayout<cs_zlib_stream>.size)) == Zlib.ok
        else {
            stream.deallocate()
            return nil
        }
        self.zlib = zlib
        self.stream = stream
    }

    deinit {
        _ = zlib.end(stream)
        stream.deallocate()
    }

    /// Decodes as much of `input` as fits into `output`.
    ///
    /// - Returns: bytes read and written, and whether the stream has ended.
    package func inflate(
        _ input: UnsafeRawBufferPointer, into output: UnsafeMutableRawBufferPointer
    ) throws(Corrupt) -> (read: Int, written: Int, isAtEnd: Bool) {
        stream.pointee.next_in = input.baseAddress?.assumingMemoryBound(to: UInt8.self)
        stream.pointee.available_in = UInt32(clamping: input.count)
        stream.pointee.next_out = output.baseAddress?.assumingMemoryBound(to: UInt8.self)
        stream.pointee.available_out = UInt32(clamping: output.count)
        let result = zlib.inflate(stream, 0)
        let read = Int(UInt32(clamping: input.count) - stream.pointee.available_in)
        let written = Int(UInt32(clamping: output.count) - stream.pointee.available_out)
        switch result {
        case Zlib.ok, Zlib.noProgress: return (read, written, false)
        case Zlib.streamEnd: return (read, written, true)
        default: throw Corrupt(written: written)
        }
    }
}

/// zlib's functions. Its binary interface is that of 1995.
///
/// `@unchecked Sendable`: addresses of functions, which never change.
private struct Zlib: @unchecked Sendable {
    typealias Stream = UnsafeMutablePointer<cs_zlib_stream>

    let begin: @convention(c) (Stream, Int32, UnsafePointer<CChar>, Int32) -> Int32
    let inflate: @convention(c) (Stream, Int32) -> Int32
    let end: @convention(c) (Stream) -> Int32

    static let ok: Int32 = 0
    static let streamEnd: Int32 = 1
    /// `Z_BUF_ERROR`: it needs more input or more room.
    static let noProgress: Int32 = -5
    /// The interface we ask for; zlib compares its first character.
    static let version = "1.2.11"

    static let shared = try? Zlib()

    private init() throws(DynamicLibrary.Missing) {
        #if canImport(Darwin)
        let library = try DynamicLibrary(["libz.1.dylib"])
        #else
        let library = try DynamicLibrary(["libz.so.1", "libz.so"])
        #endif
        begin = try library.function("inflateInit2_")
        inflate = try library.function("inflate")
        end = try library.function("inflateEnd")
    }
}

extension Inflater {
    package static let isAvailable = Zlib.shared != nil
}
