import Fetching
import Foundation
import ModelCore

/// Notifies of new entries with the user's program, outside quiet hours.
enum Notifier {
    /// Runs the command in the settings.
    ///
    /// - Returns: An error message, or `nil` on success.
    static func run(_ command: String, title: String, body: String) -> String? {
        let template: CommandTemplate
        do throws(CommandTemplate.Problem) { template = try ProgramSetting.notifier.template(of: command) } catch {
            return "notifications.command: \(error.sentence())."
        }
        let name = template.program
        // These show the text as Pango markup.
        let readsMarkup = markupReaders.contains(template.finalProgram ?? "")
        let values = ["title": title, "text": readsMarkup ? escaped(body) : body]
        guard let call = ProgramCall(template, values, find: ChildProcess.find) else {
            return "No such notification program: '\(command)'."
        }
        guard let child = ChildProcess.start(call, inNewSession: true) else {
            return "Can't start \(name)."
        }
        return ChildProcess.problem(of: name, ChildProcess.wait(for: child))
    }

    private static let markupReaders: Set<String> = [
        "notify-send", "dunstify", "notify-desktop", "notify-send.sh", "notify-send.py",
    ]

    private static func escaped(_ text: String) -> String {
        text.replacing("&", with: "&amp;").replacing("<", with: "&lt;").replacing(">", with: "&gt;")
    }
}
