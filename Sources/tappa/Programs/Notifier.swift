import Fetching
import Foundation
import ModelCore

/// Notifies of new entries with the user's program, outside quiet hours.
enum Notifier {
    /// Runs the command in the settings.
    ///
    /// - Parameter place: What the notification is about, for a script that opens it (`tappa open "$TAPPA_PLACE"`).
    /// - Returns: An error message, or `nil` on success.
    static func run(_ command: String, title: String, body: String, place: Place? = nil) -> String? {
        let template: CommandTemplate
        do throws(CommandTemplate.Problem) { template = try ProgramSetting.notifier.template(of: command) } catch {
            return "notifications.command: \(error.sentence())."
        }
        let name = template.program
        var values = ["title": title, "text": body]
        values["place"] = place?.text
        guard var call = ProgramCall(template, values, find: ChildProcess.find) else {
            return "No such notification program: '\(command)'."
        }
        // A script passes the text on from its variable.
        if template.readsMarkup {
            call.environment.merge(CommandTemplate.environment(["text": CommandTemplate.escaped(body)])) { $1 }
        }
        guard let child = ChildProcess.start(call, inNewSession: true) else {
            return "Can't start \(name)."
        }
        return ChildProcess.problem(of: name, ChildProcess.wait(for: child))
    }
}
