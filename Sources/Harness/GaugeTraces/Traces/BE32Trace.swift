/// Big-endian signed 32-bit keys with no header. The id is the key's bit pattern.
package struct BE32Trace: TraceDecoder {
    package let input: TraceInput

    package init(_ input: TraceInput) { self.input = input }

    package mutating func next(isTold: Bool) throws(TraceError) -> TraceRequest? {
        let bytes = try input.peek(4)
        guard !bytes.isEmpty else { return nil }
        guard bytes.count == 4 else {
            let offset = input.offset
            input.skip(bytes.count)
            throw TraceError(
                input.name, .offset(offset),
                "\(bytes.count) of a key's 4 bytes; a be32 trace is a multiple of 4 bytes long, and this one is cut short or of another format",
                isSkippable: true)
        }
        let key = bytes.reduce(UInt32(0)) { $0 << 8 | UInt32($1) }
        input.skip(4)
        return TraceRequest(id: UInt64(key))
    }
}
