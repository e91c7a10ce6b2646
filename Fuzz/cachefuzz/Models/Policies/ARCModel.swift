/// Adaptive Replacement Cache, with the paper's names: T1 and T2 are held, B1 and B2 are their ghosts, p is the target.
struct ARCModel: PolicyModel {
    var capacity: Int
    var p = 0
    var t1: [ModelObject] = []
    var t2: [ModelObject] = []
    var b1: [ModelObject] = []
    var b2: [ModelObject] = []
    var held: [ModelObject] { t1 + t2 }

    init(capacity: Int) { self.capacity = capacity }

    mutating func request(_ object: Int) -> Bool {
        guard let found = held.first(where: { $0.number == object }) else { return false }
        t1.drop(object)
        t2.drop(object)
        t2.append(found)
        return true
    }

    mutating func store(_ object: Int, size: Int) {
        let (isInB1, isInB2) = (b1.contains(object), b2.contains(object))
        let (one, two) = (Double(b1.sum), Double(b2.sum))
        func step(_ ratio: Double) -> Int { Int(Double(size) * (ratio > 1 && ratio.isFinite ? ratio : 1)) }
        if isInB1 { p = min(capacity, p + step(two / one)) }
        if isInB2 { p = max(0, p - step(one / two)) }
        b1.drop(object)
        b2.drop(object)
        replace(until: capacity - size, isInB2: isInB2)
        if isInB1 || isInB2 {
            t2.append(ModelObject(number: object, size: size))
        } else {
            t1.append(ModelObject(number: object, size: size))
        }
        trim()
    }

    mutating func replace(until goal: Int, isInB2: Bool) {
        while held.sum > goal {
            let isT1TooLong = t1.sum > p || isInB2 && t1.sum == p
            if t2.isEmpty || isT1TooLong && !t1.isEmpty {
                b1.append(t1.removeFirst())
            } else {
                b2.append(t2.removeFirst())
            }
        }
    }

    mutating func trim() {
        while t1.sum + b1.sum > capacity, !b1.isEmpty { b1.removeFirst() }
        while t1.sum + t2.sum + b1.sum + b2.sum > 2 * capacity, !b2.isEmpty { b2.removeFirst() }
    }

    mutating func remove(_ object: Int) {
        t1.drop(object)
        t2.drop(object)
        b1.drop(object)
        b2.drop(object)
    }

    mutating func resize(to capacity: Int) {
        self.capacity = capacity
        p = min(p, capacity)
        replace(until: capacity, isInB2: false)
        trim()
    }
}
