import SwiftOperators
import SwiftParser
import SwiftSyntax

/// Finds the places in a file that can be mutated.
final class MutantFinder: SyntaxVisitor {
    private(set) var mutants: [Mutant] = []
    private let module: String
    private let file: String
    private let source: [UInt8]
    private let converter: SourceLocationConverter

    /// Operators with the function that performs the original or the replacement, and the replacement.
    private static let operators = [
        "<": ("mutantLess", "<="), "<=": ("mutantLessOrEqual", "<"), ">": ("mutantGreater", ">="),
        ">=": ("mutantGreaterOrEqual", ">"), "==": ("mutantEqual", "!="), "!=": ("mutantUnequal", "=="),
        "&&": ("mutantAnd", "||"), "||": ("mutantOr", "&&"), "+": ("mutantAdd", "-"), "-": ("mutantSubtract", "+"),
    ]
    /// Methods that return a value of the same type, so that a call can be left out.
    private static let refining: Set<String> = [
        "filter", "sorted", "lowercased", "uppercased", "union", "subtracting", "intersection",
    ]
    /// Calls that end the program or initialize an object.
    private static let kept: Set<String> = [
        "precondition", "preconditionFailure", "fatalError", "assert", "assertionFailure", "super.init", "self.init",
    ]
    /// Calls whose only visible effect is memory use.
    private static let unseen = ["reserveCapacity", "free", "_release", "_destroy", "deallocate"]

    private init(module: String, file: String, source: String, tree: SourceFileSyntax) {
        self.module = module
        self.file = file
        self.source = Array(source.utf8)
        converter = SourceLocationConverter(fileName: file, tree: tree)
        super.init(viewMode: .sourceAccurate)
    }

    static func mutants(of source: String, module: String, file: String) -> [Mutant] {
        let tree = OperatorTable.standardOperators.foldAll(Parser.parse(source: source)) { _ in }
        guard let tree = tree.as(SourceFileSyntax.self) else { return [] }
        let finder = MutantFinder(module: module, file: file, source: source, tree: tree)
        finder.walk(tree)
        return finder.mutants
    }

    // MARK: Making

    private func range(_ node: some SyntaxProtocol) -> Range<Int> {
        node.positionAfterSkippingLeadingTrivia.utf8Offset..<node.endPositionBeforeTrailingTrivia.utf8Offset
    }

    private func text(_ range: Range<Int>) -> String {
        let words = String(decoding: source[range], as: UTF8.self).split(whereSeparator: \.isWhitespace)
        let line = words.joined(separator: " ")
        return line.count > 90 ? line.prefix(89) + "…" : line
    }

    private func line(_ offset: Int) -> Int { converter.location(for: AbsolutePosition(utf8Offset: offset)).line }

    private func add(
        _ node: some SyntaxProtocol, _ opening: String, _ closing: String, becomes: String, leavesOut: Bool = false,
        isDecision: Bool = false, and edits: [Mutant.Edit] = []
    ) {
        let place = range(node)
        guard !place.isEmpty else { return }
        var function = line(place.lowerBound)...line(place.upperBound)
        var parent = node.parent
        while let some = parent {
            if some.is(FunctionDeclSyntax.self) || some.is(InitializerDeclSyntax.self)
                || some.is(AccessorDeclSyntax.self) || some.is(VariableDeclSyntax.self)
            {
                let around = range(some)
                function = line(around.lowerBound)...line(around.upperBound)
            }
            parent = some.parent
        }
        mutants.append(
            Mutant(
                module: module, file: file, lines: line(place.lowerBound)...line(place.upperBound), function: function,
                range: place,
                edits: [Mutant.Edit(offset: place.lowerBound, text: opening)] + edits
                    + [Mutant.Edit(offset: place.upperBound, text: closing, isClosing: true)],
                description: "`\(text(place))` \(becomes)", leavesOut: leavesOut, isDecision: isDecision))
    }

