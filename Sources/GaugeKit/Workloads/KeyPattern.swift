/// What kind of key stream a workload has: a value that can be printed, compared and turned into the stream.
public enum KeyPattern: Hashable, Sendable, CustomStringConvertible {
    /// ``ZipfKeys``.
    case zipf(exponent: Double)
    /// ``UniformKeys``.
    case uniform
    /// ``ScanKeys``.
    case scan
    /// ``LoopKeys``.
    case loop

    /// The stream over `objects` keys that `seed` stands for. A scan has no end and takes no notice of `objects`.
    public func stream(objects: Int, seed: UInt64) -> any KeyStream {
        switch self {
        case .zipf(let exponent): ZipfKeys(objects: objects, exponent: exponent, seed: seed)
        case .uniform: UniformKeys(objects: objects, seed: seed)
        case .scan: ScanKeys()
        case .loop: LoopKeys(objects: objects)
        }
    }

    /// For people: `Zipf 0.8`.
    public var description: String {
        switch self {
        case .zipf(let exponent): "Zipf \(exponent)"
        case .uniform: "uniform"
        case .scan: "scan"
        case .loop: "loop"
        }
    }
}
