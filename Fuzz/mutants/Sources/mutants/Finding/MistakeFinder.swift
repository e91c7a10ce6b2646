import SwiftSyntax

/// Finds places for human mistakes: the right kind of code about the wrong thing. Many don't compile; the build drops
/// those.
final class MistakeFinder: SyntaxVisitor {
    private let list: SiteList
    private let neighbours: Neighbours

    init(_ list: SiteList, _ neighbours: Neighbours) {
        self.list = list
        self.neighbours = neighbours
        super.init(viewMode: .sourceAccurate)
    }

    override func visit(_ node: AttributeSyntax) -> SyntaxVisitorContinueKind { .skipChildren }
    override func visit(_ node: IfConfigDeclSyntax) -> SyntaxVisitorContinueKind { .skipChildren }
    override func visit(_ node: EnumCaseDeclSyntax) -> SyntaxVisitorContinueKind { .skipChildren }
    override func visit(_ node: KeyPathExprSyntax) -> SyntaxVisitorContinueKind { .skipChildren }
    override func visit(_ node: ExpressionPatternSyntax) -> SyntaxVisitorContinueKind { .skipChildren }

    // MARK: - Calls

    override func visit(_ node: FunctionCallExprSyntax) -> SyntaxVisitorContinueKind {
        if node.leftParen != nil, node.trailingClosure == nil { addArguments(of: node) }
        guard let member = node.calledExpression.as(MemberAccessExprSyntax.self), let base = member.base,
            let object = base.flattened
        else { return .visitChildren }
        let name = member.declName.baseName.text
        if let other = Words.units[name], let arguments = node.arguments.flattened {
            list.add(.unit, to: node, .replace("\(object).\(other)(\(arguments))"))
        }
        switch (name, node.arguments.flattened) {
        case ("rounded", ""?), ("rounded", ".up"), ("rounded", ".toNearestOrEven"):
            list.add(.rounding, to: node, .replace("\(object).rounded(.down)"))
        case ("rounded", ".down"):
            list.add(.rounding, to: node, .replace("\(object).rounded(.up)"))
        case ("sorted", _):
            list.add(.direction, to: node, .replace("Array(\(object))"))
        default: break
        }
        return .visitChildren
    }

    private func addArguments(of node: FunctionCallExprSyntax) {
        let arguments = Array(node.arguments)
        guard arguments.count > 1, let callee = node.calledExpression.flattened else { return }
        let texts = arguments.compactMap(\.expression.flattened)
        guard texts.count == arguments.count else { return }
        /// The call with other expressions after its labels.
        func call(_ texts: [String]) -> String {
            let list = zip(arguments, texts).map { ($0.label.map { "\($0.text): " } ?? "") + $1 }
            return "\(callee)(\(list.joined(separator: ", ")))"
        }
        let pairs = arguments.indices.dropLast().filter { index in
            texts[index] != texts[index + 1] && arguments[index].expression.isName
                && arguments[index + 1].expression.isName
        }
        if let index = pairs.first {
            var exchanged = texts
            exchanged.swapAt(index, index + 1)
            list.add(.arguments, to: node, .replace(call(exchanged)))
            var copied = texts
            copied[index + 1] = texts[index]
            list.add(.copy, to: node, .replace(call(copied)))
        }
        if arguments.last?.label != nil { list.add(.fallback, to: node, .replace(call(texts.dropLast()))) }
    }

    // MARK: - Names

    override func visit(_ node: MemberAccessExprSyntax) -> SyntaxVisitorContinueKind {
        let name = node.declName.baseName.text
        if let base = node.base {
            if !node.isWritten, !node.isCallee, let text = base.flattened, let other = neighbours.property(beside: name)
            {
                list.add(.neighbour, to: node, .replace("\(text).\(other)"))
            }
        } else if !node.isCallee, let other = neighbours.nextCase(after: name) {
            list.add(.neighbour, to: node, .replace(".\(other)"))
        }
        return .visitChildren
    }

    override func visit(_ node: DeclReferenceExprSyntax) -> SyntaxVisitorContinueKind {
        guard node.parent?.as(MemberAccessExprSyntax.self)?.declName != node, !node.isWritten, !node.isCallee else {
            return .visitChildren
        }
        if let other = neighbours.twin(of: node.baseName.text) { list.add(.neighbour, to: node, .replace(other)) }
        return .visitChildren
    }

    // MARK: - Operators and literals

    override func visit(_ node: InfixOperatorExprSyntax) -> SyntaxVisitorContinueKind {
        guard let name = node.operator.as(BinaryOperatorExprSyntax.self)?.operator.text,
            let left = node.leftOperand.flattened, let right = node.rightOperand.flattened
        else { return .visitChildren }
        if name == "??" { list.add(.fallback, to: node, .replace("(\(right))")) }
        if name == "==" || name == "!=", node.leftOperand.isName, node.rightOperand.isName,
            Words.isSequence(left) || Words.isSequence(right)
        {
            list.add(.prefix, to: node, .replace("(\(left)).prefix(64) \(name) (\(right)).prefix(64)"))
        }
        if name == "<<", let other = Words.shifts[right] { list.add(.unit, to: node, .replace("\(left) << \(other)")) }
        return .visitChildren
    }

    override func visit(_ node: IntegerLiteralExprSyntax) -> SyntaxVisitorContinueKind {
        let text = node.literal.text.filter { $0 != "_" }
        if let other = Words.powers[text] { list.add(.unit, to: node, .replace(other)) }
        return .visitChildren
    }

    override func visit(_ node: FloatLiteralExprSyntax) -> SyntaxVisitorContinueKind {
        let text = node.literal.text
        if let other = Words.powers[text] {
            list.add(.unit, to: node, .replace(other))
        } else if let other = Words.fractions[text] ?? Double(text).map({ "\($0 == 0 ? 1 : $0 * 1.1)" }) {
            list.add(.fraction, to: node, .replace(other))
        }
        return .visitChildren
    }

    // MARK: - Statements

    override func visit(_ node: ForStmtSyntax) -> SyntaxVisitorContinueKind {
        if let text = node.sequence.flattened {
            list.add(.direction, to: node.sequence, .replaceSequence("Array(\(text)).reversed()"))
        }
        return .visitChildren
    }

    override func visit(_ node: CodeBlockItemListSyntax) -> SyntaxVisitorContinueKind {
        let items = Array(node)
        for (first, second) in zip(items, items.dropFirst()) {
            // Two plain assignments have no order, e.g. in an initialiser.
            let areCalls = first.assignedValue == nil || second.assignedValue == nil
            if areCalls, first.isRemovable, second.isRemovable, case .expr = first.item, case .expr = second.item,
                let one = first.item.flattened, let other = second.item.flattened, one != other
            {
                list.add(
                    .order, from: first.item, through: second.item, .replaceStatements("\(other); \(one)"),
                    original: "\(one); \(other)")
            }
            if let source = first.assignedValue, let place = second.assignedValue, let text = source.flattened,
                text != place.flattened
            {
                list.add(.copy, to: place, .replace(text))
            }
            if second.isRemovable, second.canBePrecededByReturn { list.add(.exit, to: second.item, .insert("return")) }
        }
        return .visitChildren
    }
}