    private func negate(_ expression: ExprSyntax) {
        // Its operator has a mutant of its own that does the same.
        if let infix = expression.as(InfixOperatorExprSyntax.self),
            ["==", "!="].contains(infix.operator.trimmedDescription)
        {
            return
        }
        if expression.is(PrefixOperatorExprSyntax.self) { return }
        add(expression, "mutantNegates(#, ", ")", becomes: "is negated", isDecision: true)
    }

    /// Replaces a value by another one of its type. Where the types differ, the mutant removes itself.
    private func exchange(_ value: ExprSyntax, for other: String, becomes: String) {
        guard text(range(value)) != other, !mayThrowOrWait(value) else { return }
        add(value, "mutantOther(#, ", ", \(other))", becomes: becomes, isDecision: true)
    }

    private func mayThrowOrWait(_ node: some SyntaxProtocol) -> Bool {
        contains(TryExprSyntax.self, node) || contains(AwaitExprSyntax.self, node)
    }

    /// The text of a node, if it can be repeated within a line.
    private func repeatable(_ node: some SyntaxProtocol) -> String? {
        let text = node.trimmedDescription
        return text.contains("\n") || text.contains("//") || mayThrowOrWait(node) ? nil : text
    }

    private func isName(_ node: ExprSyntax) -> Bool {
        node.is(DeclReferenceExprSyntax.self) || node.is(MemberAccessExprSyntax.self)
    }

    /// Whether an expression is a name, a property or a literal, so that reading it twice has no effect.
    private func isPlain(_ node: ExprSyntax) -> Bool {
        if let member = node.as(MemberAccessExprSyntax.self) {
            return member.declName.baseName.text != "self" && member.base.map(isPlain) ?? false
        }
        return node.is(DeclReferenceExprSyntax.self) || node.is(IntegerLiteralExprSyntax.self)
            || node.is(StringLiteralExprSyntax.self) && !contains(ExpressionSegmentSyntax.self, node)
            || node.is(BooleanLiteralExprSyntax.self)
    }

    private func contains<Node: SyntaxProtocol>(_ kind: Node.Type, _ node: some SyntaxProtocol) -> Bool {
        node.is(kind) || node.children(viewMode: .sourceAccurate).contains { contains(kind, $0) }
    }

    // MARK: What has no place for a fault

    override func visit(_ node: AttributeSyntax) -> SyntaxVisitorContinueKind { .skipChildren }
    override func visit(_ node: ExpressionPatternSyntax) -> SyntaxVisitorContinueKind { .skipChildren }
    override func visit(_ node: EnumCaseDeclSyntax) -> SyntaxVisitorContinueKind { .skipChildren }
    override func visit(_ node: IfConfigDeclSyntax) -> SyntaxVisitorContinueKind { .skipChildren }
    /// Skips colours, where one step is invisible, and reserved capacities.
    override func visit(_ node: FunctionCallExprSyntax) -> SyntaxVisitorContinueKind {
        let name = node.calledExpression.trimmedDescription
        if [".rgb", "reserveCapacity"].contains(where: name.hasSuffix) { return .skipChildren }
        for (argument, next) in zip(node.arguments, node.arguments.dropFirst())
        where isPlain(argument.expression) && isPlain(next.expression)
            && isName(argument.expression) == isName(next.expression)
        {
            let other = next.expression.trimmedDescription
            exchange(argument.expression, for: other, becomes: "in `\(text(range(node)))` is the next argument")
        }
        if let member = node.calledExpression.as(MemberAccessExprSyntax.self), let base = member.base, isPlain(base),
            MutantFinder.refining.contains(member.declName.baseName.text)
        {
            exchange(ExprSyntax(node), for: base.trimmedDescription, becomes: "is only `\(base.trimmedDescription)`")
        }
        return .visitChildren
    }
    override func visit(_ node: LabeledExprSyntax) -> SyntaxVisitorContinueKind {
        node.label?.text == "keepingCapacity" ? .skipChildren : .visitChildren
    }
    override func visit(_ node: ArrayExprSyntax) -> SyntaxVisitorContinueKind {
        node.elements.count > 8 ? .skipChildren : .visitChildren
    }
    override func visit(_ node: DictionaryExprSyntax) -> SyntaxVisitorContinueKind { .skipChildren }

