/// The LRU cache that programs usually have: a dictionary from strings to nodes of a doubly linked list.
final class DictionaryLRU<Value> {
    private final class Node {
        let key: String
        var value: Value
        let cost: Int
        var newer: Node?
        var older: Node?

        init(key: String, value: Value, cost: Int) {
            self.key = key
            self.value = value
            self.cost = cost
        }
    }

    private let capacity: Int
    private var usage = 0
    private var nodes: [String: Node] = [:]
    private var newest: Node?
    private var oldest: Node?

    init(capacity: Int) { self.capacity = capacity }

    deinit {
        // Neighbours retain each other.
        while let node = oldest {
            oldest = node.newer
            node.newer = nil
            node.older = nil
        }
    }

    func value(_ key: String) -> Value? {
        guard let node = nodes[key] else { return nil }
        if node !== newest {
            unlink(node)
            link(node)
        }
        return node.value
    }

    func store(_ value: Value, key: String, cost: Int) {
        if let old = nodes[key] {
            unlink(old)
            usage -= old.cost
        }
        while usage + cost > capacity, let victim = oldest {
            unlink(victim)
            nodes[victim.key] = nil
            usage -= victim.cost
        }
        let node = Node(key: key, value: value, cost: cost)
        nodes[key] = node
        link(node)
        usage += cost
    }

    private func link(_ node: Node) {
        node.older = newest
        newest?.newer = node
        newest = node
        if oldest == nil { oldest = node }
    }

    private func unlink(_ node: Node) {
        let newer = node.newer
        if let older = node.older { older.newer = newer } else { oldest = newer }
        if let newer { newer.older = node.older } else { newest = node.older }
        node.newer = nil
        node.older = nil
    }
}
