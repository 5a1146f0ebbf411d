import SwiftParser
import SwiftSyntax

/// Writes a source file that behaves like the original or, depending on the active fault, like one of its changed
/// versions.
///
/// Each fault is switched at a site that contains its changed bytes: the body of a function or closure (`if` with both
/// versions) or an expression (`?:`). Sites nest; the original version of an outer site contains the inner ones.
struct SwitchWriter {
    /// The file with all switches.
    private(set) var text = ""
    /// The lines of the result that belong to each fault, by the fault's number.
    private(set) var lines: [Int: Range<Int>] = [:]
    /// The lines of each switchable site, with the numbers of its faults.
    private(set) var sites: [(lines: Range<Int>, faults: [Int])] = []
    /// The faults for which no further way of switching is left.
    private(set) var impossible: Set<Int> = []

    /// A way of switching a fault: a site, and the text of the faulty version there.
    struct Way {
        fileprivate var site: Site
        fileprivate var alternative: Alternative
    }

    fileprivate struct Site {
        enum Form { case statements, expression }
        /// The bytes in the original that the switch replaces.
        var range: Range<Int>
        var form: Form
        var isReturnedInOriginal = false
        var isClosure = false
    }

    fileprivate struct Alternative {
        var number: Int
        var bytes: ArraySlice<UInt8>
        var isReturned: Bool
    }

    private let source: [UInt8]
    private var groups: [(site: Site, alternatives: [Alternative])] = []
    private var output: [UInt8] = []
    private var line = 1

    init(source: String, faults: [SwitchedFault]) {
        self.source = Array(source.utf8)
        for fault in faults { add(fault) }
        // Outer sites first.
        groups.sort {
            ($0.site.range.lowerBound, -$0.site.range.upperBound) < (
                $1.site.range.lowerBound, -$1.site.range.upperBound
            )
        }
        var next = 0
        write(0..<self.source.count, next: &next)
        text = String(decoding: output, as: UTF8.self)
    }

    // MARK: Sites

    private mutating func add(_ fault: SwitchedFault) {
        guard fault.ways.indices.contains(fault.attempts) else {
            impossible.insert(fault.number)
            return
        }
        let (site, alternative) = (fault.ways[fault.attempts].site, fault.ways[fault.attempts].alternative)
        if let index = groups.firstIndex(where: { $0.site.range == site.range && $0.site.form == site.form }) {
            groups[index].alternatives.append(alternative)
        } else if groups.contains(where: { $0.site.range == site.range }) {
            // The same bytes in two forms can't be nested.
            impossible.insert(fault.number)
        } else {
            groups.append((site, [alternative]))
        }
    }

    /// The ways of switching a fault, in the order in which they are tried.
    ///
    /// - Parameters:
    ///   - number: The fault's number.
    ///   - text: The whole text of the faulty file.
    ///   - source: The original file and its tree.
    static func ways(_ number: Int, _ text: String, source: (bytes: [UInt8], tree: SourceFileSyntax)) -> [Way] {
        let (source, tree) = source
        let changed = Array(text.utf8)
        var prefix = 0
        let least = min(source.count, changed.count)
        source.withUnsafeBufferPointer { source in
            changed.withUnsafeBufferPointer { changed in
                while prefix < least, source[prefix] == changed[prefix] { prefix += 1 }
            }
        }
        let rest = least - prefix
        var suffix = 0
        source.withUnsafeBufferPointer { source in
            changed.withUnsafeBufferPointer { changed in
                while suffix < rest, source[source.count - 1 - suffix] == changed[changed.count - 1 - suffix] {
                    suffix += 1
                }
            }
        }
        let range = prefix..<(source.count - suffix)
        let changedTree = Parser.parse(source: text)
        let growth = changed.count - source.count
        let changedSites = SwitchWriter.sites(in: changedTree, containing: prefix..<(range.upperBound + growth))
        return SwitchWriter.sites(in: tree, containing: range).compactMap { site -> Way? in
            guard site.range.upperBound + growth >= site.range.lowerBound else { return nil }
            let bytes = changed[site.range.lowerBound..<(site.range.upperBound + growth)]
            let same = changedSites.first { $0.range == site.range.lowerBound..<(site.range.upperBound + growth) }
            let isReturned = same?.isReturnedInOriginal ?? false
            return Way(site: site, alternative: Alternative(number: number, bytes: bytes, isReturned: isReturned))
        }
    }