    // MARK: Decisions

    override func visit(_ node: ConditionElementSyntax) -> SyntaxVisitorContinueKind {
        guard case .expression(let expression) = node.condition else { return .visitChildren }
        negate(expression)
        // A loop without an end would only cost time.
        if node.parent?.parent?.is(WhileStmtSyntax.self) == false, !mayThrowOrWait(expression) {
            add(expression, "mutantHolds(#, ", ")", becomes: "always holds", isDecision: true)
        }
        return .visitChildren
    }

    /// Lets conditions never hold: a branch is skipped, a guard always leaves, a loop never runs.
    private func skip(_ conditions: ConditionElementListSyntax) -> SyntaxVisitorContinueKind {
        add(conditions, "mutantKeeps(#), ", "", becomes: "never holds", isDecision: true)
        return .visitChildren
    }

    override func visit(_ node: IfExprSyntax) -> SyntaxVisitorContinueKind { skip(node.conditions) }
    override func visit(_ node: GuardStmtSyntax) -> SyntaxVisitorContinueKind { skip(node.conditions) }
    override func visit(_ node: WhileStmtSyntax) -> SyntaxVisitorContinueKind { skip(node.conditions) }

    /// Stops a loop before its first or its second round.
    override func visit(_ node: ForStmtSyntax) -> SyntaxVisitorContinueKind {
        guard let last = node.body.statements.last, let first = node.body.statements.first else {
            return .visitChildren
        }
        let heading = "for \(text(range(node.pattern))) in \(text(range(node.sequence)))"
        add(first, "if mutantActs(#) { break }; ", "", becomes: "in `\(heading)` never runs", isDecision: true)
        let leaves = last.item.is(ReturnStmtSyntax.self) || last.item.is(BreakStmtSyntax.self)
        if !leaves {
            add(last, "", "; if mutantActs(#) { break }", becomes: "in `\(heading)` is the last", isDecision: true)
        }
        return .visitChildren
    }

    /// Lets a case do what the next one does.
    override func visit(_ node: SwitchCaseListSyntax) -> SyntaxVisitorContinueKind {
        for (some, next) in zip(node, node.dropFirst()) {
            guard let branch = some.as(SwitchCaseSyntax.self), let other = next.as(SwitchCaseSyntax.self),
                !contains(IdentifierPatternSyntax.self, other.label), let value = result(branch),
                let instead = result(other),
                let text = repeatable(instead)
            else { continue }
            exchange(value, for: text, becomes: "of `\(self.text(range(branch.label)))` is that of the next case")
        }
        return .visitChildren
    }

    /// The only expression of a case, returned or not.
    private func result(_ branch: SwitchCaseSyntax) -> ExprSyntax? {
        guard branch.statements.count == 1, let item = branch.statements.first?.item else { return nil }
        if case .expr(let expression) = item { return isAssignment(expression) ? nil : expression }
        return item.as(ReturnStmtSyntax.self)?.expression
    }

    private func isAssignment(_ node: ExprSyntax) -> Bool {
        guard let infix = node.as(InfixOperatorExprSyntax.self) else { return false }
        let name = infix.operator.trimmedDescription
        return name.hasSuffix("=") && !["==", "!=", "<=", ">="].contains(name)
    }

    override func visit(_ node: PrefixOperatorExprSyntax) -> SyntaxVisitorContinueKind {
        if node.operator.text == "!" {
            add(node, "mutantNegates(#, ", ")", becomes: "has no `!`", isDecision: true)
        }
        return .visitChildren
    }

    // MARK: Operators and constants

    override func visit(_ node: TernaryExprSyntax) -> SyntaxVisitorContinueKind {
        negate(node.condition)
        return .visitChildren
    }

