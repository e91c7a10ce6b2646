/// The variants that an index leads to, as its body has them, so that they can be removed with it: of each the length
/// of its part of the key, four bytes, and that part. Empty if they are too many, or may not all be named on disk.
struct VariantList: Equatable {
    private(set) var bytes: [UInt8]

    static let incomplete = VariantList(bytes: [])
    private static let mostBytes = 1024

    private init(bytes: [UInt8]) { self.bytes = bytes }

    init(_ body: UnsafeRawBufferPointer) { bytes = Array(body) }

    /// A list of one.
    init(_ variant: [UInt8]) {
        bytes = []
        append(variant)
    }

    private mutating func append(_ variant: [UInt8]) {
        withUnsafeBytes(of: UInt32(clamping: variant.count).littleEndian) { bytes += $0 }
        bytes += variant
        if bytes.count > Self.mostBytes { bytes = [] }
    }

    /// The same list with another variant, unless it's incomplete.
    func adding(_ variant: [UInt8]) -> VariantList {
        guard let variants, !variants.contains(variant[...]) else { return self }
        var longer = self
        longer.append(variant)
        return longer
    }

    /// The parts of the keys; `nil` if there is no telling.
    var variants: [ArraySlice<UInt8>]? {
        var (variants, rest): ([ArraySlice<UInt8>], _) = ([], bytes[...])
        while rest.count >= 4 {
            let count = rest.prefix(4).reversed().reduce(0) { $0 << 8 | Int($1) }
            rest = rest.dropFirst(4)
            guard count <= rest.count else { return nil }
            variants.append(rest.prefix(count))
            rest = rest.dropFirst(count)
        }
        return rest.isEmpty && !variants.isEmpty ? variants : nil
    }
}
