/// A word of a command line as the program gets it.
struct CommandArgument: Hashable {
    enum Element: Hashable {
        case character(Character)
        /// A value from outside: one that tappa inserts, or one that the shell inserts from a variable.
        case value(String)
        /// What a shell inserts otherwise.
        case unknown
    }

    var elements: [Element]

    init(_ pieces: [CommandPiece]) {
        elements = pieces.map { if case .character(let one) = $0 { .character(one) } else { .value($0.value) } }
    }

    /// - Parameters:
    ///   - outside: Whether a variable's value comes from outside.
    ///   - expansion: Whether the output of commands at a place comes from outside.
    init(
        _ word: ShellScript.Word, outside: (_ variable: String) -> Bool,
        expansion: (_ place: Range<Int>) -> Bool = { _ in false }
    ) {
        // The variable names a shell.
        if word.elements.count == 1, case .reference("SHELL") = word.elements[0].kind {
            elements = ["s", "h"].map { .character($0) }
            return
        }
        elements = word.elements.map { element in
            switch element.kind {
            case .character(let character): .character(character)
            case .value(let name): .value("{\(name)}")
            case .reference(let name): outside(name) ? .value("$\(name)") : .unknown
            case .expansion: expansion(element.range) ? .value("$(…)") : .unknown
            }
        }
    }

    /// The text, or `nil` if the user didn't write all of it.
    var text: String? { isLiteral ? start : nil }

    private var isLiteral: Bool { elements.allSatisfy { if case .character = $0 { true } else { false } } }

    /// The text up to the first part that the user didn't write.
    var start: String {
        var text = ""
        for element in elements {
            guard case .character(let character) = element else { break }
            text.append(character)
        }
        return text
    }

    var value: String? {
        for case .value(let name) in elements { return name }
        return nil
    }

    /// The name of a program without its folder, if the user wrote it.
    var programName: String? {
        var end = ""
        for element in elements.reversed() {
            guard case .character(let character) = element, character != "/" else {
                return element == .character("/") && value == nil ? end : nil
            }
            end = String(character) + end
        }
        return end
    }
}

extension CommandPiece {
    fileprivate var value: String { if case .value(let name) = self { "{\(name)}" } else { "" } }
}
