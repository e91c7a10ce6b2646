// Invariant of the pointers: an entry and its metadata are written into regions of exactly their lengths, in one call.

import CacheTiers
import HTTPSemantics

/// The metadata that the tiers keep beside a body, without reading it: the facts that decide on a hit, the header
/// fields, and the application's own data.
///
/// Little-endian, no gaps; the same bytes in memory and on disk:
///
///     offset  size  what
///          0    40  StoredFacts, see StoredFacts.swift
///         40     4  kind: 0 a response, 1 a variant index, 2 parts of a response
///         44     4  F, bytes of the field lines
///         48     4  A, bytes of the application's data
///         52     8  generation of a variant index, 0 in a response
///         60     F  field lines, each: bytes of name (4), bytes of value (4), name, value
///       60+F     A  the application's data
///
/// The disk tier's checksums cover it, but it is read as untrusted input: every count is checked before use, and
/// damaged metadata is a miss.
enum StoredMetadata {
    private enum Offset {
        static let kind = StoredFacts.encodedSize
        static let fieldBytes = kind + 4
        static let applicationBytes = kind + 8
        static let generation = kind + 12
        static let fields = kind + 20
    }

    enum Kind: UInt32 {
        case response = 0
        /// The entry under the URL's own key if responses vary; its field lines are the names in `Vary`, and its body
        /// is a `VariantList`.
        case variantIndex = 1
        /// Parts of a response, see `RepresentationParts`; the application's data is the variant's key.
        case parts = 2
    }

    /// A new entry's metadata, which is written where the entry keeps it.
    struct Content {
        private let kind: Kind
        private let facts: StoredFacts
        private let fields: Fields
        private let applicationData: [UInt8]
        private let generation: UInt64
        private let lineBytes: Int

        /// The field lines, to be encoded or encoded already; the latter are lent until the entry is made.
        private enum Fields {
            case fields(HTTPFields)
            case lines(UnsafeRawBufferPointer)
        }

        init(
            kind: Kind = .response, facts: StoredFacts, fields: HTTPFields, applicationData: [UInt8] = [],
            generation: UInt64 = 0
        ) {
            self.kind = kind
            self.facts = facts
            self.fields = .fields(fields)
            self.applicationData = applicationData
            self.generation = generation
            lineBytes = fields.fields.reduce(0) {
                $0 + FieldLineWriter.byteCount($1.name.rawName, $1.value)
            }
        }

        /// The metadata of a response whose lines a `FieldLineWriter` has written.
        init(facts: StoredFacts, lines: UnsafeRawBufferPointer, applicationData: [UInt8]) {
            kind = .response
            self.facts = facts
            fields = .lines(lines)
            self.applicationData = applicationData
            generation = 0
            lineBytes = lines.count
        }

        /// How many bytes it takes.
        var byteCount: Int { Offset.fields + lineBytes + applicationData.count }

        /// Writes it.
        ///
        /// - Parameter bytes: `byteCount` bytes.
        func write(to bytes: UnsafeMutableRawBufferPointer) {
            facts.encode(into: bytes)
            var writer = ByteWriter(rest: UnsafeMutableRawBufferPointer(rebasing: bytes[Offset.kind...]))
            writer.write(kind.rawValue)
            writer.write(UInt32(clamping: lineBytes))
            writer.write(UInt32(clamping: applicationData.count))
            writer.write(generation)
            switch fields {
            case .lines(let lines): writer.write(lines)
            case .fields(let fields):
                for field in fields.fields {
                    writer.write(UInt32(clamping: field.name.rawName.utf8.count))
                    writer.write(UInt32(clamping: field.value.utf8.count))
                    writer.write(field.name.rawName)
                    writer.write(field.value)
                }
            }
            applicationData.withUnsafeBytes { writer.write($0) }
        }
    }

    /// The fixed part, which is all a hit needs. Reading it allocates nothing.
    struct Head {
        let kind: Kind
        let facts: StoredFacts
        let generation: UInt64
    }

