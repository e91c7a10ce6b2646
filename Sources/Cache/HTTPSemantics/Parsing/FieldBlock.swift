/// A block of header field lines, `Name: value` and CR LF each (RFC 9112, section 5), as places in its bytes, plus the
/// values a cache reads from them.
///
/// The caller keeps the bytes, and passes them again to get text. `parse` reuses the storage of the block before, so in
/// the long run it allocates nothing.
///
/// Refused, with reason and offset: folded lines, a lone CR, LF or zero byte, whitespace before a colon, names that are
/// not tokens, an unterminated last line, and blocks over the limits.
package struct FieldBlock: Sendable {
    package struct Line: Hashable, Sendable {
        package var name: FieldRange
        /// Where the value is, without the whitespace around it.
        package var value: FieldRange
    }

    package private(set) var lines: [Line] = []
    package private(set) var values = ResponseFieldValues()
    /// Bytes of the block, including the empty line. Bytes behind it are not read.
    package private(set) var byteCount = 0

    package init() {}

    /// Reads the block at the start of `bytes`; see `ResponseFieldValues.parse(_:now:limits:)`.
    package init(
        parsing bytes: RawSpan, now: Int64, limits: FieldBlockLimits = FieldBlockLimits()
    ) throws(FieldBlockError) {
        try parse(bytes, now: now, limits: limits)
    }

    /// Reads another block in place of this one. After an error there are no lines.
    package mutating func parse(
        _ bytes: RawSpan, now: Int64, limits: FieldBlockLimits = FieldBlockLimits()
    ) throws(FieldBlockError) {
        lines.removeAll(keepingCapacity: true)
        values = ResponseFieldValues()
        byteCount = 0
        // Taken out, so appending need not check each time whether `self` shares the storage.
        var lines: [Line] = []
        swap(&lines, &self.lines)
        do {
            byteCount = try bytes.withUnsafeBytes { (bytes) throws(FieldBlockError) in
                try values.read(bytes, now: now, limits: limits) { line in
                    lines.append(Line(name: FieldRange(within: line.name), value: FieldRange(within: line.value)))
                }
            }
            swap(&lines, &self.lines)
        } catch {
            values = ResponseFieldValues()
            throw error
        }
    }
}

// MARK: - Text

extension FieldBlock {
    /// The value of `name`, its lines joined with `, ` in order (RFC 9110, section 5.3); `nil` without such a line.
    /// Pass the bytes that were parsed. Case does not matter.
    package func value(of name: HTTPFields.Name, in bytes: RawSpan) -> String? {
        var values: [String] = []
        for line in lines where HTTPFields.Name(line.name.text(in: bytes)) == name {
            values.append(line.value.text(in: bytes))
        }
        return values.isEmpty ? nil : values.joined(separator: ", ")
    }

    /// The fields as text. Bytes that are not UTF-8 are kept; see `HTTPFields.Field.valueBytes`.
    package func fields(in bytes: RawSpan) -> HTTPFields {
        HTTPFields(
            lines.map { line in
                HTTPFields.Field(name: HTTPFields.Name(line.name.text(in: bytes)), value: line.value.text(in: bytes))
            })
    }
}

/// Why a block of header fields was refused, and where.
package struct FieldBlockError: Error, Hashable, Sendable {
    package enum Reason: Hashable, Sendable {
        /// A carriage return not followed by a line feed.
        case bareCarriageReturn
        /// A line feed without a carriage return before it.
        case bareLineFeed
        case nul
        /// A line that begins with a space or a tab: the obsolete way to continue the line before.
        case lineFolding
        /// A line that begins with a colon.
        case emptyName
        /// A byte that no token can hold in a name, e.g. whitespace before the colon.
        case nameByte(UInt8)
        case missingColon
        /// The last line does not end, so something may be missing.
        case unterminatedLine
        case tooManyBytes(limit: Int)
        case lineTooLong(limit: Int)
        case tooManyLines(limit: Int)
    }

    package let reason: Reason
    /// The offset in the block of the wrong byte, or of the start of the line that is too much.
    package let offset: Int

    init(_ reason: Reason, at offset: Int) {
        self.reason = reason
        self.offset = offset
    }
}

extension FieldBlockError: CustomStringConvertible {
    package var description: String { "field block, byte \(offset): \(explanation)" }

    private var explanation: String {
        switch reason {
        case .bareCarriageReturn: "a carriage return stands alone; end lines with CR LF"
        case .bareLineFeed: "a line feed stands alone; end lines with CR LF"
        case .nul: "a zero byte; field values are text"
        case .lineFolding: "the line begins with whitespace; write the value on one line"
        case .emptyName: "a field without a name; write one before the colon"
        case .nameByte(let byte): "byte \(byte) cannot stand in a field name; use letters, digits and dashes"
        case .missingColon: "no colon in the line; write a field as `Name: value`"
        case .unterminatedLine: "the last line does not end; end it with CR LF"
        case .tooManyBytes(let limit): "more than \(limit) bytes; raise the limit or send less"
        case .lineTooLong(let limit): "a line of more than \(limit) bytes; raise the limit or send less"
        case .tooManyLines(let limit): "more than \(limit) lines; raise the limit or send less"
        }
    }
}

package struct FieldBlockLimits: Hashable, Sendable {
    /// Bytes up to and with the empty line; 64 KiB by default.
    package var bytes: Int
    /// Bytes of a line without its CR LF; 16 KiB by default.
    package var lineBytes: Int
    /// Lines; 256 by default.
    package var lines: Int

    /// Limits; a block of more than 2^31 bytes is always refused.
    package init(bytes: Int = 64 * 1024, lineBytes: Int = 16 * 1024, lines: Int = 256) {
        self.bytes = bytes
        self.lineBytes = lineBytes
        self.lines = lines
    }
}
