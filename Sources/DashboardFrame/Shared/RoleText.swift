import TerminalUI

/// A piece of text in the style of a role.
package struct RoleText: Equatable {
    package var text: DisplayText
    package var role: ThemeRole

    package init(_ text: DisplayText, _ role: ThemeRole = .text) {
        self.text = text
        self.role = role
    }
}
