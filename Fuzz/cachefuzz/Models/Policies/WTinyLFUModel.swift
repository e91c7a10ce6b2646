/// W-TinyLFU with a dictionary of counts that is really halved.
struct WTinyLFUModel: PolicyModel {
    var capacity: Int
    var exactWindow: Double
    var step: Double
    var lastRatio = 0.0
    var window: [ModelObject] = []
    var probation: [ModelObject] = []
    var protected: [ModelObject] = []
    var counts: [Int: Int] = [:]
    var requests = 0
    var hits = 0

    var held: [ModelObject] { window + probation + protected }
    var main: [ModelObject] { probation + protected }
    var windowCapacity: Int { Int(exactWindow) }
    var mainCapacity: Int { capacity - windowCapacity }
    var smallestWindow: Double { Double(max(min(1, capacity), capacity / 100)) }

    init(capacity: Int) {
        self.capacity = capacity
        exactWindow = Double(max(min(1, capacity), capacity / 100))
        step = Double(capacity) / 16
    }

    mutating func request(_ object: Int) -> Bool {
        counts[object] = min(15, counts[object, default: 0] + 1)
        let isHit = held.contains(object)
        if let place = window.place(of: object) { window.append(window.remove(at: place)) }
        if let found = main.first(where: { $0.number == object }) {
            probation.drop(object)
            protected.drop(object)
            protected.append(found)
            while protected.sum > mainCapacity - mainCapacity / 5 { probation.append(protected.removeFirst()) }
        }
        requests += 1
        hits += isHit ? 1 : 0
        if requests >= 10 * max(10, held.count) { adapt() }
        return isHit
    }

    mutating func store(_ object: Int, size: Int) {
        let entry = ModelObject(number: object, size: size)
        if size > windowCapacity {
            admit(entry)
        } else {
            window.append(entry)
            while window.sum > windowCapacity { admit(window.removeFirst()) }
        }
        while held.sum > capacity, !main.isEmpty { evictMain() }
    }

    mutating func admit(_ candidate: ModelObject) {
        let needed = main.sum + candidate.size - mainCapacity
        if needed > 0 {
            guard candidate.size <= mainCapacity else { return }
            let worth = counts[candidate.number, default: 0]
            var victims: [ModelObject] = []
            var isLost = false
            for object in main where victims.sum < needed && !isLost {
                victims.append(object)
                isLost = victims.reduce(0) { $0 + counts[$1.number, default: 0] } >= worth
            }
            guard !isLost, worth > 0 else {
                // The examined ones needn't win again at once.
                for victim in victims where probation.contains(victim.number) {
                    probation.drop(victim.number)
                    probation.append(victim)
                }
                for victim in victims where protected.contains(victim.number) {
                    protected.drop(victim.number)
                    protected.append(victim)
                }
                return
            }
            while main.sum + candidate.size > mainCapacity, !main.isEmpty { evictMain() }
        }
        probation.append(candidate)
    }

    mutating func evictMain() {
        if probation.isEmpty { protected.removeFirst() } else { probation.removeFirst() }
    }

    mutating func adapt() {
        for object in counts.keys { counts[object, default: 0] /= 2 }
        let ratio = Double(hits) / Double(requests)
        let change = ratio - lastRatio
        let amount = change < 0 ? -step : step
        lastRatio = ratio
        (requests, hits) = (0, 0)
        step = amount * 0.98
        if abs(change) >= 0.05 { step = Double(capacity) / 16 * (amount < 0 ? -1 : 1) }
        exactWindow = max(smallestWindow, min(Double(capacity - capacity / 5), exactWindow + amount))
        while main.sum > mainCapacity {
            window.append(probation.isEmpty ? protected.removeFirst() : probation.removeFirst())
        }
        while window.sum > windowCapacity { probation.append(window.removeFirst()) }
    }

    mutating func remove(_ object: Int) {
        window.drop(object)
        probation.drop(object)
        protected.drop(object)
    }

    mutating func resize(to capacity: Int) {
        let factor = Double(capacity) / Double(max(1, self.capacity))
        self.capacity = capacity
        exactWindow = max(smallestWindow, min(Double(capacity), exactWindow * factor))
        step *= factor
        while held.sum > capacity {
            if main.isEmpty { window.removeFirst() } else { evictMain() }
        }
    }
}