    /// Reads the head; `nil` if the bytes are not metadata of this layout.
    static func head(_ bytes: UnsafeRawBufferPointer) -> Head? {
        guard parts(bytes) != nil,
            let facts = StoredFacts(decoding: bytes),
            let kind = Kind(rawValue: bytes.littleEndian(at: Offset.kind))
        else { return nil }
        return Head(kind: kind, facts: facts, generation: bytes.littleEndian(at: Offset.generation))
    }

    /// Reads the field lines, up to the first damaged one.
    static func fields(_ bytes: UnsafeRawBufferPointer) -> HTTPFields {
        var fields = HTTPFields()
        guard let lines = parts(bytes)?.fields else { return fields }
        var at = lines.lowerBound
        while lines.upperBound - at >= 8 {
            let nameCount = Int(bytes.littleEndian(at: at) as UInt32)
            let valueCount = Int(bytes.littleEndian(at: at + 4) as UInt32)
            guard nameCount + valueCount <= lines.upperBound - at - 8 else { break }
            let name = at + 8
            let value = name + nameCount
            at = value + valueCount
            fields.fields.append(
                .init(
                    name: .init(String(decoding: bytes[name..<value], as: UTF8.self)),
                    value: String(decoding: bytes[value..<at], as: UTF8.self)))
        }
        return fields
    }

    /// The application's data; may be empty.
    static func applicationData(_ bytes: UnsafeRawBufferPointer) -> [UInt8] {
        guard let range = parts(bytes)?.applicationData else { return [] }
        return Array(bytes[range])
    }

    /// Where the two variable parts are; `nil` unless head and parts together are exactly the bytes.
    private static func parts(_ bytes: UnsafeRawBufferPointer) -> (fields: Range<Int>, applicationData: Range<Int>)? {
        guard bytes.count >= Offset.fields else { return nil }
        let fieldsEnd = Offset.fields + Int(bytes.littleEndian(at: Offset.fieldBytes) as UInt32)
        let end = fieldsEnd + Int(bytes.littleEndian(at: Offset.applicationBytes) as UInt32)
        guard end == bytes.count else { return nil }
        return (Offset.fields..<fieldsEnd, fieldsEnd..<end)
    }
}

extension UnsafeRawBufferPointer {
    /// A little-endian integer; the caller has checked that it lies inside the buffer.
    fileprivate func littleEndian<Integer: FixedWidthInteger & BitwiseCopyable>(at offset: Int) -> Integer {
        Integer(littleEndian: loadUnaligned(fromByteOffset: offset, as: Integer.self))
    }
}

/// Writes one value behind the other. The owner of the bytes has made room for all.
private struct ByteWriter {
    var rest: UnsafeMutableRawBufferPointer

    mutating func write(_ bytes: UnsafeRawBufferPointer) {
        rest.copyMemory(from: bytes)
        rest = UnsafeMutableRawBufferPointer(rebasing: rest[bytes.count...])
    }

    mutating func write(_ number: some FixedWidthInteger) {
        Swift.withUnsafeBytes(of: number.littleEndian) { write($0) }
    }

    mutating func write(_ text: String) {
        var text = text
        text.withUTF8 { write(UnsafeRawBufferPointer($0)) }
    }
}

extension StoredEntry {
    /// An entry whose parts are written into its one allocation; `nil` if a part is longer than `Int32.max` bytes.
    init?(
        key: UnsafeRawBufferPointer, hash: KeyHash, metadata: StoredMetadata.Content, body: UnsafeRawBufferPointer,
        storedAt: Int64, policy: StoragePolicy, attachedCount: Int = 0
    ) {
        let metadataCount = metadata.byteCount
        self.init(
            hash: hash, keyCount: key.count, metadataCount: metadataCount, bodyCount: body.count, storedAt: storedAt,
            policy: policy, attachedCount: attachedCount
        ) { bytes in
            var writer = ByteWriter(rest: bytes)
            writer.write(key)
            metadata.write(to: UnsafeMutableRawBufferPointer(rebasing: writer.rest[..<metadataCount]))
            writer.rest = UnsafeMutableRawBufferPointer(rebasing: writer.rest[metadataCount...])
            writer.write(body)
        }
    }
}
