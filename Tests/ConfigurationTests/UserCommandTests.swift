import ModelCore
import TerminalUI
import Testing

@testable import Configuration

/// User commands in a configuration file.
@Suite struct UserCommandTests {
    private static let commands = ConfigurationFile.Commands(
        CommandTable([
            CommandDefinition("entry.star", "Star", keys: ["s"], place: "entries"),
            CommandDefinition("program.quit", "Quit", keys: ["q"], place: "everywhere"),
        ]))

    private func parse(_ text: String) -> ConfigurationFile {
        ConfigurationFile.parse(text, path: "c.toml", for: UserCommandTests.commands)
    }

    @Test func readsNamesKeysAndProgramsOfCommands() throws {
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
        ("name = 'x'\nrun = 'ls'", 3, "run must be a list of strings: the program, then its arguments"),
        (
            "name = 'x'\nrun = ['ls', '{lnk}']", 3,
            "'x' uses an unknown field {lnk}; use {title}, {link}, {feed}, {author}, {date}, {enclosure}"
        ),
        (
            "name = 'x'\nsh = 'open {link}'", 3,
            "fields aren't allowed in shell text: 'x' can use \"$TAPPA_LINK\" instead of {link}"
        ),
        (
            "name = 'x'\nrun = ['ls']\nmode = 'loud'", 4,
            "the mode of 'x' must be one of background, pane, output, not 'loud'"
        ),
        ("name = 'a/b'\nrun = ['ls']", 2, "a command needs a name of letters, digits, hyphens and spaces"),
        (
            "name = 'x'\nrun = ['ls']\nwhen = 'now'", 4,
            "a command has only name, key, run, sh, do, mode, input and on, not 'when'"
        ),
        ("name = 'x'\non = 'list'\nrun = ['ls', '{link}']", 4, "'x' uses an unknown field {link}; use {title}"),
        ("name = 'x'\ndo = ['entry.toggelRead']", 3, "no such command: 'entry.toggelRead'"),
        ("name = 'x'\ndo = ['user.x']", 3, "no such command: 'user.x'"),
        ("name = 'x'\ndo = 'entry.next'", 3, "do must be a list of command identifiers, as in [keys]"),
        ("name = 'x'\ndo = ['entry.next']\nmode = 'pane'", 4, "'x' runs no program that could use this"),
        ("name = 'x'\nrun = ['ls']\non = 'feed'", 4, "the on of 'x' must be one of entry, list, not 'feed'"),
        ("name = 'x'\nrun = ['ls']\nkey = 's'", 4, "'s' for user.x is entry.star in entries"),
        (
            "name = 'x'\nrun = ['ls']\nmode = 'pane'\ninput = 'html'", 5,
            "the command 'x' uses the pane, so its standard input is the terminal"
        ),
    ])
    func reportsInvalidCommandsWithTheirLine(text: String, line: Int, message: String) throws {
        let file = parse("[[commands]]\n" + text)
        #expect(file.problems.map(\.description) == ["c.toml, line \(line): \(message)"])
    }

    /// Only the user's own text starts an option.
    @Test func fieldsNeverBecomeOptions() throws {
        let command = try #require(
            parse("[[commands]]\nname = 'x'\nrun = ['a', '{title}', '{author}', '-x={title}', '--a']").commands.first)
        #expect(try command.template().arguments(["title": "-rf", "author": ""]) == [" -rf", "", "-x=-rf", "--a"])
    }

    @Test func insertsEachFieldOnce() throws {
        let command = try #require(
            parse("[[commands]]\nname = 'x'\nrun = ['a', '{title}', 'x:{link}', '{', '{a b}']").commands.first)
        let values = ["title": "{link} {title}", "link": "https://example.org/"]
        #expect(
            try command.template().arguments(values) == ["{link} {title}", "x:https://example.org/", "{", "{a b}"])
    }

    /// A shell reads no field, and the message says what to write instead.
    @Test(
        arguments: [
            (
                #"["sh", "-c", "mpv {link}"]"#, "{link} would be read as commands by the shell of sh",
                #"run = ["sh", "-c", 'mpv "$TAPPA_LINK"']"#
            ),
            (
                #"["tmux", "new-window", "mpv '{link}'"]"#, "{link} would be read as commands by the shell of tmux",
                #"run = ["tmux", "new-window", "-e", "TAPPA_LINK={link}", 'mpv "$TAPPA_LINK"']"#
            ),
            (
                #"["x", "{title} ({feed})"]"#, "{title} stands inside a longer word",
                #"run = ["sh", "-c", 'x "$TAPPA_TITLE ($TAPPA_FEED)"']"#
            ),
            (#"["ssh", "host", "mpv", "{link}"]"#, "{link} would be read as code by ssh", nil),
            (#"["env", "{title}"]"#, "{title} would be read as code by env", nil),
        ] as [(String, String, String?)])
    func refusesFieldsThatAShellWouldRead(run: String, reason: String, better: String?) {
        let file = parse("[[commands]]\nname = 'x'\nrun = \(run)\n")
        let start = "the command 'x': \(reason); "
        #expect(file.commands.isEmpty && file.problems.map(\.line) == [3])
        #expect(file.problems.first?.message.hasPrefix(start + (better.map { "write \($0)" } ?? "make it")) == true)
    }

    /// A script that passes a field to another shell is refused too, and so is the text of an entry as a script.
    @Test(arguments: [
        (#"sh = 'tmux new-window "mpv $TAPPA_LINK"'"#, "$TAPPA_LINK would be read as commands by the shell of tmux"),
        (#"sh = 'eval "mpv $TAPPA_LINK"'"#, "$TAPPA_LINK would be read as commands by the shell of eval"),
        (#"sh = 'l=$TAPPA_LINK; bash -c "mpv $l"'"#, "$l would be read as commands by the shell of bash"),
        (
            #"sh = 'echo "mpv $TAPPA_LINK" | sh'"#,
            "the standard input comes from outside, and sh would read it as commands"
        ),
        ("run = ['sh']\ninput = 'markdown'", "the standard input comes from outside, and sh would read it as commands"),
        (#"sh = 'sudo sh -c "x \"\$TAPPA_LINK\""'"#, "$TAPPA_LINK doesn't reach the shell of sh"),
    ])
    func refusesScriptsThatPassFieldsToShells(program: String, reason: String) {
        let file = parse("[[commands]]\nname = 'x'\n\(program)\n")
        #expect(file.problems.first?.message.hasPrefix("the command 'x': \(reason); ") == true, "\(file.problems)")
    }

    @Test func refusesSettingsThatAShellWouldRead() {
        let file = parse("[feeds]\nbrowser = \"sh -c 'w3m %s'\"\n[audio]\nplayer = ['bash', '-c', 'mpv --x %s']\n")
        #expect(file.settings.isEmpty && file.problems.map(\.line) == [2, 4])
        #expect(
            file.problems.map(\.message) == [
                #"feeds.browser: %s would be read as commands by the shell of sh; write sh -c 'w3m "$TAPPA_LINK"'"#,
                #"audio.player: %s would be read as commands by the shell of bash; write bash -c 'mpv --x "$TAPPA_LINK"'"#,
            ])
        let step = parse("[[commands]]\nname = 'x'\ndo = [\"set feeds.browser=sh -c 'w3m %s'\"]\n")
        #expect(step.commands.isEmpty && step.problems.map(\.line) == [3])
    }

    @Test func readsPasswordProgramsOfAccounts() throws {
        let file = parse("[account.home]\npassword-command = ['pass', 'show', 'rss']")
        #expect(file.passwordCommands == ["home": ["pass", "show", "rss"]])
        for text in ["account = 1", "[account]\nhome = 'x'", "[account.home]\npassword = 'x'"] {
            #expect(parse(text).problems.count == 1 && parse(text).passwordCommands.isEmpty, "\(text)")
        }
    }

    @Test func readsEveryModeInputAndTarget() throws {
        for mode in UserCommand.Mode.allCases {
            for input in UserCommand.Input.allCases {
                for target in UserCommand.Target.allCases {
                    let file = parse(
                        "[[commands]]\nname = 'x'\nrun = ['a']\nmode = '\(mode)'\ninput = '\(input)'\non = '\(target)'\n"
                    )
                    guard mode != .pane || input == .none else {
                        #expect(file.commands.isEmpty && file.problems.map(\.line) == [5])
                        continue
                    }
                    let command = try #require(file.commands.first)
                    #expect(command.mode == mode && command.input == input && command.target == target)
                }
            }
        }
        let plain = try #require(parse("[[commands]]\nname = 'x'\nsh = 'a'\n").commands.first)
        #expect(plain.mode == .background && plain.input == .none && plain.target == .entry && plain.steps.isEmpty)
        #expect(plain.definition.name == "user.x" && plain.definition.traits == .actsOnMarkedRows)
        for key in ["run = ['a']\nsh = 'b'", "run = ['a']\ndo = ['entry.star']", "sh = 'b'\ndo = ['entry.star']"] {
            #expect(
                parse("[[commands]]\nname = 'x'\n\(key)").problems.map(\.message) == [
                    "the command 'x' needs either run, sh or do"
                ])
        }
        for key in ["mode = 'output'", "input = 'html'", "on = 'list'"] {
            #expect(parse("[[commands]]\nname = 'x'\ndo = ['entry.star']\n\(key)").problems.map(\.line) == [4])
        }
    }

    @Test(arguments: [
        (String(repeating: "x", count: 40), true), (String(repeating: "x", count: 41), false), ("", false),
        ("a b-c_d 9", true), ("größe", true),
        ("a.b", false), ("a\tb", false), ("a'b", false),
    ]) func limitsNamesToFortyLetters(name: String, isAccepted: Bool) {
        let file = parse("[[commands]]\nname = \"\(name.replacing("\t", with: "\\t"))\"\nrun = ['a']\n")
        #expect(file.commands.map(\.name) == (isAccepted ? [name] : []))
        if !isAccepted {
            #expect(file.problems.map(\.message) == ["a command needs a name of letters, digits, hyphens and spaces"])
        }
    }

    @Test(arguments: [
        ("{a} {b}{c}", ["a", "b", "c"]), ("{}", []), ("{a b}", []), ("{a1}", []), ("{a", []), ("a}", []),
        ("{{a}}", ["a"]), ("${HOME}", ["HOME"]),
        ("{é}", []), ("", []),
    ]) func readsFieldsInBraces(text: String, names: [String]) {
        #expect(UserCommand.braced(text) == names)
    }

    /// Fields are accepted in arguments and rejected anywhere in a shell's text.
    @Test func passesFieldsAsArgumentsNotAsShellText() {
        #expect(UserCommand.fields == ["title", "link", "feed", "author", "date", "enclosure"])
        for field in UserCommand.fields {
            let words = parse("[[commands]]\nname = 'x'\nrun = ['a', '{\(field)}', '--x={\(field)}', 'x:{\(field)}']\n")
            #expect(words.problems.isEmpty && words.commands.count == 1)
            for text in ["a {\(field)}", "{x} {\(field)}", "echo '{title2}' \\\"{\(field)}\\\""] {
                let shell = parse("[[commands]]\nname = 'x'\nsh = \"\(text)\"\n")
                #expect(shell.commands.isEmpty && shell.problems.map(\.line) == [3], "\(text)")
            }
            let list = parse("[[commands]]\nname = 'x'\non = 'list'\nrun = ['a', '{\(field)}']\n")
            #expect(list.commands.isEmpty == (field != "title"))
        }
        // Braces without a field belong to the shell.
        #expect(parse("[[commands]]\nname = 'x'\nsh = 'echo ${HOME} {a,b}'\n").commands.count == 1)
    }
}
