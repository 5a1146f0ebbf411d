import Fetching
import Foundation
import ModelCore

/// Tells of new entries by a program of the user's, outside the quiet hours.
enum Notifier {
    /// Tells by the command of the settings.
    ///
    /// - Returns: What went wrong, in a sentence; `nil`: nothing.
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
