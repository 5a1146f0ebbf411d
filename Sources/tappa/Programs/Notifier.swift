import Fetching
import Foundation
import ModelCore

/// Notifies of new entries with the user's program, outside quiet hours.
enum Notifier {
    /// Runs the command in the settings.
    ///
    /// - Returns: An error message, or `nil` on success.
    static func run(_ command: String, title: String, body: String) -> String? {
        var words = CommandWords.split(UserFile.expanded(command))
        guard let name = words.first, let path = name.contains("/") ? name : ChildProcess.find(name) else {
            return "No such notification program: '\(command)'."
        }
        words[0] = path
        let safe = [title, body].map(CommandWords.argument)
        guard let child = ChildProcess.start(words + safe, inNewSession: true) else {
            return "Can't start \(name)."
        }
        return ChildProcess.problem(of: name, ChildProcess.wait(for: child))
    }
}
