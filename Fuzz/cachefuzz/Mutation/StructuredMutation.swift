/// Reads an input, changes the parts that it is made of, and writes it again. The seed decides everything.
protocol StructuredMutation: SendableMetatype {
    init(seed: UInt32)

    /// - Returns: at most `limit` bytes.
    mutating func change(_ bytes: [UInt8], limit: Int) -> [UInt8]

    /// - Returns: an input with parts of both, at most `limit` bytes.
    mutating func join(_ one: [UInt8], _ other: [UInt8], limit: Int) -> [UInt8]
}

extension InputMutation {
    static func structured<Mutation: StructuredMutation>(_: Mutation.Type) -> InputMutation {
        InputMutation(
            change: { buffer, size, seed in
                var mutation = Mutation(seed: seed)
                let changed = mutation.change([UInt8](buffer.prefix(size)), limit: buffer.count)
                buffer.copyBytes(from: changed)
                return changed.count
            },
            join: { one, other, buffer, seed in
                var mutation = Mutation(seed: seed)
                let joined = mutation.join([UInt8](one), [UInt8](other), limit: buffer.count)
                buffer.copyBytes(from: joined)
                return joined.count
            })
    }
}
