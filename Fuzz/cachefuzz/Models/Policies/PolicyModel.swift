import GaugeTraces

/// A slow simulation of a policy with plain arrays: the second way to find which requests are hits. Every sum is added
/// up again whenever it is needed.
protocol PolicyModel: SendableMetatype {
    init(capacity: Int)
    /// The objects held, with their sizes; in any order.
    var held: [ModelObject] { get }
    /// The meaning of each is that of `SimulatedPolicy`.
    mutating func request(_ object: Int) -> Bool
    mutating func store(_ object: Int, size: Int)
    mutating func replace(_ object: Int, size: Int)
    mutating func remove(_ object: Int)
    mutating func resize(to capacity: Int)
}

extension PolicyModel {
    mutating func replace(_ object: Int, size: Int) {
        remove(object)
        store(object, size: size)
    }
}

/// An object in a list of a model.
struct ModelObject: Hashable {
    var number: Int
    var size: Int
    var uses = 0
}

/// Lists of a model go from the oldest object to the newest.
extension [ModelObject] {
    var sum: Int { reduce(0) { $0 + $1.size } }

    func place(of number: Int) -> Int? { firstIndex { $0.number == number } }

    func contains(_ number: Int) -> Bool { place(of: number) != nil }

    mutating func drop(_ number: Int) { removeAll { $0.number == number } }
}

/// The models by the names of their policies.
let policyModels: [String: any PolicyModel.Type] = [
    LRUPolicy.name: LRUModel.self,
    FIFOPolicy.name: FIFOModel.self,
    SIEVEPolicy.name: SIEVEModel.self,
    S3FIFOPolicy.name: S3FIFOModel.self,
    ARCPolicy.name: ARCModel.self,
    LIRSPolicy.name: LIRSModel.self,
    WTinyLFUPolicy.name: WTinyLFUModel.self,
    GreedyDualPolicy<WholeSize>.name: GDSFModel.self,
    GreedyDualPolicy<RootOfSize>.name: RootGDSFModel.self,
]
