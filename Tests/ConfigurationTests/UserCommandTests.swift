import ModelCore
import TerminalUI
import Testing

@testable import Configuration

/// Commands of the user's own, as a configuration file has them.
@Suite struct UserCommandTests {
    private static let commands = ConfigurationFile.Commands(
        CommandTable([
            CommandDefinition("entry.star", "Star", keys: ["s"], place: "entries"),
            CommandDefinition("program.quit", "Quit", keys: ["q"], place: "everywhere"),
        ]))

    private func parse(_ text: String) -> ConfigurationFile {
        ConfigurationFile.parse(text, path: "c.toml", for: UserCommandTests.commands)
    }

    @Test func commandsHaveNamesKeysAndPrograms() throws {
        let file = parse(
            """
            [appearance]
            theme = "rosa"
            [[commands]]
            name = "bookmark"
            key = "B"
            run = ["bookmark", "{link}", "{title}"]
            [[commands]]
            name = "count words"
            sh = "wc -w"
            input = "markdown"
            mode = "output"
            """)
        #expect(file.problems.isEmpty && file.settings == ["appearance.theme": "rosa"])
        #expect(file.commands.map(\.name) == ["bookmark", "count words"])
        #expect(file.commands[0].program == .words(["bookmark", "{link}", "{title}"]))
        #expect(file.commands[1].program == .shell("wc -w") && file.commands[1].mode == .output)
        #expect(file.keyMap == KeyMap(["user.bookmark": ["B"]]))
    }

    @Test(arguments: [
        ("name = 'x'", 1, "the command 'x' needs either run, sh or do"),
        ("name = 'x'\nrun = 'ls'", 3, "run is a list of texts: the program, then its arguments"),
        (
            "name = 'x'\nrun = ['ls', '{lnk}']", 3,
            "'x' has no field {lnk}; there are {title}, {link}, {feed}, {author}, {date}, {enclosure}"
        ),
        (
            "name = 'x'\nsh = 'open {link}'", 3,
            "no field may stand in a shell's text: 'x' finds {link} as \"$TAPPA_LINK\""
        ),
        (
            "name = 'x'\nrun = ['ls']\nmode = 'loud'", 4,
            "the mode of 'x' is 'loud', but can be one of background, pane, output"
        ),
        ("name = 'a/b'\nrun = ['ls']", 2, "a command needs a name of letters, digits, '-' and blanks"),
        (
            "name = 'x'\nrun = ['ls']\nwhen = 'now'", 4,
            "a command has name, key, run, sh or do, mode, input and on, not 'when'"
        ),
        ("name = 'x'\non = 'list'\nrun = ['ls', '{link}']", 4, "'x' has no field {link}; there is {title}"),
        ("name = 'x'\ndo = ['entry.toggelRead']", 3, "there is no command 'entry.toggelRead'"),
        ("name = 'x'\ndo = ['user.x']", 3, "there is no command 'user.x'"),
        ("name = 'x'\ndo = 'entry.next'", 3, "do is a list of commands, as [keys] names them"),
        ("name = 'x'\ndo = ['entry.next']\nmode = 'pane'", 4, "'x' runs no program that this could be for"),
        ("name = 'x'\nrun = ['ls']\non = 'feed'", 4, "the on of 'x' is 'feed', but can be one of entry, list"),
        ("name = 'x'\nrun = ['ls']\nkey = 's'", 4, "'s' for user.x is entry.star in entries"),
        (
            "name = 'x'\nrun = ['ls']\nmode = 'pane'\ninput = 'html'", 5,
            "the command 'x' has the pane: its standard input is the terminal"
        ),
    ])
    func whatCannotHoldIsToldWithItsLine(text: String, line: Int, message: String) throws {
        let file = parse("[[commands]]\n" + text)
        #expect(file.problems.map(\.description) == ["c.toml, line \(line): \(message)"])
    }

    /// Only a hyphen that the user has written begins an option.
    @Test func noFieldBeginsAnOption() {
        let values = ["title": "-rf", "author": ""]
        for (word, argument) in [
            ("{title}", " -rf"), ("{author}{title}", " -rf"), ("-x{title}", "-x-rf"), ("x {title}", "x -rf"),
            ("--a", "--a"),
        ] { #expect(UserCommand.expand(word, values) == argument, "\(word)") }
    }

    @Test func aFieldIsPutInOnce() {
        let values = ["title": "{link} {title}", "link": "https://example.org/"]
        #expect(
            UserCommand.expand("a {title} {link} {other} {", values)
                == "a {link} {title} https://example.org/ {other} {")
    }

    @Test func accountsHaveProgramsThatPrintTheirPasswords() throws {
        let file = parse("[account.home]\npassword-command = ['pass', 'show', 'rss']")
        #expect(file.passwordCommands == ["home": ["pass", "show", "rss"]])
        for text in ["account = 1", "[account]\nhome = 'x'", "[account.home]\npassword = 'x'"] {
            #expect(parse(text).problems.count == 1 && parse(text).passwordCommands.isEmpty, "\(text)")
        }
    }
}
