/// The lines of a block of header fields, `Name: value` and CR LF each (RFC 9112, section 5), as places in its bytes,
/// with the values that a cache reads from them.
///
/// The bytes stay with the caller, who passes the same ones again where text is asked for. Reading a further block with
/// `parse` uses the storage of the one before, so that in the long run nothing is allocated.
///
/// Refused, with the reason and the offset: folded lines, a CR, LF or zero byte alone, whitespace before a colon, names
/// that are not tokens, a last line without an end, and more than the limits allow.
package struct FieldBlock: Sendable {
    /// One line.
    package struct Line: Hashable, Sendable {
        /// Where the name stands.
        package var name: FieldRange
        /// Where the value stands, without the whitespace around it.
        package var value: FieldRange
    }

    /// The lines, in order.
    package private(set) var lines: [Line] = []
    /// The values a cache reads.
    package private(set) var values = ResponseFieldValues()
    /// Bytes of the block, the empty line included. The bytes behind it are not read.
    package private(set) var byteCount = 0

    /// A block without lines.
    package init() {}

    /// Reads the block at the start of `bytes`; see `ResponseFieldValues.parse(_:now:limits:)`.
    package init(
        parsing bytes: RawSpan, now: Int64, limits: FieldBlockLimits = FieldBlockLimits()
    ) throws(FieldBlockError) {
        try parse(bytes, now: now, limits: limits)
    }

    /// Reads another block in this one's place. After an error there are no lines.
    package mutating func parse(
        _ bytes: RawSpan, now: Int64, limits: FieldBlockLimits = FieldBlockLimits()
    ) throws(FieldBlockError) {
        lines.removeAll(keepingCapacity: true)
        values = ResponseFieldValues()
        byteCount = 0
        // Taken out, so that appending need not check each time whether the storage is shared through `self`.
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
    ///
    /// - Parameters:
    ///   - name: compared without regard to case.
    ///   - bytes: the bytes that were parsed.
    package func value(of name: HTTPFields.Name, in bytes: RawSpan) -> String? {
        var values: [String] = []
        for line in lines where HTTPFields.Name(line.name.text(in: bytes)) == name {
            values.append(line.value.text(in: bytes))
        }
        return values.isEmpty ? nil : values.joined(separator: ", ")
    }

    /// The fields as text. Bytes that are not UTF-8 are kept as `HTTPFields.Field.valueBytes` says.
    package func fields(in bytes: RawSpan) -> HTTPFields {
        HTTPFields(
            lines.map { line in
                HTTPFields.Field(
                    name: HTTPFields.Name(line.name.text(in: bytes)), value: line.value.text(in: bytes))
            })
    }
}
