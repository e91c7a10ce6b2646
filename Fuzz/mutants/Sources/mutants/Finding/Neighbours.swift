import Foundation
import SwiftParser
import SwiftSyntax

/// Names of a module that a person confuses: neighbouring cases, properties of one type, and twins such as `base` and
/// `head`.
struct Neighbours: Sendable {
    private var cases: [String: String] = [:]
    private var properties: [String: String] = [:]
    private var declared: Set<String> = []

    init(sources: [String]) {
        let collector = DeclarationCollector(viewMode: .sourceAccurate)
        for source in sources { collector.walk(Parser.parse(source: source)) }
        declared = collector.names
        for group in collector.caseGroups { Self.chain(group, into: &cases) }
        for group in collector.propertyGroups { Self.chain(group, into: &properties) }
    }

    func nextCase(after name: String) -> String? { cases[name] }

    /// The next stored property of the same type, or else the twin.
    func property(beside name: String) -> String? { twin(of: name) ?? properties[name] }

    /// The declared name that differs from `name` in one word, such as `headCount` from `baseCount`.
    func twin(of name: String) -> String? {
        for pair in Self.twins {
            for (word, other) in [(pair.0, pair.1), (pair.1, pair.0)] {
                if let twin = Self.replacing(word, by: other, in: name), declared.contains(twin) { return twin }
            }
        }
        return nil
    }

    private static func chain(_ names: [String], into table: inout [String: String]) {
        guard names.count > 1 else { return }
        for (index, name) in names.enumerated() where table[name] == nil {
            table[name] = names[(index + 1) % names.count]
        }
    }

    private static let twins = [
        ("base", "head"), ("first", "last"), ("lower", "upper"), ("minimum", "maximum"), ("min", "max"),
        ("mean", "median"), ("memory", "disk"), ("request", "response"), ("stored", "received"), ("hits", "misses"),
        ("read", "written"), ("reads", "writes"), ("old", "new"), ("before", "after"), ("start", "end"),
        ("count", "capacity"), ("left", "right"), ("oldest", "newest"), ("key", "value"), ("date", "age"),
        ("cost", "size"), ("bytes", "entries"), ("seconds", "nanoseconds"), ("numerator", "denominator"),
        ("source", "target"), ("input", "output"), ("previous", "next"), ("width", "height"), ("x", "y"),
    ]

    /// `name` with `word` replaced, at its beginning or inside.
    private static func replacing(_ word: String, by other: String, in name: String) -> String? {
        if name == word { return other }
        if name.hasPrefix(word), name.dropFirst(word.count).first?.isUppercase == true {
            return other + name.dropFirst(word.count)
        }
        let capital = word.capitalized, otherCapital = other.capitalized
        guard let range = name.range(of: capital) else { return nil }
        let isWhole = range.upperBound == name.endIndex || !name[range.upperBound].isLowercase
        return isWhole ? name.replacingCharacters(in: range, with: otherCapital) : nil
    }
}

/// Collects the names that sources declare.
private final class DeclarationCollector: SyntaxVisitor {
    private(set) var names: Set<String> = []
    /// The cases of each enumeration without associated values.
    private(set) var caseGroups: [[String]] = []
    private(set) var propertyGroups: [[String]] = []

    override func visit(_ node: EnumDeclSyntax) -> SyntaxVisitorContinueKind {
        let elements = node.memberBlock.members.compactMap { $0.decl.as(EnumCaseDeclSyntax.self) }
            .flatMap { Array($0.elements) }
        caseGroups.append(elements.filter { $0.parameterClause == nil }.map(\.name.text))
        return .visitChildren
    }

    override func visit(_ node: MemberBlockSyntax) -> SyntaxVisitorContinueKind {
        var groups: [String: [String]] = [:]
        for member in node.members {
            guard let variable = member.decl.as(VariableDeclSyntax.self) else { continue }
            for binding in variable.bindings {
                guard let name = binding.pattern.as(IdentifierPatternSyntax.self)?.identifier.text,
                    let type = binding.typeAnnotation?.type.trimmedDescription
                else { continue }
                groups[type, default: []].append(name)
            }
        }
        propertyGroups += groups.sorted { $0.key < $1.key }.map(\.value)
        return .visitChildren
    }

    override func visit(_ node: IdentifierPatternSyntax) -> SyntaxVisitorContinueKind {
        names.insert(node.identifier.text)
        return .visitChildren
    }

    override func visit(_ node: FunctionParameterSyntax) -> SyntaxVisitorContinueKind {
        names.insert((node.secondName ?? node.firstName).text)
        return .visitChildren
    }

    override func visit(_ node: FunctionDeclSyntax) -> SyntaxVisitorContinueKind {
        names.insert(node.name.text)
        return .visitChildren
    }
}
