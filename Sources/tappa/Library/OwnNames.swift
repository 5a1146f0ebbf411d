import ArgumentParser
import Configuration
import Foundation
import LibraryKernel
import ModelCore
import RaceCentre
import TerminalText

/// The names that complete arguments in a shell: the user's feeds, rules, accounts and races, and the settings.
///
/// Nothing is created or changed, because Tab must not have effects.
struct OwnNames {
    private let database: String
    private let configuration: String

    /// - Parameter words: The typed command line, which may name another library or configuration.
    init(_ words: [String]) {
        func value(of option: String) -> String? {
            if let index = words.firstIndex(of: option), index + 1 < words.count { return words[index + 1] }
            return words.first { $0.hasPrefix(option + "=") }.map { String($0.dropFirst(option.count + 1)) }
        }
        database = value(of: "--database") ?? FileLocations.database
        configuration = value(of: "--config") ?? FileLocations.configuration
    }

    private func read<Value>(_ none: Value, _ body: (Library) throws -> Value) -> Value {
        guard let library = Library(glancingAt: database) else { return none }
        return (try? body(library)) ?? none
    }

    var feeds: [String] { read([]) { try $0.feeds.all().map(\.url) } }
    var folders: [String] { read([]) { try $0.feeds.foldersAndTags().folders } }
    var tags: [String] { read([]) { try $0.feeds.foldersAndTags().tags } }
    var accounts: [String] { read([]) { try $0.accounts.all(now: 0).map(\.name) } }
    var races: [String] { read([]) { try $0.races.all().map(\.id) } }
    var knownRaces: [String] { KnownRaces.readFiles().followable.map(\.id) }
    var rules: [String] { LibraryOptions.readConfiguration(configuration).rules.map(\.name) }
    var settings: [String] { Settings.definitions.map(\.name) }

    /// Returns the completions of `NAME=VALUE`: the names, or the values of a typed name.
    ///
    /// - Parameter typed: The beginning of the word.
    func assignments(_ typed: String) -> [String] {
        guard let end = typed.firstIndex(of: "=") else { return settings.map { $0 + "=" } }
        let values = Settings.definition(String(typed[..<end]))?.kind.completions ?? []
        return values.map { typed[...end] + $0 }
    }
}

extension CompletionKind {
    static let ownFeeds = own { names, _ in names.feeds }
    static let ownFolders = own { names, _ in names.folders }
    static let ownTags = own { names, _ in names.tags }
    static let ownAccounts = own { names, _ in names.accounts }
    static let ownRaces = own { names, _ in names.races }
    static let knownRaces = own { names, _ in names.knownRaces }
    static let ownRules = own { names, _ in names.rules }
    static let settings = own { names, _ in names.settings }
    static let assignments = own { $0.assignments($1) }

    private static func own(
        _ list: @escaping @Sendable (_ names: OwnNames, _ typed: String) -> [String]
    ) -> CompletionKind {
        let complete: @Sendable ([String], Int, String) -> [String] = { words, _, typed in
            list(OwnNames(words), typed).map { name in
                let safe = Sanitizer.sanitize(name)
                // zsh takes what follows a colon as a description.
                return CompletionShell.requesting == .zsh ? safe.replacing(":", with: "\\:") : safe
            }
        }
        return .custom(complete)
    }
}

extension SettingDefinition.Kind {
    fileprivate var completions: [String] {
        switch self {
        case .choice(let values), .named(let values): values
        case .toggle: ["on", "off"]
        case .number(_, let offered, _, _): offered.map(String.init)
        default: []
        }
    }
}