    override func visit(_ node: WhereClauseSyntax) -> SyntaxVisitorContinueKind {
        negate(node.condition)
        return .visitChildren
    }

    override func visit(_ node: InfixOperatorExprSyntax) -> SyntaxVisitorContinueKind {
        let name = node.operator.trimmedDescription
        if name == "??" {
            add(node.leftOperand, "mutantNil(#, ", ")", becomes: "always takes its default", isDecision: true)
            return .visitChildren
        }
        guard let (function, other) = MutantFinder.operators[name], !node.leftOperand.is(NilLiteralExprSyntax.self),
            !node.leftOperand.is(TupleExprSyntax.self), !node.rightOperand.is(TupleExprSyntax.self)
        else { return .visitChildren }
        if node.rightOperand.is(NilLiteralExprSyntax.self) {
            // Of any type, equatable or not.
            add(node, "mutantNegates(#, ", ")", becomes: "has \(other) for \(name)")
            return .visitChildren
        }
        if ["+", "-"].contains(name), [node.leftOperand, node.rightOperand].contains(where: isText) {
            return .visitChildren
        }
        if ["&&", "||"].contains(name), mayThrowOrWait(node) { return .visitChildren }
        let place = range(node.operator)
        add(
            node, "\(function)(#, ", ")", becomes: "has \(other) for \(name)",
            and: [Mutant.Edit(offset: place.lowerBound, length: place.count, text: ",")])
        return .visitChildren
    }

    private func isText(_ node: ExprSyntax) -> Bool {
        if let infix = node.as(InfixOperatorExprSyntax.self) {
            return isText(infix.leftOperand) || isText(infix.rightOperand)
        }
        return node.is(StringLiteralExprSyntax.self) || node.is(ArrayExprSyntax.self)
    }

    override func visit(_ node: IntegerLiteralExprSyntax) -> SyntaxVisitorContinueKind {
        // The default for a missing value.
        if let infix = node.parent?.as(InfixOperatorExprSyntax.self), infix.operator.trimmedDescription == "??" {
            return .skipChildren
        }
        add(node, "mutantPlus(#, ", ")", becomes: "in `\(around(node))` is one more")
        return .skipChildren
    }

    override func visit(_ node: BooleanLiteralExprSyntax) -> SyntaxVisitorContinueKind {
        add(node, "mutantNegates(#, ", ")", becomes: "in `\(around(node))` is the other")
        return .skipChildren
    }

    /// The statement around a constant.
    private func around(_ node: some SyntaxProtocol) -> String {
        var parent = node.parent
        while let some = parent, !some.is(CodeBlockItemSyntax.self), !some.is(MemberBlockItemSyntax.self),
            !some.is(ConditionElementSyntax.self)
        { parent = some.parent }
        return parent.map { text(range($0)) } ?? ""
    }

    // MARK: Results

    /// Replaces a result by another one of its type.
    private func replace(_ result: ExprSyntax, type: TypeSyntax) {
        if result.is(NilLiteralExprSyntax.self) { return }
        let name = type.trimmedDescription
        switch name {
        case "Bool" where !result.is(BooleanLiteralExprSyntax.self): negate(result)
        case "Int", "Int64", "UInt8", "Double", "UInt32":
            if !result.is(IntegerLiteralExprSyntax.self) {
                add(result, "mutantPlus(#, ", ")", becomes: "is one more as a result")
            }
        case "String": add(result, "mutantEmpty(#, ", ")", becomes: "is empty as a result")
        default:
            if name.hasSuffix("?") {
                add(result, "mutantNil(#, ", ")", becomes: "is nil as a result")
            } else if name.hasPrefix("["), !name.contains(":") {
                if let array = result.as(ArrayExprSyntax.self), array.elements.isEmpty { return }
                add(result, "mutantEmpty(#, ", ")", becomes: "is empty as a result")
            }
        }
    }

