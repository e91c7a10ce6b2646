/// A cache of any values for a number of entries, which evicts the least recently used: what a package of caches vends.
struct LRU<Key: Hashable, Value> {
    private struct Node {
        var key: Key?
        var value: Value?
        var before = 0
        var after = 0
    }

    /// The most entries; 0 for none.
    var limit: Int {
        didSet { while places.count > limit { self[oldest] = nil } }
    }
    /// A ring; node 0 stands between the newest and the oldest.
    private var nodes = [Node()]
    private var free: [Int] = []
    private var places: [Key: Int] = [:]

    init(limit: Int) { self.limit = max(0, limit) }

    var count: Int { places.count }

    private var oldest: Key { nodes[nodes[0].after].key! }

    /// A lookup is a use.
    mutating func value(for key: Key) -> Value? {
        guard let place = places[key] else { return nil }
        leave(place)
        enter(place)
        return nodes[place].value
    }

    subscript(key: Key) -> Value? {
        get { places[key].flatMap { nodes[$0].value } }
        set {
            if let place = places.removeValue(forKey: key) {
                leave(place)
                (nodes[place].key, nodes[place].value) = (nil, nil)
                free.append(place)
            }
            guard let newValue, limit > 0 else { return }
            if places.count == limit { self[oldest] = nil }
            let place = free.popLast() ?? nodes.count
            if place == nodes.count { nodes.append(Node()) }
            (nodes[place].key, nodes[place].value) = (key, newValue)
            places[key] = place
            enter(place)
        }
    }

    mutating func removeAll() { self = LRU(limit: limit) }

    private mutating func leave(_ place: Int) {
        let (before, after) = (nodes[place].before, nodes[place].after)
        nodes[before].after = after
        nodes[after].before = before
    }

    private mutating func enter(_ place: Int) {
        let newest = nodes[0].before
        (nodes[place].before, nodes[place].after) = (newest, 0)
        nodes[newest].after = place
        nodes[0].before = place
    }
}
