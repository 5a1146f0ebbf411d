import ArgumentParser
import Feeds
import Fetching
import Platform

/// Where a user's password comes from.
struct PasswordOptions: ParsableArguments {
    @Option(
        help: ArgumentHelp(
            "A program that prints the password, with its arguments; run without a shell.", valueName: "command"))
    var passwordCommand: String?

    @Option(help: ArgumentHelp("An environment variable that contains the password.", valueName: "name"))
    var passwordEnv: String?

    /// Returns the source that was given, or else another one, what is typed on a terminal, or a netrc file.
    func source(of user: String, or other: () throws -> Secret.Password? = { nil }) throws -> Secret.Password {
        if let passwordCommand { return .command(CommandWords.split(passwordCommand)) }
        if let passwordEnv { return .environment(passwordEnv) }
        if let other = try other() { return other }
        guard isatty(STDIN_FILENO) == 1, let typed = getpass("Password of \(user) (empty: use netrc): ") else {
            return .netrc
        }
        let password = String(cString: typed)
        return password.isEmpty ? .netrc : .kept(password)
    }
}
