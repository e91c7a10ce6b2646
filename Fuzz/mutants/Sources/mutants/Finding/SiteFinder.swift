import SwiftOperators
import SwiftParser
import SwiftSyntax

/// Finds every place in one file where an operator applies.
final class SiteFinder: SyntaxVisitor {
    private let file: String
    private let converter: SourceLocationConverter
    private let sourceLines: [Substring]
    private var sites: [Site] = []

    /// The sites of a file, in the order of the source.
    ///
    /// - Parameter file: the path from the root of the package, which the sites carry.
    static func sites(in source: String, file: String) -> [Site] {
        // Folding makes `a + b < c` a comparison of a sum. An undeclared operator is left unfolded and has no sites.
        let tree = OperatorTable.standardOperators.foldAll(Parser.parse(source: source)) { _ in }
        let finder = SiteFinder(file: file, source: source, tree: tree)
        finder.walk(tree)
        return finder.sites.sorted {
            ($0.bytes.lowerBound, $0.bytes.upperBound) < ($1.bytes.lowerBound, $1.bytes.upperBound)
        }
    }

    private init(file: String, source: String, tree: Syntax) {
        self.file = file
        converter = SourceLocationConverter(fileName: file, tree: tree)
        sourceLines = source.split(separator: "\n", omittingEmptySubsequences: false)
        super.init(viewMode: .sourceAccurate)
    }

    /// Notes that `mutation` applies to `node`.
    private func add(_ mutation: MutationOperator, to node: some SyntaxProtocol, _ form: Site.Form) {
        guard let original = node.flattened ?? (form == .leaveOut ? node.firstLine : nil) else { return }
        let start = node.positionAfterSkippingLeadingTrivia
        let end = node.endPositionBeforeTrailingTrivia
        let first = converter.location(for: start).line
        sites.append(
            Site(
                file: file, lines: first...max(first, converter.location(for: end).line),
                bytes: start.utf8Offset..<end.utf8Offset, mutation: mutation, form: form,
                line: sourceLines[first - 1].trimmed, original: original))
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
    /// The first line of the text, to show a statement without repeating all of it.
    fileprivate var firstLine: String? {
        trimmedDescription.split(separator: "\n").first.map { "\($0.trimmed) …" }
    }

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

extension CodeBlockItemSyntax {
    /// Whether the statement can be removed from the block: a call, an assignment, or an exit from an `if`.
    fileprivate var isRemovable: Bool {
        switch item {
        case .expr(let expression): expression.isCallOrAssignment && !isImplicitResult
        case .stmt(let statement):
            (statement.is(ReturnStmtSyntax.self) || statement.is(ThrowStmtSyntax.self)
                || statement.is(ContinueStmtSyntax.self) || statement.is(BreakStmtSyntax.self))
                && parent?.parent?.parent?.is(IfExprSyntax.self) == true
        default: false
        }
    }

    /// Whether this is the only expression of a closure, or of a function or accessor with a result, and so its result.
    private var isImplicitResult: Bool {
        guard let list = parent?.as(CodeBlockItemListSyntax.self), list.count == 1, let owner = list.parent?.parent
        else { return false }
        if let function = owner.as(FunctionDeclSyntax.self) { return function.signature.returnClause != nil }
        return list.parent?.is(ClosureExprSyntax.self) == true || list.parent?.is(AccessorBlockSyntax.self) == true
    }
}

extension ExprSyntax {
    fileprivate var isCallOrAssignment: Bool {
        if let attempt = self.as(TryExprSyntax.self) { return attempt.expression.isCallOrAssignment }
        if let waiting = self.as(AwaitExprSyntax.self) { return waiting.expression.isCallOrAssignment }
        if let call = self.as(FunctionCallExprSyntax.self) {
            // Calls that never return end the block, and assertions are absent from a release build.
            let name = call.calledExpression.as(DeclReferenceExprSyntax.self)?.baseName.text
            return !["fatalError", "preconditionFailure", "assert", "assertionFailure"].contains(name)
        }
        guard let infix = self.as(InfixOperatorExprSyntax.self) else { return false }
        if infix.operator.is(AssignmentExprSyntax.self) {
            return !infix.leftOperand.is(DiscardAssignmentExprSyntax.self)
        }
        let name = infix.operator.as(BinaryOperatorExprSyntax.self)?.operator.text ?? ""
        return name.hasSuffix("=") && Operators.comparisons[name] == nil
    }
}
