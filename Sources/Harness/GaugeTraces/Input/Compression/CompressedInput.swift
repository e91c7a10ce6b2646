import Platform

/// Decompresses a trace while it is read, by zlib or libzstd where they can be loaded. Output is made as the reader asks
/// for it, so however small a file that expands to any length, memory stays bounded: by 64 KiB for gzip, and by the window
/// of the file, at most 128 MiB, for zstd.
///
/// Invariant of the pointers: input and output regions are lent for one call of the decoder, which uses neither after it and
/// reports no more bytes than they have.
final class CompressedInput {
    private let input: TraceInput
    private let name: String
    private let decoder: any StreamDecoder

    private init(_ input: TraceInput, name: String, _ decoder: any StreamDecoder) {
        self.input = input
        self.name = name
        self.decoder = decoder
    }

    /// The trace as its format has it: decompressed if it begins like a file of gzip or zstd.
    ///
    /// - Throws: ``TraceError`` when it is compressed by a program whose library cannot be used here, or twice.
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
    /// Whether all streams that were begun have ended.
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