    /// The sites that contain a range of bytes, in the order in which they are tried.
    private static func sites(in tree: SourceFileSyntax, containing range: Range<Int>) -> [Site] {
        var bodies: [Site] = []
        var expressions: [Site] = []
        var node = innermost(Syntax(tree), range)
        while let some = node {
            if let site = body(some), contains(site.range, range) { bodies.append(site) }
            if some.is(ExprSyntax.self), isSwitchable(some) {
                let bytes =
                    some.positionAfterSkippingLeadingTrivia.utf8Offset..<some.endPositionBeforeTrailingTrivia.utf8Offset
                if contains(bytes, range) { expressions.append(Site(range: bytes, form: .expression)) }
            }
            if some.is(InitializerClauseSyntax.self) || some.parent?.is(MemberBlockItemSyntax.self) == true { break }
            node = some.parent
        }
        let functions = bodies.filter { !$0.isClosure }
        let closures = bodies.filter(\.isClosure)
        // Types are easiest to infer in a function's body. The initial value comes last.
        let first = functions.isEmpty ? closures : functions
        return Array(first.prefix(1)) + expressions.prefix(2) + closures.prefix(2) + expressions.dropFirst(2).suffix(2)
    }

    private static func contains(_ outer: Range<Int>, _ inner: Range<Int>) -> Bool {
        outer.lowerBound <= inner.lowerBound && inner.upperBound <= outer.upperBound
    }

    /// The smallest node whose bytes, including trivia, contain the range.
    private static func innermost(_ node: Syntax, _ range: Range<Int>) -> Syntax? {
        let bytes = node.position.utf8Offset..<node.endPosition.utf8Offset
        guard contains(bytes, range) else { return nil }
        for child in node.children(viewMode: .sourceAccurate) {
            if let found = innermost(child, range) { return found }
        }
        return node
    }

    /// The statements of a function, accessor or closure.
    private static func body(_ node: Syntax) -> Site? {
        if let block = node.as(CodeBlockSyntax.self), let owner = block.parent {
            if let function = owner.as(FunctionDeclSyntax.self) {
                return site(block.leftBrace, block.rightBrace, block.statements, function.signature.returnClause != nil)
            }
            if owner.is(InitializerDeclSyntax.self) || owner.is(DeinitializerDeclSyntax.self) {
                return site(block.leftBrace, block.rightBrace, block.statements, false)
            }
            if let accessor = owner.as(AccessorDeclSyntax.self) {
                return site(
                    block.leftBrace, block.rightBrace, block.statements, accessor.accessorSpecifier.text == "get")
            }
        }
        if let block = node.as(AccessorBlockSyntax.self), case .getter(let statements) = block.accessors {
            return site(block.leftBrace, block.rightBrace, statements, true)
        }
        if let closure = node.as(ClosureExprSyntax.self) {
            let start = closure.signature?.inKeyword ?? closure.leftBrace
            var site = site(start, closure.rightBrace, closure.statements, true)
            site.isClosure = true
            return site
        }
        return nil
    }

    private static func site(
        _ left: TokenSyntax, _ right: TokenSyntax, _ statements: CodeBlockItemListSyntax, _ returnsValue: Bool
    ) -> Site {
        let range =
            left.endPositionBeforeTrailingTrivia.utf8Offset..<right.positionAfterSkippingLeadingTrivia.utf8Offset
        var isReturned = false
        if returnsValue, statements.count == 1, let first = statements.first, case .expr(let expression) = first.item {
            isReturned = !expression.is(IfExprSyntax.self) && !expression.is(SwitchExprSyntax.self)
        }
        return Site(range: range, form: .statements, isReturnedInOriginal: isReturned)
    }

