import TerminalUI

/// Copying, with a message about the result.
extension StatusController {
    /// Copies a link to the clipboard.
    package func copy(_ link: String?, from controller: ViewController) {
        guard let link else { return show("This entry has no link.") }
        copy(link, "Link", from: controller)
    }

    /// Copies a text to the clipboard.
    ///
    /// - Parameter what: What it is, for the message about the result.
    package func copy(_ text: String, _ what: String, from controller: ViewController) {
        controller.window?.copyToClipboard([text]) { [weak self] clipboard in
            self?.show(StatusController.sentence(copied: what, clipboard))
        }
    }

    /// Returns the message about which clipboard received the text.
    package static func sentence(copied what: String, _ clipboard: Clipboard) -> DisplayText {
        switch clipboard {
        case .tmux: DisplayText("\(what) copied into tmux's buffer.")
        case .terminal: DisplayText("\(what) copied to the terminal's clipboard.")
        }
    }

    /// Copies a link with its title to the clipboard as Markdown (CommonMark 0.31, section 6.3).
    package func copy(_ link: String?, titled title: String, from controller: ViewController) {
        guard let link else { return show("This entry has no link.") }
        let words = title.reduce(into: "") { text, character in
            if "\\[]*_`<>".contains(character) { text.append("\\") }
            text.append(character)
        }
        let target = link.contains { " ()<>".contains($0) } ? "<\(link.filter { !"<>".contains($0) })>" : link
        copy("[\(words)](\(target))", "Title and link", from: controller)
    }
}
