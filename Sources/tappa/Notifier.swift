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
            return "There is no program '\(command)' to tell of new entries."
        }
        words[0] = path
        // What begins like an option is none.
        let safe = [title, body].map { $0.hasPrefix("-") ? " " + $0 : $0 }
        guard let child = ChildProcess.start(words + safe, inNewSession: true) else {
            return "\(name) could not be started."
        }
        return ChildProcess.problem(of: name, ChildProcess.wait(for: child))
    }

    /// Whether an instant lies in quiet hours such as `22-7` or `22:30-6:45`, by the clock of this place.
    static func isQuiet(_ hours: String, at instant: Int64) -> Bool {
        let parts = hours.split(separator: "-").map { $0.split(separator: ":").map { Int($0.filter(\.isNumber)) } }
        guard parts.count == 2 else { return false }
        let minutes = parts.map { part -> Int? in
            guard let hour = part.first ?? nil, (0...24).contains(hour) else { return nil }
            return hour * 60 + ((part.count > 1 ? part[1] : 0) ?? 0)
        }
        guard let start = minutes[0], let end = minutes[1] else { return false }
        var local = tm()
        var seconds = time_t(instant)
        localtime_r(&seconds, &local)
        let now = Int(local.tm_hour) * 60 + Int(local.tm_min)
        return start <= end ? (start..<end).contains(now) : now >= start || now < end
    }
}
