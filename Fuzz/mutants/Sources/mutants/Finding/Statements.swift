import SwiftSyntax

extension CodeBlockItemSyntax {
    /// Whether the statement can be removed from its block: a call, an assignment, or an exit from an `if`.
    var isRemovable: Bool {
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
    var isCallOrAssignment: Bool {
        if let attempt = self.as(TryExprSyntax.self) { return attempt.expression.isCallOrAssignment }
        if let waiting = self.as(AwaitExprSyntax.self) { return waiting.expression.isCallOrAssignment }
        if let call = self.as(FunctionCallExprSyntax.self) {
            // Calls that never return end the block, and a release build has no assertions.
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

extension CodeBlockItemSyntax {
    /// The right side of an assignment.
    var assignedValue: ExprSyntax? {
        guard case .expr(let expression) = item, let infix = expression.as(InfixOperatorExprSyntax.self),
            infix.operator.is(AssignmentExprSyntax.self), !infix.leftOperand.is(DiscardAssignmentExprSyntax.self)
        else { return nil }
        return infix.rightOperand
    }

    /// Whether the statement belongs to a function without a result, so that `return` may stand before it.
    var canBePrecededByReturn: Bool {
        var ancestor = parent
        while let node = ancestor {
            if node.is(DeferStmtSyntax.self) || node.is(ClosureExprSyntax.self) || node.is(AccessorBlockSyntax.self) {
                return false
            }
            if let function = node.as(FunctionDeclSyntax.self) { return function.signature.returnClause == nil }
            ancestor = node.parent
        }
        return false
    }
}

extension ExprSyntax {
    /// Whether the expression is a name, or names joined by points.
    var isName: Bool {
        if self.is(DeclReferenceExprSyntax.self) { return true }
        guard let member = self.as(MemberAccessExprSyntax.self) else { return false }
        return member.base?.isName ?? true
    }
}

extension ExprSyntaxProtocol {
    /// Whether the expression is assigned to, or passed to be changed.
    var isWritten: Bool {
        var node = Syntax(self)
        while let parent = node.parent {
            if parent.is(InOutExprSyntax.self) { return true }
            if let infix = parent.as(InfixOperatorExprSyntax.self) {
                guard Syntax(infix.leftOperand) == node else { return false }
                if infix.operator.is(AssignmentExprSyntax.self) { return true }
                let name = infix.operator.as(BinaryOperatorExprSyntax.self)?.operator.text ?? ""
                return name.hasSuffix("=") && Operators.comparisons[name] == nil
            }
            guard parent.is(MemberAccessExprSyntax.self) || parent.is(SubscriptCallExprSyntax.self) else {
                return false
            }
            node = parent
        }
        return false
    }

    var isCallee: Bool { parent?.as(FunctionCallExprSyntax.self)?.calledExpression == ExprSyntax(self) }
}