    /// Whether an expression can be the branch of a conditional expression.
    private static func isSwitchable(_ node: Syntax) -> Bool {
        guard let parent = node.parent else { return false }
        if node.is(InOutExprSyntax.self) || node.is(AssignmentExprSyntax.self) || node.is(BinaryOperatorExprSyntax.self)
            || node.is(PatternExprSyntax.self) || node.is(IfExprSyntax.self) || node.is(SwitchExprSyntax.self)
            || node.is(SequenceExprSyntax.self) && hasAssignment(node) || node.is(DiscardAssignmentExprSyntax.self)
        {
            return false
        }
        if let call = parent.as(FunctionCallExprSyntax.self), call.calledExpression.id == node.as(ExprSyntax.self)?.id {
            return false
        }
        if parent.is(MemberAccessExprSyntax.self) || parent.is(ExprListSyntax.self) && hasAssignment(parent.parent) {
            return parent.is(ExprListSyntax.self) && !isFirst(node, in: parent)
        }
        return true
    }

    private static func isFirst(_ node: Syntax, in list: Syntax) -> Bool {
        list.children(viewMode: .sourceAccurate).first?.id == node.id
    }

    private static func hasAssignment(_ node: Syntax?) -> Bool {
        node?.as(SequenceExprSyntax.self)?.elements.contains { element in
            element.is(AssignmentExprSyntax.self)
                || element.as(BinaryOperatorExprSyntax.self).map {
                    $0.operator.text.hasSuffix("=") && $0.operator.text.count == 2
                        && !["==", "!=", "<=", ">="].contains($0.operator.text)
                } ?? false
        } ?? false
    }

    // MARK: Writing

    private mutating func append(_ bytes: some Sequence<UInt8>) {
        for byte in bytes {
            if byte == UInt8(ascii: "\n") { line += 1 }
            output.append(byte)
        }
    }

    private mutating func append(_ text: String) { append(text.utf8) }

    /// Writes a range of the original, with the switches in it from `next` on.
    private mutating func write(_ range: Range<Int>, next: inout Int) {
        var position = range.lowerBound
        while next < groups.count, groups[next].site.range.lowerBound < range.upperBound {
            let (site, alternatives) = groups[next]
            next += 1
            append(source[position..<max(position, site.range.lowerBound)])
            position = max(position, site.range.lowerBound)
            let start = line
            switch site.form {
            case .statements: writeStatements(site, alternatives, next: &next)
            case .expression: writeExpression(site, alternatives, next: &next)
            }
            sites.append((start..<(line + 1), alternatives.map(\.number)))
            position = site.range.upperBound
        }
        append(source[position..<max(position, range.upperBound)])
    }

    private mutating func writeStatements(_ site: Site, _ alternatives: [Alternative], next: inout Int) {
        for (index, alternative) in alternatives.enumerated() {
            append(index == 0 ? "\n" : " else ")
            append("if mutantIs(\(alternative.number)) {\n")
            let start = line
            append(SwitchWriter.returned(alternative.bytes, alternative.isReturned))
            lines[alternative.number] = start..<(line + 1)
            append("\n}")
        }
        append(" else {\n")
        // Only spaces and comments precede the statement, so `return` goes before its first token.
        if site.isReturnedInOriginal {
            let lead = SwitchWriter.lead(source[site.range])
            append(source[site.range.lowerBound..<(site.range.lowerBound + lead)])
            append("return ")
            write((site.range.lowerBound + lead)..<site.range.upperBound, next: &next)
        } else {
            write(site.range, next: &next)
        }
        append("\n}\n")
    }

    private mutating func writeExpression(_ site: Site, _ alternatives: [Alternative], next: inout Int) {
        append("(")
        for alternative in alternatives {
            append("mutantIs(\(alternative.number)) ? (")
            let start = line
            append(alternative.bytes)
            lines[alternative.number] = start..<(line + 1)
            append(") : ")
        }
        append("(")
        write(site.range, next: &next)
        append("))")
    }

    private static func returned(_ bytes: ArraySlice<UInt8>, _ isReturned: Bool) -> [UInt8] {
        guard isReturned else { return Array(bytes) }
        let lead = lead(bytes)
        return Array(bytes.prefix(lead)) + Array("return ".utf8) + Array(bytes.dropFirst(lead))
    }

    /// The number of bytes before the first statement: spaces and comments.
    private static func lead(_ bytes: ArraySlice<UInt8>) -> Int {
        let tree = Parser.parse(source: String(decoding: bytes, as: UTF8.self))
        return tree.firstToken(viewMode: .sourceAccurate)?.positionAfterSkippingLeadingTrivia.utf8Offset ?? 0
    }
}
