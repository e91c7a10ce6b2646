/// The programs that traces are compressed with.
enum Compression: CaseIterable {
    case gzip, zstd, xz, bzip2

    /// The program whose files begin with these bytes.
    static func of(_ beginning: ArraySlice<UInt8>) -> Compression? {
        allCases.first { beginning.starts(with: $0.signature) } ?? (isSkippableFrame(beginning) ? .zstd : nil)
    }

    /// Whether a frame comes first that zstd skips (RFC 8878, section 3.1.2), as pzstd writes it.
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

    /// The command that decompresses to its output.
    var tool: String {
        switch self {
        case .gzip: "zcat"
        case .zstd: "zstdcat"
        case .xz: "xzcat"
        case .bzip2: "bzcat"
        }
    }

    /// The library that decompresses; `nil` for those that are not supported.
    var library: String? {
        switch self {
        case .gzip: "zlib"
        case .zstd: "libzstd"
        case .xz, .bzip2: nil
        }
    }

    /// A decoder; `nil` where its library cannot be loaded.
    func decoder() -> (any StreamDecoder)? {
        switch self {
        case .gzip: GzipDecoder()
        case .zstd: ZstdDecoder()
        case .xz, .bzip2: nil
        }
    }
}
