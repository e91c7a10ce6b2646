/// Why a block of header fields was refused, and where.
package struct FieldBlockError: Error, Hashable, Sendable {
    /// The defect.
    package enum Reason: Hashable, Sendable {
        /// A carriage return without a line feed behind it.
        case bareCarriageReturn
        /// A line feed without a carriage return before it.
        case bareLineFeed
        /// A zero byte.
        case nul
        /// A line that begins with a space or a tab: the obsolete way to continue the one before.
        case lineFolding
        /// A line that begins with a colon.
        case emptyName
        /// A byte in a name that no token can hold, whitespace before the colon for one.
        case nameByte(UInt8)
        /// A line without a colon.
        case missingColon
        /// The last line does not end: something may be missing.
        case unterminatedLine
        /// The block has more bytes than `FieldBlockLimits.bytes`.
        case tooManyBytes(limit: Int)
        /// A line has more bytes than `FieldBlockLimits.lineBytes`.
        case lineTooLong(limit: Int)
        /// The block has more lines than `FieldBlockLimits.lines`.
        case tooManyLines(limit: Int)
    }

    /// The defect.
    package let reason: Reason
    /// The offset in the block of the byte that is wrong, or where the line begins that is too much.
    package let offset: Int

    init(_ reason: Reason, at offset: Int) {
        self.reason = reason
        self.offset = offset
    }
}

extension FieldBlockError: CustomStringConvertible {
    /// The thing, the reason and the remedy.
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

/// How large a block of header fields may be.
package struct FieldBlockLimits: Hashable, Sendable {
    /// Bytes up to and with the empty line; 64 KiB by default.
    package var bytes: Int
    /// Bytes of a line without its CR LF; 16 KiB by default.
    package var lineBytes: Int
    /// Lines; 256 by default.
    package var lines: Int

    /// Limits; a block of more than 2^31 bytes is refused whatever they say.
    package init(bytes: Int = 64 * 1024, lineBytes: Int = 16 * 1024, lines: Int = 256) {
        self.bytes = bytes
        self.lineBytes = lineBytes
        self.lines = lines
    }
}
