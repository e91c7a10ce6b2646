import HTTPAgreement
import HTTPSemantics

extension FuzzTarget {
    /// The input is a block of header fields.
    ///
    /// Oracle: the reference reads the same lines and values, with wide and narrow limits. The case of names and the
    /// whitespace around values change nothing. Fields read, written and read again stay the same. The values are the
    /// same when read from `HTTPFields`, with a field's lines joined, and when the lines aren't kept. A refusal gives
    /// the reason. Reading is linear in the length.
    static let fieldBlock = FuzzTarget("field_block") { buffer in
        let bytes = [UInt8](buffer)
        require(.fieldBlock(bytes, limits: FieldBlockLimits(), now: now))
        for limit in [0, 1, 40] {
            require(.fieldBlock(bytes, limits: .init(bytes: 4 * limit, lineBytes: limit, lines: limit / 10), now: now))
        }
        do throws(FieldBlockError) {
            _ = try ResponseFieldValues.parse(
                ContiguousArray(bytes).span.bytes, now: now, limits: .init(bytes: 160, lineBytes: 40, lines: 4))
        } catch {
            require(!"\(error)".isEmpty, "\(bytes.quoted) is refused without a word")
        }
        let block: FieldBlock
        do throws(FieldBlockError) {
            block = try requireLinear(bytes.count, rate: 40, "a field block") { () throws(FieldBlockError) in
                try FieldBlock(parsing: ContiguousArray(bytes).span.bytes, now: now)
            }
        } catch {
            return require(!"\(error)".isEmpty, "\(bytes.quoted) is refused without a word")
        }
        let lines = block.lines.map { (name: [UInt8](bytes[$0.name.range]), value: [UInt8](bytes[$0.value.range])) }
        var plain: [UInt8] = []
        var padded: [UInt8] = []
        plain.reserveCapacity(bytes.count + 8)
        padded.reserveCapacity(bytes.count + 8 * lines.count)
        for (name, value) in lines {
            plain += name
            plain.append(0x3A)
            plain += value
            plain += "\r\n".utf8
            padded += name.uppercased
            padded += ": \t".utf8
            padded += value
            padded += "\t \r\n".utf8
        }
        plain += "\r\n".utf8
        let lean = try? ResponseFieldValues.parse(ContiguousArray(bytes).span.bytes, now: now)
        require(lean == block.values, "\(bytes.quoted) means \(block.values), but without its lines \(lean as Any)")
        for line in block.lines.suffix(1) {
            require(line.name.text(in: RawSpan()) == "", "a place outside of the bytes has text")
        }
        let values = meaning(block.values)
        for other in [plain, padded] where other.count <= FieldBlockLimits().bytes {
            // The added whitespace may have made a line longer than the limit.
            guard let read = try? FieldBlock(parsing: ContiguousArray(other).span.bytes, now: now) else { continue }
            require(read.lines.count == lines.count, "\(other.quoted) has other lines than \(bytes.quoted)")
            require(meaning(read.values) == values, "\(other.quoted) has other values than \(bytes.quoted)")
        }

        // A String would change bytes that aren't UTF-8.
        guard String(validating: bytes, as: UTF8.self) != nil else { return }
        let fields = block.fields(in: ContiguousArray(bytes).span.bytes)
        for name in ["Cache-Control", "Vary"] as [HTTPFields.Name] {
            require(
                block.value(of: name, in: ContiguousArray(bytes).span.bytes) == fields[name],
                "\(bytes.quoted): another \(name)")
        }
        let other = meaning(ResponseFieldValues(fields, now: now))
        require(other == values, "\(bytes.quoted) means \(values), but as HTTPFields \(other)")
    }

    private static let now: Int64 = 1_795_219_200

    /// The values without positions, which move with the text.
    private static func meaning(_ values: ResponseFieldValues) -> ResponseFieldValues {
        var values = values
        values.places = ResponseFieldValues.Places()
        values.entityTag = values.entityTag.map { EntityTag(isWeak: $0.isWeak, opaqueTag: FieldRange()) }
        return values
    }
}
