import TerminalUI

/// A piece of text in the style of a role.
struct RoleText: Equatable {
    var text: DisplayText
    var role: ThemeRole

    init(_ text: DisplayText, _ role: ThemeRole = .text) {
        self.text = text
        self.role = role
    }
}
