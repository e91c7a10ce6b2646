import GaugeTraces

/// A slow simulation of a policy with plain arrays, a second way to find the hits. Every sum is added up afresh
/// whenever it is needed.
protocol PolicyModel: SendableMetatype {
    init(capacity: Int)
    /// The held objects with their sizes, in any order.
    var held: [ModelObject] { get }
    /// These mean the same as in `SimulatedPolicy`.
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

struct ModelObject: Hashable {
    var number: Int
    var size: Int
    var uses = 0
}

/// A model's lists go from the oldest object to the newest.
extension [ModelObject] {
    var sum: Int { reduce(0) { $0 + $1.size } }

    func place(of number: Int) -> Int? { firstIndex { $0.number == number } }

    func contains(_ number: Int) -> Bool { place(of: number) != nil }

    mutating func drop(_ number: Int) { removeAll { $0.number == number } }
}

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

/// Runs the same operations on a policy and its model, and compares them after each.
struct PolicyScript {
    /// Bytes of an operation: the object, and the kind.
    static let width = 2
    static let objects = 48

    private var policy: any SimulatedPolicy
    private var model: any PolicyModel
    private var capacity: Int
    /// The objects that should be held, going by the evictions that the policy reports.
    private var held: Set<Int> = []

    init(_ policy: any SimulatedPolicy.Type, _ model: any PolicyModel.Type, capacity: Int) {
        self.policy = policy.init(capacity: capacity)
        self.model = model.init(capacity: capacity)
        self.capacity = capacity
        self.policy.reserve(Self.objects)
    }

    /// - Returns: the first difference between policy and model, if any.
    mutating func run(_ bytes: UnsafeRawBufferPointer) -> String? {
        for (number, operation) in Self.operations(in: bytes).enumerated() {
            if let difference = step(operation) { return "operation \(number), \(operation): \(difference)" }
        }
        return nil
    }

    private mutating func step(_ operation: Operation) -> String? {
        switch operation {
        case .remove(let object):
            policy.remove(object)
            model.remove(object)
            held.remove(object)
        case .resize(let capacity):
            self.capacity = capacity
            var evicted: [Int] = []
            policy.resize(to: capacity) { object, _ in evicted.append(object) }
            model.resize(to: capacity)
            held.subtract(evicted)
            guard held == Set(model.held.map(\.number)) else { return "the objects held are not those told" }
        case .request(let object, let size, let isChanged):
            if let difference = request(object, size: size, isChanged: isChanged) { return difference }
        }
        let sum = model.held.sum
        guard policy.used == sum else { return "\(policy.used) used, expected \(sum)" }
        return policy.used <= capacity ? nil : "\(policy.used) used of \(capacity)"
    }

    /// Requests an object, and stores it after a miss or a change.
    private mutating func request(_ object: Int, size: Int, isChanged: Bool) -> String? {
        let (isHit, expected) = (policy.request(object), model.request(object))
        guard isHit == expected else { return isHit ? "a hit, expected a miss" : "a miss, expected a hit" }
        guard isHit == held.contains(object) else { return "the objects held are not those told" }
        guard size <= capacity, isChanged || !isHit else { return nil }
        var evicted: [Int] = []
        if isHit {
            policy.replace(object, size: size) { object, _ in evicted.append(object) }
            model.replace(object, size: size)
        } else {
            policy.store(object, size: size) { object, _ in evicted.append(object) }
            model.store(object, size: size)
        }
        held.insert(object)
        for object in evicted { held.remove(object) }
        return nil
    }
}

extension PolicyScript {
    /// An operation on a simulated cache.
    enum Operation {
        case request(Int, size: Int, isChanged: Bool)
        case remove(Int)
        case resize(Int)

        init(_ first: UInt8, _ second: UInt8) {
            let object = Int(first) % PolicyScript.objects
            // Of 256 operations six remove, two resize, and eight change an object; the others request it.
            self =
                switch second {
                case 0..<6: .remove(object)
                case 6, 7: .resize(Int(first) * 8)
                case 8..<16: .request(object, size: Int(second - 8) * 8, isChanged: true)
                // Every object has its size: 0 to 61.
                default: .request(object, size: object * object / 36, isChanged: false)
                }
        }
    }

    /// The operations in readable form.
    static func described(_ bytes: UnsafeRawBufferPointer) -> [String] {
        ["capacity \(Int(bytes.first ?? 0) * 4)"]
            + operations(in: UnsafeRawBufferPointer(rebasing: bytes.dropFirst())).map { "\($0)" }
    }

    private static func operations(in bytes: UnsafeRawBufferPointer) -> [Operation] {
        (0..<bytes.count / width).map { Operation(bytes[$0 * width], bytes[$0 * width + 1]) }
    }
}
