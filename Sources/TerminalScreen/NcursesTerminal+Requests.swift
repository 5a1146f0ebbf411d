import CNcurses
import Foundation
import TerminalText

/// Requests other than showing cells: title, clipboard, notifications, mouse and pictures.
extension NcursesTerminal {
    /// Sets the title of the window or tmux pane (OSC 2).
    public func setTitle(_ title: DisplayText) {
        let shown = capabilities.hasUnicode ? title : DisplayText(ASCIISigns.text(title.string))
        write(self.title.change(to: shown))
    }

    /// Shows the progress of work (OSC 9;4) in terminals that know it.
    public func setProgress(_ share: Double?) {
        guard isStarted, TerminalProgress.isKnown(NcursesTerminal.environment) else { return }
        write(progress.change(to: share))
        cnc_set_progress(progress.isShown)
    }

    /// Enables or disables mouse reports.
    public func setMouse(enabled: Bool) { cnc_set_mouse(enabled) }

    /// Copies to tmux's buffer, which tmux forwards to the terminal's clipboard, or by OSC 52.
    ///
    /// By default tmux ignores OSC 52 from programs inside it (`set-clipboard external`), but not its own program.
    public func copy(_ text: String, _ report: @escaping @MainActor (Clipboard) -> Void) {
        guard TmuxProgram.isAvailable else {
            copyByEscape(text)
            return report(.terminal)
        }
        Task {
            let isCopied = await Task.detached { TmuxProgram.copy(text) }.value
            if !isCopied { copyByEscape(text) }
            report(isCopied ? .tmux : .terminal)
        }
    }

    private func copyByEscape(_ text: String) {
        write(Array("\u{1B}]52;c;".utf8) + Data(text.utf8.prefix(74_000)).base64EncodedData() + [0x07])
    }

    /// Notifies by the terminal's own notifications if it has any, otherwise by its bell, which tmux shows in its
    /// status line.
    public func notify(title: String, body: String, identifier: String) {
        write(
            TerminalNotification.bytes(
                title: title, body: body, identifier: identifier, NcursesTerminal.environment))
    }

    /// Detects which pictures can be shown by querying tmux or the terminal.
    public func detectGraphics() { graphics.detect() }

    /// Transmits a picture to the terminal.
    public func add(_ picture: PixelBuffer, cells: Size, by way: GraphicsProtocol) async -> TerminalPicture? {
        await graphics.add(picture, cells: cells, by: way)
    }

    /// Whether a picture can still be shown.
    public func has(_ picture: TerminalPicture) -> Bool { graphics.has(picture) }
}
