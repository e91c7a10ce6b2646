/// A node of a tree of JSON: the numbers of the children on the way to it.
struct JSONPlace {
    let path: [Int]
    /// The name of the member that the node is, or that the array is in which it is an element.
    let name: String?
    let childCount: Int

    /// The places of all nodes, each before its children.
    static func all(of tree: JSONModel) -> [JSONPlace] {
        var places: [JSONPlace] = []
        add(tree, [], nil, to: &places)
        return places
    }

    private static func add(_ node: JSONModel, _ path: [Int], _ name: String?, to places: inout [JSONPlace]) {
        places.append(JSONPlace(path: path, name: name, childCount: node.childCount))
        switch node {
        case .object(let members):
            for (index, member) in members.enumerated() {
                add(member.value, path + [index], String(decoding: member.name, as: UTF8.self), to: &places)
            }
        case .array(let elements):
            for (index, element) in elements.enumerated() { add(element, path + [index], name, to: &places) }
        case .string, .number, .word: break
        }
    }
}

extension JSONModel {
    func node(_ path: some Collection<Int>) -> JSONModel {
        guard let first = path.first else { return self }
        return child(first).node(path.dropFirst())
    }

    private func child(_ index: Int) -> JSONModel {
        switch self {
        case .object(let members): members[index].value
        case .array(let elements): elements[index]
        case .string, .number, .word: self
        }
    }

    mutating func edit(_ path: some Collection<Int>, _ change: (inout JSONModel) -> Void) {
        guard let first = path.first else { return change(&self) }
        var child = child(first)
        child.edit(path.dropFirst(), change)
        replace(first, by: child)
    }
}
