import Fetching

/// A setting that names a program, with the values that the program receives.
package enum ProgramSetting: CaseIterable, Sendable {
    case browser, player, notifier

    package var key: SettingKey<String> {
        switch self {
        case .browser: .browser
        case .player: .player
        case .notifier: .notifier
        }
    }

    /// Checks a command line.
    package func template(of command: String) throws(CommandTemplate.Problem) -> CommandTemplate {
        let words = CommandWords.split(command)
        return switch self {
        case .browser, .player: try CommandTemplate(words, .percent("link"), appending: ["link"])
        case .notifier: try CommandTemplate(words, .none, appending: ["title", "text"])
        }
    }

    /// Returns why a value can't be used and what to write instead, or `nil` if it can be.
    package static func problem(of value: String, for name: String) -> String? {
        guard let setting = allCases.first(where: { $0.key.name == name }), value != "BROWSER",
            !CommandWords.split(value).isEmpty
        else { return nil }
        do throws(CommandTemplate.Problem) { _ = try setting.template(of: value) } catch { return error.sentence() }
        return nil
    }
}

extension Settings {
    /// The programs in the settings that can't be used, each with what to write instead. The configuration file's are
    /// checked when it is read.
    package var programProblems: [String] {
        ProgramSetting.allCases.compactMap { setting in
            let name = setting.key.name
            return ProgramSetting.problem(of: self[name].value, for: name).map { "\(name): \($0)." }
        }
    }
}
