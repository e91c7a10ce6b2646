/// Documents of one kind, for ``JSONMutation``.
protocol DocumentMaker: SendableMetatype {
    /// A document whose members fit together.
    static func document(_ maker: inout MessageMaker) -> JSONModel
    /// A value for the member of this name; `nil` if no value is known.
    static func value(of name: String, _ maker: inout MessageMaker) -> JSONModel?
    /// Puts what may stand around a document around it.
    static func wrapped(_ text: [UInt8], _ maker: inout MessageMaker) -> [UInt8]
    /// The tree of a document that may have something around it.
    static func tree(_ text: [UInt8]) -> JSONModel?
}

/// Changes JSON documents as trees: values, members and elements.
struct JSONMutation<Documents: DocumentMaker>: StructuredMutation {
    private var maker: MessageMaker

    init(seed: UInt32) { maker = MessageMaker(seed: seed) }

    mutating func change(_ bytes: [UInt8], limit: Int) -> [UInt8] {
        var tree = Documents.tree(bytes) ?? Documents.document(&maker)
        for _ in 0...maker.below(3) { changeOnce(&tree) }
        return written(tree, limit: limit)
    }

    mutating func join(_ one: [UInt8], _ other: [UInt8], limit: Int) -> [UInt8] {
        guard var tree = Documents.tree(one), let second = Documents.tree(other) else { return [] }
        let place = maker.pick(JSONPlace.all(of: tree))
        let places = JSONPlace.all(of: second)
        // A value of the same name fits best.
        let alike = places.filter { $0.name == place.name }
        let taken = second.node(maker.pick(alike.isEmpty ? places : alike).path)
        tree.edit(place.path) { $0 = taken }
        return written(tree, limit: limit)
    }

    /// The text, without as many elements and members as do not fit.
    private mutating func written(_ tree: JSONModel, limit: Int) -> [UInt8] {
        var tree = tree
        while true {
            let bytes = Documents.wrapped(tree.text, &maker)
            if bytes.count <= limit { return bytes }
            guard let place = JSONPlace.all(of: tree).last(where: { $0.childCount > 0 }) else {
                return Array(bytes.prefix(limit))
            }
            tree.edit(place.path) { $0.removeLast() }
        }
    }

    private mutating func changeOnce(_ tree: inout JSONModel) {
        if maker.below(16) == 0 { return tree = Documents.document(&maker) }
        let places = JSONPlace.all(of: tree)
        let chosen = maker.pick(places)
        let (place, name, node) = (chosen.path, chosen.name, tree.node(chosen.path))
        switch maker.below(8) {
        case 0, 1, 2:
            let made = name.flatMap { Documents.value(of: $0, &maker) }
            let value = maker.chance(85) ? made : nil
            let other = value ?? scalar(like: node)
            tree.edit(place) { $0 = other }
        case 3:
            guard node.childCount > 0 else { return changeOnce(&tree) }
            let gone = maker.below(node.childCount)
            tree.edit(place) { $0.remove(gone) }
        case 4:
            guard node.childCount > 0 else { return changeOnce(&tree) }
            let (from, to) = (maker.below(node.childCount), maker.below(node.childCount + 1))
            tree.edit(place) { $0.copy(from, to: to) }
        case 5:
            guard node.childCount > 1 else { return changeOnce(&tree) }
            let (one, other) = (maker.below(node.childCount), maker.below(node.childCount))
            tree.edit(place) { $0.swap(one, other) }
        case 6:
            let part = name.flatMap { Documents.value(of: $0, &maker) }
            guard let part, part.childCount > 0 else { return changeOnce(&tree) }
            tree.edit(place) { $0.merge(part) }
        default:
            // The same value elsewhere in the document.
            let copied = tree.node(maker.pick(places).path)
            guard copied.childCount == 0, node.childCount == 0 else { return }
            tree.edit(place) { $0 = copied }
        }
    }

    private mutating func scalar(like node: JSONModel) -> JSONModel {
        if maker.chance(15) { return maker.pick([.null, .flag(true), .array([]), .object([]), .text(""), .whole(0)]) }
        switch node {
        case .number: return .number(Array(maker.pick(Self.numbers).utf8))
        case .string(var text):
            maker.exchanges.maker.mutate(&text)
            return .string(String(validating: text, as: UTF8.self) == nil ? [] : text)
        default: return node
        }
    }

    private static var numbers: [String] {
        [
            "0", "1", "-1", "0.5", "2", "3", "60", "1e3", "-0", "1.5e-3", "0.1234567890123", "100", "1000000",
            "9007199254740993", "1e308", "1e-400", "0.30000000000000004",
        ]
    }
}
