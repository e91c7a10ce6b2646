import SwiftSyntax

/// Finds slips of one symbol.
final class SlipFinder: SyntaxVisitor {
    private let list: SiteList

    init(_ list: SiteList) {
        self.list = list
        super.init(viewMode: .sourceAccurate)
    }

    private func add(_ mutation: MutationOperator, to node: some SyntaxProtocol, _ form: Site.Form) {
        list.add(mutation, to: node, form)
    }

    // MARK: - Where nothing can be switched while the program runs

    override func visit(_ node: AttributeSyntax) -> SyntaxVisitorContinueKind { .skipChildren }
    override func visit(_ node: IfConfigDeclSyntax) -> SyntaxVisitorContinueKind { .skipChildren }
    override func visit(_ node: EnumCaseDeclSyntax) -> SyntaxVisitorContinueKind { .skipChildren }

    // MARK: - Operators

    override func visit(_ node: InfixOperatorExprSyntax) -> SyntaxVisitorContinueKind {
        guard let name = node.operator.as(BinaryOperatorExprSyntax.self)?.operator.text else { return .visitChildren }
        if name == "..<" || name == "..." {
            if let end = node.rightOperand.flattened { add(.offByOne, to: node.rightOperand, .replace("(\(end)) + 1")) }
            return .visitChildren
        }
        // Strings and arrays have no `-`.
        guard !node.leftOperand.isTextOrList, !node.rightOperand.isTextOrList else { return .visitChildren }
        let tables: [(MutationOperator, [String: String])] = [
            (.comparison, Operators.comparisons), (.offByOne, Operators.boundaries),
            (.connective, Operators.connectives), (.arithmetic, Operators.arithmetic),
        ]
        for (mutation, table) in tables {
            guard let other = table[name], let left = node.leftOperand.flattened,
                let right = node.rightOperand.flattened
            else { continue }
            // The left side of an assignment must stay an lvalue, without parentheses.
            let isAssignment = name.hasSuffix("=") && Operators.comparisons[name] == nil
            add(
                mutation, to: node,
                .replace(isAssignment ? "\(left) \(other) \(right)" : "(\(left)) \(other) (\(right))"))
        }
        return .visitChildren
    }

    override func visit(_ node: FunctionCallExprSyntax) -> SyntaxVisitorContinueKind {
        let others = ["min": "max", "max": "min"]
        if let callee = node.calledExpression.as(DeclReferenceExprSyntax.self)?.baseName.text,
            let other = others[callee],
            let text = node.flattened
        {
            add(.arithmetic, to: node, .replace(other + text.dropFirst(callee.count)))
        }
        return .visitChildren
    }

    // MARK: - Constants

    override func visit(_ node: IntegerLiteralExprSyntax) -> SyntaxVisitorContinueKind {
        let beside = node.parent?.as(InfixOperatorExprSyntax.self)?.operator.as(BinaryOperatorExprSyntax.self)
        let isAmount = beside.map { Operators.amounts.contains($0.operator.text) } ?? false
        if let next = node.successor { add(isAmount ? .offByOne : .constant, to: node, .replace(next)) }
        return .visitChildren
    }

    override func visit(_ node: BooleanLiteralExprSyntax) -> SyntaxVisitorContinueKind {
        add(.constant, to: node, .replace(node.literal.text == "true" ? "false" : "true"))
        return .visitChildren
    }

    override func visit(_ node: StringLiteralExprSyntax) -> SyntaxVisitorContinueKind {
        // `UInt8(ascii: "a")`
        if node.parent?.as(LabeledExprSyntax.self)?.label?.text == "ascii", let text = node.representedLiteralValue,
            let byte = text.utf8.first, text.utf8.count == 1, let next = Self.plainCharacter(after: byte)
        {
            add(.constant, to: node, .replace("\"\(next)\""))
        }
        return .visitChildren
    }

    /// The next printable character that needs no escape in a literal.
    private static func plainCharacter(after byte: UInt8) -> Character? {
        let next = max(byte, UInt8(ascii: " ")) + 1
        let isEscaped = next == UInt8(ascii: "\"") || next == UInt8(ascii: "\\")
        let plain = isEscaped ? next + 1 : next
        return plain < 0x7F ? Character(Unicode.Scalar(plain)) : nil
    }

    // MARK: - Conditions

    override func visit(_ node: GuardStmtSyntax) -> SyntaxVisitorContinueKind {
        for element in node.conditions { addCheck(element, constant: "true") }
        return .visitChildren
    }

    override func visit(_ node: IfExprSyntax) -> SyntaxVisitorContinueKind {
        for element in node.conditions { addCheck(element, constant: "false") }
        if node.elseBody != nil, node.conditions.count == 1, let element = node.conditions.first,
            case .expression(let condition) = element.condition
        {
            add(.branch, to: condition, .negate)
        }
        return .visitChildren
    }

    override func visit(_ node: WhileStmtSyntax) -> SyntaxVisitorContinueKind {
        for element in node.conditions { addCheck(element, constant: "false") }
        return .visitChildren
    }

    override func visit(_ node: TernaryExprSyntax) -> SyntaxVisitorContinueKind {
        add(.branch, to: node.condition, .negate)
        return .visitChildren
    }

    private func addCheck(_ element: ConditionElementSyntax, constant: String) {
        guard case .expression(let condition) = element.condition, !condition.is(BooleanLiteralExprSyntax.self)
        else { return }
        add(.check, to: condition, .replace(constant))
    }

    // MARK: - Statements

    override func visit(_ node: CodeBlockItemSyntax) -> SyntaxVisitorContinueKind {
        if node.isRemovable { add(.statement, to: node.item, .leaveOut) }
        return .visitChildren
    }
}

extension SyntaxProtocol {
    fileprivate var isTextOrList: Bool { self.is(StringLiteralExprSyntax.self) || self.is(ArrayExprSyntax.self) }
}

extension IntegerLiteralExprSyntax {
    /// The number one larger, in the same notation, or one smaller if it is the largest.
    fileprivate var successor: String? {
        let digits = literal.text.filter { $0 != "_" }
        if digits.hasPrefix("0x") {
            return UInt64(digits.dropFirst(2), radix: 16)
                .map { "0x" + String($0 == .max ? $0 - 1 : $0 + 1, radix: 16, uppercase: true) }
        }
        return UInt64(digits).map { String($0 == .max ? $0 - 1 : $0 + 1) }
    }
}