    /// The return type of a body; `nil` in closures and where nothing is returned.
    private func resultType(of body: Syntax?) -> TypeSyntax? {
        var parent = body
        while let some = parent {
            if some.is(ClosureExprSyntax.self) || some.is(InitializerDeclSyntax.self) { return nil }
            if let accessor = some.as(AccessorDeclSyntax.self), accessor.accessorSpecifier.text != "get" { return nil }
            if let function = some.as(FunctionDeclSyntax.self) { return function.signature.returnClause?.type }
            if let list = some.as(SubscriptDeclSyntax.self) { return list.returnClause.type }
            if let binding = some.as(PatternBindingSyntax.self) { return binding.typeAnnotation?.type }
            parent = some.parent
        }
        return nil
    }

    override func visit(_ node: ReturnStmtSyntax) -> SyntaxVisitorContinueKind {
        if let result = node.expression, let type = resultType(of: node.parent) { replace(result, type: type) }
        return .visitChildren
    }

    // MARK: Statements

    /// Whether a list of statements is a body whose only expression is its result.
    private func isBody(_ list: CodeBlockItemListSyntax) -> Bool {
        guard list.count == 1, let parent = list.parent else { return false }
        if parent.is(ClosureExprSyntax.self) { return true }
        if let block = parent.as(AccessorBlockSyntax.self) {
            if case .getter = block.accessors { return true }
            return false
        }
        guard parent.is(CodeBlockSyntax.self), let owner = parent.parent else { return false }
        if let function = owner.as(FunctionDeclSyntax.self) { return function.signature.returnClause != nil }
        if let accessor = owner.as(AccessorDeclSyntax.self) { return accessor.accessorSpecifier.text == "get" }
        return owner.is(IfExprSyntax.self) && !(owner.parent?.is(ExpressionStmtSyntax.self) ?? false)
            && !(owner.parent?.is(IfExprSyntax.self) ?? false)
    }

    /// Whether a statement leaves its function or its loop early, from within an `if`.
    private func leavesEarly(_ node: CodeBlockItemSyntax) -> Bool {
        guard let branch = node.parent?.parent?.parent?.as(IfExprSyntax.self), branch.elseBody == nil,
            let statement = branch.parent?.parent?.as(CodeBlockItemSyntax.self)
        else { return false }
        if node.item.is(ContinueStmtSyntax.self) || node.item.is(BreakStmtSyntax.self) { return true }
        guard let leaving = node.item.as(ReturnStmtSyntax.self) else { return false }
        let isLast = statement.parent?.as(CodeBlockItemListSyntax.self)?.last == statement
        return leaving.expression == nil || !isLast
    }

    override func visit(_ node: CodeBlockItemSyntax) -> SyntaxVisitorContinueKind {
        if leavesEarly(node) {
            add(node.item, "if mutantKeeps(#) { ", " }", becomes: "is left out", leavesOut: true, isDecision: true)
            return .visitChildren
        }
        guard case .expr(let expression) = node.item, let list = node.parent?.as(CodeBlockItemListSyntax.self) else {
            return .visitChildren
        }
        if isBody(list) {
            if list.parent?.is(ClosureExprSyntax.self) == false, let type = resultType(of: node.parent) {
                replace(expression, type: type)
            }
            return .visitChildren
        }
        if isRemovable(expression) {
            add(
                node.item, "if mutantKeeps(#) { ", " }", becomes: "is left out", leavesOut: true,
                isDecision: !isAssignment(expression))
        }
        return .visitChildren
    }

    private func isRemovable(_ expression: ExprSyntax) -> Bool {
        if let attempt = expression.as(TryExprSyntax.self) { return isRemovable(attempt.expression) }
        if let waiting = expression.as(AwaitExprSyntax.self) { return isRemovable(waiting.expression) }
        if let call = expression.as(FunctionCallExprSyntax.self) {
            let name = call.calledExpression.trimmedDescription
            return !MutantFinder.kept.contains(name) && !MutantFinder.unseen.contains { name.hasSuffix($0) }
        }
        return isAssignment(expression)
    }
}
